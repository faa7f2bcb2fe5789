#include "encodings/rotary/xpos_recognition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "core/number.h"
#include "core/to_size.h"
#include "encodings/rotary/frequency_fit.h"
#include "encodings/rotary/turning_table.h"
#include "encodings/rotary/xpos_decay.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;
using evidence::SimpleNumber;

/// Returns the logarithm of value / wave, where the wave is not small.
std::optional<Measured> log_scale(const Measured& value, double wave) {
    if (!(std::fabs(wave) > 0.3) || !(value.value / wave > 0)) return std::nullopt;
    // Float32 code has angles that are off, and a product that rounds.
    const double relative = 4 * value.error / std::fabs(value.value) + 0x1p-53;
    return Measured{std::log(value.value / wave), relative};
}

/// A column: of which pair it is, and the wave without its scale.
struct Column {
    std::int64_t index;
    double share;  ///< the index of the pair as a part of all pairs
    double (*wave)(double);
};

/// Returns how the fastest pair grows.
std::optional<Growth> fastest_growth(const Sample& array, const Column& fastest) {
    std::vector<ScalePoint> points;
    for (const std::int64_t row : some_rows(array)) {
        const auto position = static_cast<double>(row);
        const double there = fastest.wave(position);
        const Measured value = cell(array, row, fastest.index);
        if (std::fabs(there) > 0.3 && !(value.value / there > 0)) return std::nullopt;
        if (std::optional<Measured> logarithm = log_scale(value, there)) {
            logarithm->error += 0x1p-22 * position;
            points.push_back({position, *logarithm});
        }
    }
    return growth_of(points);
}

/// Returns the usual decays that the column may have.
std::vector<Decay> usual_decays_in(const Sample& array, const Column& column) {
    const auto is_of = [&](const Decay& decay) {
        return std::ranges::all_of(some_rows(array), [&](std::int64_t row) {
            const auto position = static_cast<double>(row);
            const Measured value = cell(array, row, column.index);
            const double scale = std::exp(decay.log_scale(position, column.share));
            const double room = 0x1p-22 * (2 + position) * scale;
            return std::fabs(value.value - scale * column.wave(position)) <= 2 * value.error + room;
        });
    };
    std::vector<Decay> decays = usual_decays(array.extents[0]);
    std::erase_if(decays, [&](const Decay& decay) { return !is_of(decay); });
    constexpr std::size_t most = 16;
    if (decays.size() > most) decays.resize(most);
    return decays;
}

void add_scale(std::vector<Proposal>& proposals, const Sample& array) {
    const std::int64_t pairs = array.extents[1], middle = pairs / 2;
    if (pairs < 2 || array.leading < 4) return;
    const auto growth_in = [&](std::int64_t column) -> std::optional<Growth> {
        std::vector<ScalePoint> points;
        for (const std::int64_t row : some_rows(array)) {
            const Measured value = cell(array, row, column);
            if (!(value.value > 0) || !std::isfinite(value.value)) return std::nullopt;
            points.push_back({static_cast<double>(row), *log_scale(value, 1)});
        }
        return growth_of(points);
    };
    const double share = static_cast<double>(middle) / static_cast<double>(pairs);
    const auto no_wave = [](double) { return 1.0; };
    std::vector<Decay> decays = usual_decays_in(array, {middle, share, no_wave});
    if (decays.empty()) {
        const auto first = growth_in(0), other = growth_in(middle);
        if (!first || !other || other->per_position.value == 0) return;
        for (const SimpleNumber& gamma :
             gammas_of(first->per_position, other->per_position, share)) {
            std::ranges::move(decays_of(*first, gamma, array.extents[0]),
                              std::back_inserter(decays));
        }
    }
    for (const Decay& decay : decays) {
        // There is no table of the scales of keys.
        if (decay.is_of_keys) continue;
        Proposal proposal{.table = "scale", .settings = decay.settings};
        proposal.settings.push_back({"len", std::to_string(array.extents[0])});
        proposal.settings.push_back({"d", std::to_string(2 * pairs)});
        // Powers in float32 are off by some units of their logarithm.
        proposal.angle = [](std::int64_t, std::int64_t) { return 1.0; };
        proposals.push_back(proposal);
    }
}

/// Returns the array without its scale. It has the first ones of `pairs` pairs.
Sample without(const Decay& decay, const Sample& array, const RotaryColumns& columns,
               std::int64_t pairs) {
    Sample waves = array;
    // The division may leave values whose units are half as large as before.
    if (array.precision.digits < 24) {
        --waves.precision.digits;
    } else {
        waves.noise += evidence::unit_of(1, array.precision);
    }
    const std::int64_t width = row_size(array);
    for (std::size_t i = 0; i < waves.values.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const auto pair = static_cast<double>(columns.pair_of_column[to_size(at % width)]);
        const double share = pair / static_cast<double>(pairs);
        waves.values[i] /= std::exp(decay.log_scale(static_cast<double>(at / width), share));
    }
    return waves;
}

/// Returns gammas: as row 0 of cosines shows it, which holds the scales of position 0; of sines,
/// usual ones.
std::vector<SimpleNumber> gammas_in(const Sample& array, const RotaryColumns& columns) {
    std::vector<SimpleNumber> gammas{{"0.4", 0.4, 0}};
    if (columns.cosines.empty()) {
        for (const double gamma : {0.5, 0.3, 0.2, 0.25, 0.1, 1.0}) {
            gammas.push_back({shortest(gamma), gamma, 3});
        }
    }
    if (columns.cosines.empty() || columns.pairs() < 2) return gammas;
    const std::int64_t middle = columns.pairs() / 2;
    const Measured first = cell(array, 0, columns.cosines.front());
    const Measured other = cell(array, 0, columns.cosines[to_size(middle)]);
    const auto a = log_scale(first, 1), b = log_scale(other, 1);
    if (!a || !b || std::fabs(b->value) <= b->error) return gammas;
    const double share = static_cast<double>(middle) / static_cast<double>(columns.pairs());
    for (const SimpleNumber& gamma : gammas_of(*a, *b, share)) {
        if (gamma.value != 0.4) gammas.push_back(gamma);
    }
    return gammas;
}

/// Returns the decays that the fastest pair may have: usual ones, or else those that fit.
std::vector<Decay> possible_decays(const Sample& array, const RotaryColumns& columns,
                                   const Column& fastest) {
    std::vector<Decay> decays = usual_decays_in(array, fastest);
    if (!decays.empty()) return decays;
    const std::optional<Growth> growth = fastest_growth(array, fastest);
    if (!growth) return {};
    for (const SimpleNumber& gamma : gammas_in(array, columns)) {
        for (Decay& decay : decays_of(*growth, gamma, array.extents[0])) {
            decays.push_back(std::move(decay));
        }
    }
    return decays;
}

/// Returns the bases of `pairs` pairs with which the first ones have these frequencies.
std::vector<SimpleNumber> bases_of(const std::vector<Measured>& frequencies, std::int64_t pairs) {
    const auto [low, high] = base_bounds(frequencies, frequencies.size());
    const double power = static_cast<double>(pairs) / static_cast<double>(frequencies.size());
    return bases_within({std::pow(low, power), std::pow(high, power)}, 2);
}

/// Adds the tables of this decay and of `pairs` pairs of which the array has the first ones.
void add_decaying(std::vector<Proposal>& proposals, const Sample& array,
                  const RotaryColumns& columns, const Decay& decay, std::int64_t pairs) {
    const bool is_of_cosines = columns.table == "cos";
    const Sample waves = without(decay, array, columns, pairs);
    for (const double drift : {float32_arithmetic.drift, exact_arithmetic.drift}) {
        const TurningTable table(waves, columns, {1, 0}, {drift, 3});
        const auto frequencies = frequencies_at(table, 0, 1, {0, 1 + 1e-6});
        if (!frequencies) continue;
        for (const SimpleNumber& base : bases_of(*frequencies, pairs)) {
            Proposal proposal{.settings = decay.settings};
            proposal.table = is_of_cosines ? (decay.is_of_keys ? "cos-k" : "cos-q")
                                           : (decay.is_of_keys ? "sin-k" : "sin-q");
            const auto add = [&](std::string_view name, std::string value) {
                proposal.settings.push_back({name, std::move(value)});
            };
            add("len", std::to_string(array.extents[0]));
            add("d", std::to_string(2 * pairs));
            if (base.value != 10000) add("base", base.text);
            proposal.settings.insert(proposal.settings.end(), columns.settings.begin(),
                                     columns.settings.end());
            if (pairs > columns.pairs()) {
                proposal.channels.resize(to_size(array.extents[1]));
                std::iota(proposal.channels.begin(), proposal.channels.end(), 0);
            }
            proposal.angle = [frequencies = *frequencies, of_column = columns.pair_of_column](
                                 std::int64_t row, std::int64_t column) {
                const std::int64_t pair = of_column[to_size(column)];
                return static_cast<double>(row) * frequencies[to_size(pair)].value + 1;
            };
            proposals.push_back(proposal);
        }
    }
}

void add_waves(std::vector<Proposal>& proposals, const Sample& array,
               const RotaryColumns& columns) {
    const Column fastest = columns.table == "cos" ? Column{columns.cosines.front(), 0, std::cos}
                                                  : Column{columns.sines.front(), 0, std::sin};
    const std::vector<Decay> decays = possible_decays(array, columns, fastest);
    // The array may have all pairs, or the first half of them.
    for (const std::int64_t pairs : {columns.pairs(), 2 * columns.pairs()}) {
        const bool may_have_half = columns.layout == "interleaved" || columns.layout == "single";
        if (pairs > columns.pairs() && !(may_have_half && proposals.empty())) continue;
        for (const Decay& decay : decays) add_decaying(proposals, array, columns, decay, pairs);
    }
}

}  // namespace

std::vector<Proposal> recognize_xpos(const Sample& array) {
    std::vector<Proposal> proposals;
    if (array.rank() != 2 || array.leading < 4) return proposals;
    add_scale(proposals, array);
    for (const RotaryColumns& columns : rotary_columns(array, "interleaved")) {
        const bool is_of_one = columns.table == "cos" || columns.table == "sin";
        if (is_of_one && columns.layout != "axis-half") add_waves(proposals, array, columns);
    }
    return proposals;
}

}  // namespace pegen::encodings
