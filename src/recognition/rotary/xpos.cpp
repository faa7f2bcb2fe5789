#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/rotary/frequency_fit.h"
#include "recognition/rotary/turning_table.h"

namespace pegen::recognition {
namespace {

// The scale of xpos: growth and decay of the pairs with the position.

/// The parameters of the scale.
struct Decay {
    double gamma;
    double scale_base;
    double centre;
    bool is_of_keys;
    std::vector<Setting> settings;  ///< settings that differ from the defaults

    /// Returns the logarithm of a pair's scale; `share` is pair / number of pairs.
    double log_scale(double position, double share) const {
        const double exponent = (position - centre) / scale_base;
        return (is_of_keys ? -exponent : exponent) * std::log((share + gamma) / (1 + gamma));
    }
};

Decay decay_of(const SimpleNumber& gamma, const SimpleNumber& scale_base,
               const SimpleNumber& centre, bool is_of_keys) {
    Decay decay{gamma.value, scale_base.value, centre.value, is_of_keys, {}};
    if (gamma.value != 0.4) decay.settings.push_back({"gamma", gamma.text});
    if (scale_base.value != 512) decay.settings.push_back({"scale-base", scale_base.text});
    if (centre.text != "floor") decay.settings.push_back({"centre", centre.text});
    return decay;
}

/// Returns the decays with numbers that code uses, for queries and for keys, the defaults first.
std::vector<Decay> usual_decays(std::int64_t rows) {
    const std::vector<SimpleNumber> centres{{"floor", static_cast<double>(rows / 2), 0},
                                            {"ceil", static_cast<double>((rows + 1) / 2), 2},
                                            usual_number(0),
                                            usual_number(10)};
    std::vector<Decay> decays;
    for (const double gamma : {0.4, 0.2, 0.5, 1.0}) {
        for (const double scale_base : {512.0, 256.0, 100.0, 1024.0}) {
            for (const SimpleNumber& centre : centres) {
                for (const bool is_of_keys : {false, true}) {
                    decays.push_back(decay_of(usual_number(gamma), usual_number(scale_base), centre,
                                              is_of_keys));
                }
            }
        }
    }
    std::ranges::stable_sort(decays, {}, [](const Decay& decay) { return decay.settings.size(); });
    return decays;
}

/// A column with the share of its pair, and its wave without the scale.
struct Column {
    std::int64_t index;
    double share;  ///< pair / number of pairs
    double (*wave)(double);
};

/// Returns the usual decays that agree with the values of the column.
std::vector<Decay> decays_in(const Sample& array, const Column& column) {
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
    const double share = static_cast<double>(middle) / static_cast<double>(pairs);
    const auto no_wave = [](double) { return 1.0; };
    for (const Decay& decay : decays_in(array, {middle, share, no_wave})) {
        // The table of scales exists only for queries.
        if (decay.is_of_keys) continue;
        Proposal proposal{.table = "scale", .settings = decay.settings};
        proposal.settings.push_back({"len", std::to_string(array.extents[0])});
        proposal.settings.push_back({"d", std::to_string(2 * pairs)});
        // With an angle of 1, values may be off by some units, as are powers in float32.
        proposal.angle = [](std::int64_t, std::int64_t) { return 1.0; };
        proposals.push_back(proposal);
    }
}

/// Returns the array divided by the scale of this decay. The array holds the first of `pairs`
/// pairs.
Sample without(const Decay& decay, const Sample& array, const RotaryColumns& columns,
               std::int64_t pairs) {
    Sample waves = array;
    // Divided values may have units half as large as before.
    if (array.precision.digits < 24) {
        --waves.precision.digits;
    } else {
        waves.noise += evidence::unit_of(1, array.precision);
    }
    const std::int64_t width = row_size(array);
    for (std::size_t i = 0; i < waves.values.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const auto pair = static_cast<double>(columns.pair_of_column[at % width]);
        const double share = pair / static_cast<double>(pairs);
        waves.values[i] /= std::exp(decay.log_scale(static_cast<double>(at / width), share));
    }
    return waves;
}

/// Returns the bases for which the first of `pairs` pairs have these frequencies.
std::vector<SimpleNumber> bases_of(const std::vector<Measured>& frequencies, std::int64_t pairs) {
    const auto [low, high] = base_bounds(frequencies, frequencies.size());
    const double power = static_cast<double>(pairs) / static_cast<double>(frequencies.size());
    return bases_within({std::pow(low, power), std::pow(high, power)}, 2);
}

/// Adds the proposals for tables of this decay with `pairs` pairs, of which the array has the
/// first.
void add_decaying(std::vector<Proposal>& proposals, const Sample& array,
                  const RotaryColumns& columns, const Decay& decay, std::int64_t pairs) {
    const bool is_of_cosines = columns.table == "cos";
    const Sample waves = without(decay, array, columns, pairs);
    for (const double drift : {float32_errors.drift, exact_errors.drift}) {
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
            append(proposal.settings, columns.settings);
            if (pairs > columns.pairs()) {
                proposal.channels.resize(array.extents[1]);
                std::iota(proposal.channels.begin(), proposal.channels.end(), 0);
            }
            proposal.angle = [frequencies = *frequencies, of_column = columns.pair_of_column](
                                 std::int64_t row, std::int64_t column) {
                const std::int64_t pair = of_column[column];
                return static_cast<double>(row) * frequencies[pair].value + 1;
            };
            proposals.push_back(proposal);
        }
    }
}

void add_waves(std::vector<Proposal>& proposals, const Sample& array,
               const RotaryColumns& columns) {
    const Column fastest = columns.table == "cos" ? Column{columns.cosines.front(), 0, std::cos}
                                                  : Column{columns.sines.front(), 0, std::sin};
    const std::vector<Decay> decays = decays_in(array, fastest);
    // The array may have all pairs, or the first half of them.
    for (const std::int64_t pairs : {columns.pairs(), 2 * columns.pairs()}) {
        const bool may_have_half = columns.layout == "interleaved" || columns.layout == "single";
        if (pairs > columns.pairs() && !(may_have_half && proposals.empty())) continue;
        for (const Decay& decay : decays) add_decaying(proposals, array, columns, decay, pairs);
    }
}

}  // namespace

std::vector<Proposal> recognize_xpos(const Sample& whole) {
    std::vector<Proposal> proposals;
    if (whole.rank() != 2 || whole.leading < 4) return proposals;
    // The values are divided by each decay that one column may have.
    constexpr std::int64_t enough = 1 << 19;
    const Sample array = shortened(whole, enough);
    add_scale(proposals, array);
    for (const RotaryColumns& columns : rotary_columns(array, "interleaved")) {
        const bool is_of_one = columns.table == "cos" || columns.table == "sin";
        if (is_of_one && columns.layout != "axis-half") add_waves(proposals, array, columns);
    }
    return proposals;
}

}  // namespace pegen::recognition
