#include "encodings/bias/sandwich_recognition.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "core/to_size.h"
#include "encodings/parameters/attention_settings.h"
#include "encodings/parameters/channel_parameters.h"
#include "evidence/simple_number.h"

namespace pegen::encodings {
namespace {

using evidence::Proposal;
using evidence::Sample;

/// Returns the mean of the cosines of a distance of 1. It rises with the base.
double mean_cosine(double log_base, std::int64_t d) {
    double sum = 0;
    for (std::int64_t m = 0; m < d / 2; ++m) {
        sum += std::cos(std::exp(-log_base * 2 * static_cast<double>(m) / static_cast<double>(d)));
    }
    return sum * 2 / static_cast<double>(d);
}

double log_base_of(double cosine, std::int64_t d) {
    double low = -20, high = 60;
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        (mean_cosine(middle, d) < cosine ? low : high) = middle;
    }
    return low;
}

/// Returns the numbers that the base may be.
std::vector<evidence::SimpleNumber> bases(const Sample& sample, double at_0, double at_1,
                                          std::int64_t d) {
    const double cosine = at_1 / at_0;
    const double error = 4 * sample.error_of(at_0) / at_0 + 0x1p-21;
    const double base = std::exp(log_base_of(cosine, d));
    const double most = std::exp(log_base_of(cosine + error, d));
    return evidence::simple_numbers({base, most - base}, 4);
}

/// Returns --d, if the values of distance 0 are those of such numbers of heads and channels.
std::optional<std::int64_t> channels_of(const evidence::Lines& lines) {
    const double at_0 = lines.at(0, 0);
    const double d = 16 * at_0 / static_cast<double>(lines.extents.heads);
    const auto nearest = static_cast<std::int64_t>(std::rint(std::clamp(d, 0.0, 1e9)));
    if (nearest < 2 || nearest % 2 != 0 || nearest > most_channels) return {};
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

std::vector<Proposal> recognize_sandwich(const Sample& sample) {
    std::vector<Proposal> proposals;
    double largest = 0;
    for (const double value : sample.values) {
        if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
    }
    // Code in float32 adds up cosines in another order for each pair.
    const double tolerance = 2 * sample.error_of(largest) + 0x1p-20 * largest;
    for (const evidence::AttentionExtents& extents : attention_extents(sample)) {
        if (extents.keys < 3) continue;
        const std::optional<evidence::Lines> lines = lines_of(sample, extents, tolerance);
        if (!lines || !is_symmetric(*lines, tolerance)) continue;
        const std::optional<std::int64_t> d = channels_of(*lines);
        if (!d) continue;
        for (const auto& base : bases(sample, lines->at(0, 0), lines->at(0, -1), *d)) {
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

}  // namespace pegen::encodings
