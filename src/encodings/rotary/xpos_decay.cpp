#include "encodings/rotary/xpos_decay.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>

#include "core/number.h"

namespace pegen::encodings {

using evidence::Measured;
using evidence::SimpleNumber;

Measured Growth::centre() const {
    const double centre = -at_zero.value / per_position.value;
    const double relative = std::fabs(per_position.error / per_position.value);
    return {centre,
            at_zero.error / std::fabs(per_position.value) + 2 * std::fabs(centre) * relative};
}

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

namespace {

Decay decay_of(const SimpleNumber& gamma, const SimpleNumber& scale_base,
               const SimpleNumber& centre, bool is_of_keys) {
    Decay decay{gamma.value, scale_base.value, centre.value, is_of_keys, {}};
    if (gamma.value != 0.4) decay.settings.push_back({"gamma", gamma.text});
    if (scale_base.value != 512) decay.settings.push_back({"scale-base", scale_base.text});
    if (centre.text != "floor") decay.settings.push_back({"centre", centre.text});
    return decay;
}

/// Returns the centres that have names.
std::array<SimpleNumber, 2> named_centres(std::int64_t rows) {
    const auto below = static_cast<double>(rows / 2), above = static_cast<double>((rows + 1) / 2);
    return {SimpleNumber{"floor", below, 0}, SimpleNumber{"ceil", above, 2}};
}

/// Returns the ways to name this centre of `rows` positions.
std::vector<SimpleNumber> centres_of(const Measured& centre, std::int64_t rows) {
    std::vector<SimpleNumber> found;
    const Bounds bounds = bounds_of(centre);
    std::ranges::copy_if(named_centres(rows), std::back_inserter(found),
                         [&](const SimpleNumber& number) { return bounds.contains(number.value); });
    if (!found.empty()) return found;
    return numbers_within(bounds, 1);
}

SimpleNumber usual(double value) { return {shortest(value), value, 3}; }

}  // namespace

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

std::vector<Decay> decays_of(const Growth& growth, const SimpleNumber& gamma, std::int64_t rows) {
    std::vector<Decay> found;
    if (growth.per_position.value == 0 || !(gamma.value > 0)) return found;
    const double log_zeta = std::log(gamma.value / (1 + gamma.value));
    const auto [low, high] = bounds_of(growth.per_position);
    if (low <= 0 && high >= 0) return found;
    const double a = std::fabs(log_zeta / low), b = std::fabs(log_zeta / high);
    for (const SimpleNumber& scale_base : numbers_within({std::min(a, b), std::max(a, b)}, 2)) {
        for (const SimpleNumber& centre : centres_of(growth.centre(), rows)) {
            found.push_back(decay_of(gamma, scale_base, centre, growth.per_position.value > 0));
        }
    }
    return found;
}

std::vector<SimpleNumber> gammas_of(const Measured& first, const Measured& other, double share) {
    const double shown = first.value / other.value;
    const double relative =
        std::fabs(first.error / first.value) + std::fabs(other.error / other.value);
    const Bounds quotient{shown * (1 - relative), shown * (1 + relative)};
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
    const Bounds gamma{gamma_at(quotient.high), gamma_at(quotient.low)};
    if (gamma.contains(0.4)) return {{"0.4", 0.4, 0}};
    return numbers_within(gamma, 2);
}

}  // namespace pegen::encodings
