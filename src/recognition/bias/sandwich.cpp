#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/parameters/attention_settings.h"

namespace pegen::recognition {
namespace {

/// Returns the mean of the d / 2 cosines at a distance.
double mean_cosine(double log_base, std::int64_t d, std::int64_t distance) {
    double sum = 0;
    for (std::int64_t m = 0; m < d / 2; ++m) {
        const double exponent = -2 * static_cast<double>(m) / static_cast<double>(d);
        sum += std::cos(static_cast<double>(distance) * std::exp(log_base * exponent));
    }
    return sum * 2 / static_cast<double>(d);
}

/// The values of head 0 at distances 1, 2, ..., divided by its value at distance 0.
struct Shares {
    std::vector<double> values;
    double error;
    std::int64_t d;

    /// Returns value i minus the value that this base would give.
    double miss(double log_base, std::size_t i) const {
        return values[i] - mean_cosine(log_base, d, static_cast<std::int64_t>(i) + 1);
    }
    bool are_of(double log_base) const {
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::fabs(miss(log_base, i)) > error) return false;
        }
        return true;
    }
};

/// Returns the logarithm of the base that explains the value at distance 1, which rises with the
/// base.
double first_log_base(const Shares& shares) {
    double low = -20, high = 60;
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        (shares.miss(middle, 0) > 0 ? low : high) = middle;
    }
    return low;
}

/// Returns the base that explains all values best, by least squares.
Measured base_of(const Shares& shares) {
    double log_base = first_log_base(shares), error = 0;
    for (int step = 0; step < 4; ++step) {
        constexpr double little = 1e-4;
        double ss = 0, sr = 0;
        for (std::size_t i = 0; i < shares.values.size(); ++i) {
            const double miss = shares.miss(log_base, i);
            const double slope = (miss - shares.miss(log_base + little, i)) / little;
            ss += slope * slope;
            sr += slope * miss;
        }
        log_base += std::clamp(sr / ss, -1.0, 1.0);
        error = 2 * shares.error / std::sqrt(ss);
    }
    const double base = std::exp(log_base);
    return {base, base * std::expm1(std::min(error, 1.0))};
}

/// Returns the numbers that the base may be.
std::vector<SimpleNumber> bases(const evidence::Lines& lines, std::int64_t d, double tolerance) {
    // With two channels, the only cosine does not depend on the base.
    if (d == 2) return {{.text = "10000", .value = 10000, .bits = 0}};
    constexpr std::int64_t farthest = 64;
    const double at_0 = lines.at(0, 0);
    Shares shares{.values = {}, .error = 2 * tolerance / at_0, .d = d};
    for (std::int64_t distance = 1; distance < std::min(lines.extents.keys, farthest); ++distance) {
        shares.values.push_back(lines.at(0, -distance) / at_0);
    }
    constexpr std::size_t many = 16, few = 4;
    std::vector<SimpleNumber> numbers = evidence::simple_numbers(base_of(shares), many);
    std::erase_if(numbers, [&](const SimpleNumber& number) {
        return !(number.value > 0) || !shares.are_of(std::log(number.value));
    });
    if (numbers.size() > few) numbers.resize(few);
    return numbers;
}

/// Returns --d, found from the values of distance 0; none if they agree with no number of channels.
std::optional<std::int64_t> channels_of(const evidence::Lines& lines) {
    const double at_0 = lines.at(0, 0);
    const double d = 16 * at_0 / static_cast<double>(lines.extents.heads);
    const auto nearest = static_cast<std::int64_t>(std::rint(std::clamp(d, 0.0, 1e9)));
    constexpr std::int64_t most = 1 << 16;  // each takes its time, and no head is so wide
    if (nearest < 2 || nearest % 2 != 0 || nearest > most) return {};
    if (std::fabs(d - static_cast<double>(nearest)) > 0.01 * d) return {};
    for (std::int64_t head = 1; head < lines.extents.heads; ++head) {
        const double there = lines.at(head, 0) * static_cast<double>(head + 1);
        if (std::fabs(there - at_0) > 0.01 * at_0) return {};
    }
    return nearest;
}

bool is_symmetric(const evidence::Lines& lines, double tolerance) {
    if (lines.is_causal) return true;
    for (std::int64_t distance = 1; distance < lines.extents.queries; ++distance) {
        if (std::fabs(lines.at(0, distance) - lines.at(0, -distance)) > tolerance) return false;
    }
    return true;
}

}  // namespace

/// Returns the proposals for an array, with d and base found from the values of one head.
std::vector<Proposal> recognize_sandwich(const Sample& sample) {
    std::vector<Proposal> proposals;
    const double largest = evidence::largest_magnitude(sample.values);
    // Float32 code may add up the cosines of each pair in another order.
    const double tolerance = 2 * sample.error_of(largest) + 0x1p-20 * largest;
    for (const evidence::AttentionExtents& extents : attention_extents(sample)) {
        if (extents.keys < 3) continue;
        const std::optional<evidence::Lines> lines = lines_of(sample, extents, tolerance);
        if (!lines || !is_symmetric(*lines, tolerance)) continue;
        const std::optional<std::int64_t> d = channels_of(*lines);
        if (!d) continue;
        for (const auto& base : bases(*lines, *d, tolerance)) {
            Proposal proposal{.settings = bias_settings(extents)};
            if (*d != 128) proposal.settings.push_back({"d", std::to_string(*d)});
            if (base.value != 10000) proposal.settings.push_back({"base", base.text});
            if (lines->is_causal) proposal.settings.push_back({"mask", "causal"});
            proposal.angle = [extents](std::int64_t row, std::int64_t column) {
                const std::int64_t pair = extents.heads == 1 ? row * extents.keys + column : column;
                const std::int64_t distance =
                    extents.distance(pair / extents.keys % extents.queries, pair % extents.keys);
                return static_cast<double>(std::abs(distance));
            };
            proposals.push_back(std::move(proposal));
        }
    }
    return proposals;
}

}  // namespace pegen::recognition
