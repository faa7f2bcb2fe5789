#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/number.h"
#include "recognition/evidence/bounds.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/rotary/frequency_fit.h"
#include "recognition/rotary/turning_table.h"

namespace pegen::recognition {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;
using evidence::SimpleNumber;

// The scale of xpos: growth and decay of the pairs with the position.

/// The logarithm of a pair's scale at a position.
struct ScalePoint {
    double position;
    evidence::Measured logarithm;
};

/// The linear dependence of the logarithm of a pair's scale on the position.
struct Growth {
    evidence::Measured at_zero;
    evidence::Measured per_position;

    /// Returns the position at which the scale is 1.
    evidence::Measured centre() const;
};

/// The parameters of the scale.
struct Decay {
    double gamma;
    double scale_base;
    double centre;
    bool is_of_keys;
    std::vector<evidence::Setting> settings;  ///< settings that differ from the defaults

    /// Returns the logarithm of a pair's scale; `share` is pair / number of pairs.
    double log_scale(double position, double share) const;
};

Measured Growth::centre() const {
    const double centre = -at_zero.value / per_position.value;
    const double relative = std::fabs(per_position.error / per_position.value);
    return {centre,
            at_zero.error / std::fabs(per_position.value) + 2 * std::fabs(centre) * relative};
}

/// Returns the line through the points; none if the points are not on a line.
std::optional<Growth> growth_of(const std::vector<ScalePoint>& points) {
    if (points.size() < 4) return std::nullopt;
    double weights = 0, mean = 0, mean_log = 0;
    const auto weight = [](const ScalePoint& p) {
        return 1 / (p.logarithm.error * p.logarithm.error + 1e-32);
    };
    for (const ScalePoint& p : points) {
        weights += weight(p);
        mean += weight(p) * p.position;
        mean_log += weight(p) * p.logarithm.value;
    }
    mean /= weights;
    mean_log /= weights;
    double squares = 0, products = 0;
    for (const ScalePoint& p : points) {
        squares += weight(p) * (p.position - mean) * (p.position - mean);
        products += weight(p) * (p.position - mean) * (p.logarithm.value - mean_log);
    }
    if (!(squares > 0)) return std::nullopt;
    const double slope = products / squares;
    const double slope_error = 4 / std::sqrt(squares) + 1e-15 * std::fabs(slope);
    for (const ScalePoint& p : points) {
        const double there = mean_log + slope * (p.position - mean);
        if (!(std::fabs(there - p.logarithm.value) <= 2 * p.logarithm.error + 1e-14)) {
            return std::nullopt;
        }
    }
    const double error = 4 / std::sqrt(weights) + slope_error * mean;
    return Growth{{mean_log - slope * mean, error}, {slope, slope_error}};
}

double Decay::log_scale(double position, double share) const {
    const double exponent = (position - centre) / scale_base;
    return (is_of_keys ? -exponent : exponent) * std::log((share + gamma) / (1 + gamma));
}

Decay decay_of(const SimpleNumber& gamma, const SimpleNumber& scale_base,
               const SimpleNumber& centre, bool is_of_keys) {
    Decay decay{gamma.value, scale_base.value, centre.value, is_of_keys, {}};
    if (gamma.value != 0.4) decay.settings.push_back({"gamma", gamma.text});
    if (scale_base.value != 512) decay.settings.push_back({"scale-base", scale_base.text});
    if (centre.text != "floor") decay.settings.push_back({"centre", centre.text});
    return decay;
}

/// Returns the centres that have names, floor and ceil, for `rows` positions.
std::array<SimpleNumber, 2> named_centres(std::int64_t rows) {
    const auto below = static_cast<double>(rows / 2), above = static_cast<double>((rows + 1) / 2);
    return {SimpleNumber{"floor", below, 0}, SimpleNumber{"ceil", above, 2}};
}

/// Returns the ways to type this centre of `rows` positions.
std::vector<SimpleNumber> centres_of(const Measured& centre, std::int64_t rows) {
    std::vector<SimpleNumber> found;
    const evidence::Bounds bounds = evidence::bounds_of(centre);
    std::ranges::copy_if(named_centres(rows), std::back_inserter(found),
                         [&](const SimpleNumber& number) { return bounds.contains(number.value); });
    if (!found.empty()) return found;
    return evidence::numbers_within(bounds, 1);
}

SimpleNumber usual(double value) { return {shortest(value), value, 3}; }

/// Returns the decays with numbers that code uses, for queries and for keys, the defaults first.
std::vector<Decay> usual_decays(std::int64_t rows) {
    std::vector<SimpleNumber> centres;
    std::ranges::copy(named_centres(rows), std::back_inserter(centres));
    for (const double centre : {0.0, 10.0}) centres.push_back(usual(centre));
    std::vector<Decay> decays;
    for (const double gamma : {0.4, 0.2, 0.5, 1.0}) {
        for (const double scale_base : {512.0, 256.0, 100.0, 1024.0}) {
            for (const SimpleNumber& centre : centres) {
                for (const bool is_of_keys : {false, true}) {
                    decays.push_back(decay_of(usual(gamma), usual(scale_base), centre, is_of_keys));
                }
            }
        }
    }
    std::ranges::stable_sort(decays, {}, [](const Decay& decay) { return decay.settings.size(); });
    return decays;
}

/// Returns the decays with this gamma that explain the growth of pair 0, whose zeta is gamma / (1 +
/// gamma).
std::vector<Decay> decays_of(const Growth& growth, const SimpleNumber& gamma, std::int64_t rows) {
    std::vector<Decay> found;
    if (growth.per_position.value == 0 || !(gamma.value > 0)) return found;
    const double log_zeta = std::log(gamma.value / (1 + gamma.value));
    const auto [low, high] = evidence::bounds_of(growth.per_position);
    if (low <= 0 && high >= 0) return found;
    const double a = std::fabs(log_zeta / low), b = std::fabs(log_zeta / high);
    for (const SimpleNumber& scale_base :
         evidence::numbers_within({std::min(a, b), std::max(a, b)}, 2)) {
        for (const SimpleNumber& centre : centres_of(growth.centre(), rows)) {
            found.push_back(decay_of(gamma, scale_base, centre, growth.per_position.value > 0));
        }
    }
    return found;
}

/// Returns the gammas for which log zeta of pair 0, divided by log zeta of the pair at `share`,
/// equals first / other.
std::vector<SimpleNumber> gammas_of(const Measured& first, const Measured& other, double share) {
    const double shown = first.value / other.value;
    const double relative =
        std::fabs(first.error / first.value) + std::fabs(other.error / other.value);
    const evidence::Bounds quotient{shown * (1 - relative), shown * (1 + relative)};
    if (!(quotient.low > 1)) return {};
    const auto quotient_at = [&](double gamma) {
        return std::log(gamma / (1 + gamma)) / std::log((share + gamma) / (1 + gamma));
    };
    // The quotient falls with gamma.
    const auto gamma_at = [&](double value) {
        double low = 1e-6, high = 1e6;
        for (int step = 0; step < 100; ++step) {
            const double middle = std::sqrt(low * high);
            (quotient_at(middle) > value ? low : high) = middle;
        }
        return low;
    };
    const evidence::Bounds gamma{gamma_at(quotient.high), gamma_at(quotient.low)};
    if (gamma.contains(0.4)) return {{"0.4", 0.4, 0}};
    return evidence::numbers_within(gamma, 2);
}

/// Returns log(value / wave); none if the wave is small or the signs differ.
std::optional<Measured> log_scale(const Measured& value, double wave) {
    if (!(std::fabs(wave) > 0.3) || !(value.value / wave > 0)) return std::nullopt;
    // In float32 code, angles have errors, and the product is rounded.
    const double relative = 4 * value.error / std::fabs(value.value) + 0x1p-53;
    return Measured{std::log(value.value / wave), relative};
}

/// A column with the share of its pair, and its wave without the scale.
struct Column {
    std::int64_t index;
    double share;  ///< pair / number of pairs
    double (*wave)(double);
};

/// Returns the growth of the fastest pair; none if its logarithms are not on a line.
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

/// Returns the usual decays that agree with the values of the column.
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

/// Returns the values of gamma to try: 0.4, and for cosines the values that row 0 shows, which
/// holds the scales at position 0, or for sines usual values.
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
    const Measured other = cell(array, 0, columns.cosines[middle]);
    const auto a = log_scale(first, 1), b = log_scale(other, 1);
    if (!a || !b || std::fabs(b->value) <= b->error) return gammas;
    const double share = static_cast<double>(middle) / static_cast<double>(columns.pairs());
    for (const SimpleNumber& gamma : gammas_of(*a, *b, share)) {
        if (gamma.value != 0.4) gammas.push_back(gamma);
    }
    return gammas;
}

/// Returns the decays that the fastest pair allows: usual decays, or else fitted ones.
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
            proposal.settings.insert(proposal.settings.end(), columns.settings.begin(),
                                     columns.settings.end());
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

}  // namespace pegen::recognition
