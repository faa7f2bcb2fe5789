#include "encodings/rotary/xpos_recognition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include "core/number.h"
#include "core/to_size.h"
#include "encodings/rotary/frequency_fit.h"
#include "encodings/rotary/turning_table.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;
using evidence::SimpleNumber;

/// How the logarithm of a pair's scale depends on the position.
struct Growth {
    Measured at_zero;
    Measured per_position;

    /// Returns the position of scale 1.
    Measured centre() const {
        const double centre = -at_zero.value / per_position.value;
        const double relative = std::fabs(per_position.error / per_position.value);
        return {centre,
                at_zero.error / std::fabs(per_position.value) + 2 * std::fabs(centre) * relative};
    }
};

/// A logarithm of the scale at a position.
struct Point {
    double position;
    Measured logarithm;
};

/// Returns the line through the points; none if they are not on one.
std::optional<Growth> growth_of(const std::vector<Point>& points) {
    if (points.size() < 4) return std::nullopt;
    double weights = 0, mean = 0, mean_log = 0;
    const auto weight = [](const Point& p) {
        return 1 / (p.logarithm.error * p.logarithm.error + 1e-32);
    };
    for (const Point& p : points) {
        weights += weight(p);
        mean += weight(p) * p.position;
        mean_log += weight(p) * p.logarithm.value;
    }
    mean /= weights;
    mean_log /= weights;
    double squares = 0, products = 0;
    for (const Point& p : points) {
        squares += weight(p) * (p.position - mean) * (p.position - mean);
        products += weight(p) * (p.position - mean) * (p.logarithm.value - mean_log);
    }
    if (!(squares > 0)) return std::nullopt;
    const double slope = products / squares;
    const double slope_error = 4 / std::sqrt(squares) + 1e-15 * std::fabs(slope);
    for (const Point& p : points) {
        const double there = mean_log + slope * (p.position - mean);
        if (!(std::fabs(there - p.logarithm.value) <= 2 * p.logarithm.error + 1e-14)) {
            return std::nullopt;
        }
    }
    const double error = 4 / std::sqrt(weights) + slope_error * mean;
    return Growth{{mean_log - slope * mean, error}, {slope, slope_error}};
}

/// Returns the logarithm of value / wave, where the wave is not small.
std::optional<Measured> log_scale(const Measured& value, double wave) {
    if (!(std::fabs(wave) > 0.3) || !(value.value / wave > 0)) return std::nullopt;
    // Float32 code has angles that are off, and a product that rounds.
    const double relative = 4 * value.error / std::fabs(value.value) + 0x1p-53;
    return Measured{std::log(value.value / wave), relative};
}

/// Returns the growth of the fastest pair, whose frequency is 1, of a table of this function.
std::optional<Growth> fastest_growth(const Sample& array, std::int64_t column,
                                     double (*wave)(double)) {
    std::vector<Point> points;
    for (const std::int64_t row : some_rows(array)) {
        const auto position = static_cast<double>(row);
        const double there = wave(position);
        const Measured value = cell(array, row, column);
        if (std::fabs(there) > 0.3 && !(value.value / there > 0)) return std::nullopt;
        if (std::optional<Measured> logarithm = log_scale(value, there)) {
            logarithm->error += 0x1p-22 * position;
            points.push_back({position, *logarithm});
        }
    }
    return growth_of(points);
}

/// The parameters of the scale.
struct Decay {
    double gamma;
    double scale_base;
    double centre;
    bool is_of_keys;
    std::vector<evidence::Setting> settings;

    double log_zeta(double share) const { return std::log((share + gamma) / (1 + gamma)); }
    double log_scale(double position, double share) const {
        const double exponent = (position - centre) / scale_base;
        return (is_of_keys ? -exponent : exponent) * log_zeta(share);
    }
};

/// Returns the ways to name this centre of `rows` positions.
std::vector<SimpleNumber> centres_of(const Measured& centre, std::int64_t rows) {
    std::vector<SimpleNumber> found;
    const Bounds bounds = bounds_of(centre);
    const auto below = static_cast<double>(rows / 2), above = static_cast<double>((rows + 1) / 2);
    const std::array named{SimpleNumber{"floor", below, 0}, SimpleNumber{"ceil", above, 2}};
    std::ranges::copy_if(named, std::back_inserter(found),
                         [&](const SimpleNumber& number) { return bounds.contains(number.value); });
    if (!found.empty()) return found;
    return numbers_within(bounds, 1);
}

/// Returns the decays of this growth of pair 0, whose zeta is gamma / (1 + gamma).
std::vector<Decay> decays_of(const Growth& growth, const SimpleNumber& gamma, std::int64_t rows,
                             bool is_of_scale) {
    std::vector<Decay> found;
    if (growth.per_position.value == 0 || !(gamma.value > 0)) return found;
    const double log_zeta = std::log(gamma.value / (1 + gamma.value));
    const auto [low, high] = bounds_of(growth.per_position);
    if (low <= 0 && high >= 0) return found;
    const double a = std::fabs(log_zeta / low), b = std::fabs(log_zeta / high);
    for (const SimpleNumber& scale_base : numbers_within({std::min(a, b), std::max(a, b)}, 2)) {
        for (const SimpleNumber& centre : centres_of(growth.centre(), rows)) {
            Decay decay{
                gamma.value, scale_base.value, centre.value, growth.per_position.value > 0, {}};
            // Of the scale alone there is no table for keys.
            if (is_of_scale && decay.is_of_keys) continue;
            if (gamma.value != 0.4) decay.settings.push_back({"gamma", gamma.text});
            if (scale_base.value != 512) decay.settings.push_back({"scale-base", scale_base.text});
            if (centre.text != "floor") decay.settings.push_back({"centre", centre.text});
            found.push_back(decay);
        }
    }
    return found;
}

/// Returns the gammas with which the logarithms of zeta of pair 0 and of a pair at `share` have
/// this quotient.
std::vector<SimpleNumber> gammas_of(const Bounds& quotient, double share) {
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
    const Bounds gamma{gamma_at(quotient.high), gamma_at(quotient.low)};
    if (gamma.contains(0.4)) return {{"0.4", 0.4, 0}};
    return numbers_within(gamma, 2);
}

Bounds quotient_of(const Measured& a, const Measured& b) {
    const double value = a.value / b.value;
    const double relative = std::fabs(a.error / a.value) + std::fabs(b.error / b.value);
    return {value * (1 - relative), value * (1 + relative)};
}

void add_scale(std::vector<Proposal>& proposals, const Sample& array) {
    const std::int64_t pairs = array.extents[1], middle = pairs / 2;
    if (pairs < 2 || array.leading < 4) return;
    const auto growth_in = [&](std::int64_t column) -> std::optional<Growth> {
        std::vector<Point> points;
        for (const std::int64_t row : some_rows(array)) {
            const Measured value = cell(array, row, column);
            if (!(value.value > 0) || !std::isfinite(value.value)) return std::nullopt;
            points.push_back({static_cast<double>(row), *log_scale(value, 1)});
        }
        return growth_of(points);
    };
    const auto first = growth_in(0), other = growth_in(middle);
    if (!first || !other || other->per_position.value == 0) return;
    const double share = static_cast<double>(middle) / static_cast<double>(pairs);
    const Bounds quotient = quotient_of(first->per_position, other->per_position);
    if (!(quotient.low > 1)) return;
    for (const SimpleNumber& gamma : gammas_of(quotient, share)) {
        for (const Decay& decay : decays_of(*first, gamma, array.extents[0], true)) {
            Proposal proposal{.table = "scale", .settings = decay.settings};
            proposal.settings.push_back({"len", std::to_string(array.extents[0])});
            proposal.settings.push_back({"d", std::to_string(2 * pairs)});
            // Powers in float32 are off by some units of their logarithm.
            proposal.angle = [](std::int64_t, std::int64_t) { return 1.0; };
            proposals.push_back(proposal);
        }
    }
}

/// Returns the array without its scale.
Sample without(const Decay& decay, const Sample& array, const RotaryColumns& columns) {
    Sample waves = array;
    // The division may leave values whose units are smaller than their errors.
    waves.noise += evidence::unit_of(1, array.precision);
    const std::int64_t width = row_size(array);
    for (std::size_t i = 0; i < waves.values.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        const auto pair = static_cast<double>(columns.pair_of_column[to_size(at % width)]);
        const double share = pair / static_cast<double>(columns.pairs());
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
    if (!a || !b || std::fabs(b->value) <= b->error || a->value / b->value <= 1) return gammas;
    const double share = static_cast<double>(middle) / static_cast<double>(columns.pairs());
    for (const SimpleNumber& gamma : gammas_of(quotient_of(*a, *b), share)) {
        if (gamma.value != 0.4) gammas.push_back(gamma);
    }
    return gammas;
}

void add_waves(std::vector<Proposal>& proposals, const Sample& array,
               const RotaryColumns& columns) {
    const bool is_of_cosines = columns.table == "cos";
    const std::int64_t fastest = (is_of_cosines ? columns.cosines : columns.sines).front();
    const auto growth = fastest_growth(array, fastest,
                                       is_of_cosines ? static_cast<double (*)(double)>(std::cos)
                                                     : static_cast<double (*)(double)>(std::sin));
    if (!growth) return;
    for (const SimpleNumber& gamma : gammas_in(array, columns)) {
        for (const Decay& decay : decays_of(*growth, gamma, array.extents[0], false)) {
            const Sample waves = without(decay, array, columns);
            for (const double drift : {float32_arithmetic.drift, exact_arithmetic.drift}) {
                const TurningTable table(waves, columns, {1, 0}, {drift, 3});
                const auto frequencies = frequencies_at(table, 0, 1, {0, 1 + 1e-6});
                if (!frequencies) continue;
                const Bounds bases = base_bounds(*frequencies, frequencies->size());
                for (const SimpleNumber& base : bases_within(bases, 2)) {
                    Proposal proposal{.settings = decay.settings};
                    proposal.table = is_of_cosines ? (decay.is_of_keys ? "cos-k" : "cos-q")
                                                   : (decay.is_of_keys ? "sin-k" : "sin-q");
                    const auto add = [&](std::string_view name, std::string value) {
                        proposal.settings.push_back({name, std::move(value)});
                    };
                    add("len", std::to_string(array.extents[0]));
                    add("d", std::to_string(2 * columns.pairs()));
                    if (base.value != 10000) add("base", base.text);
                    proposal.settings.insert(proposal.settings.end(), columns.settings.begin(),
                                             columns.settings.end());
                    proposal.angle = [frequencies = *frequencies, pairs = columns.pair_of_column](
                                         std::int64_t row, std::int64_t column) {
                        const std::int64_t pair = pairs[to_size(column)];
                        return static_cast<double>(row) * frequencies[to_size(pair)].value + 1;
                    };
                    proposals.push_back(proposal);
                }
            }
        }
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
