#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/number.h"
#include "core/tensor_fill.h"
#include "draws/torch/fill.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/seed_search.h"
#include "recognition/parameters/attention_settings.h"

namespace pegen::recognition {
namespace {

using evidence::AttentionExtents;

// The network by which FIRE makes a bias from a normalized distance.

/// A network of two layers, 1 -> width -> heads, initialized like torch.nn.Linear.
struct FireNetwork {
    std::int64_t width;
    std::vector<double> w1, b1;
    std::vector<double> w2;  ///< (heads, width)
    std::vector<double> b2;

    double at(double x, std::int64_t head) const;
};

double FireNetwork::at(double x, std::int64_t head) const {
    double sum = b2[head];
    for (std::int64_t j = 0; j < width; ++j) {
        const double inner = w1[j] * x + b1[j];
        sum += w2[head * width + j] * std::max(inner, 0.0);
    }
    return sum;
}

/// Returns the network with the weights drawn from a seed.
FireNetwork fire_network(std::int64_t seed, std::int64_t width, std::int64_t heads) {
    const auto draws = std::make_shared<torch::Draws>(seed);
    std::int64_t first = 0;
    const auto drawn = [&](std::int64_t count, double bound) {
        first += count;
        return elements_of(
            torch::uniform_fill(draws, first - count, -bound, bound, torch::CodePath::vectors), 0,
            count);
    };
    const double bound = 1 / std::sqrt(static_cast<double>(width));
    FireNetwork network{.width = width, .w1 = {}, .b1 = {}, .w2 = {}, .b2 = {}};
    network.w1 = drawn(width, 1);
    network.b1 = drawn(width, 1);
    network.w2 = drawn(heads * width, bound);
    network.b2 = drawn(heads, bound);
    return network;
}

/// A value of an array: the bias of a distance for a query at a position.
struct Probe {
    std::int64_t head;
    std::int64_t position;
    std::int64_t distance;
    double value;
    double error;
};

/// Observations of a bias: the values of all heads for some pairs of query and key.
struct Observed {
    AttentionExtents extents;
    bool is_masked = false;
    bool is_symmetric = false;
    double error = 0;             ///< largest error of the values
    std::vector<double> at_0{};   ///< bias of distance 0, by head
    std::vector<Probe> probes{};  ///< of the last query, and of the first whose position is not 0
};

std::optional<Observed> observed(const Sample& sample, const AttentionExtents& extents) {
    constexpr std::int64_t fewest_keys = 4, most_heads = 1 << 10;
    if (extents.keys < fewest_keys || extents.queries < 2 || extents.heads > most_heads) return {};
    Observed found{.extents = extents};
    const std::int64_t last = extents.keys - 1;
    const std::int64_t before = extents.keys - extents.queries;
    const std::int64_t first_position = std::max<std::int64_t>(before, 1);
    const auto probe = [&](std::int64_t head, std::int64_t position, std::int64_t distance,
                           double value) {
        // Sums in float32 have larger errors than the rounding of the result.
        const double error = sample.error_of(value) + 0x1p-20;
        found.probes.push_back({head, position, distance, value, error});
        found.error = std::max(found.error, error);
    };
    for (std::int64_t head = 0; head < extents.heads; ++head) {
        const auto end = read_query(sample, extents, head, extents.queries - 1);
        if (!std::ranges::all_of(end, [](double x) { return std::isfinite(x); })) return {};
        // Keys after a query have the bias of distance 0, unless the bias is symmetric.
        const auto start = read_query(sample, extents, head, 0);
        const double at_0 = start[before];
        found.is_masked = std::isinf(start.back());
        if (!found.is_masked && start.back() != at_0) found.is_symmetric = true;
        if (at_0 != end.back() || at_0 == 0) return {};
        found.at_0.push_back(at_0);
        constexpr std::int64_t some = 24;
        std::int64_t distance = 1;
        for (std::int64_t k = 1; k <= some && distance < last; ++k) {
            probe(head, last, distance, end[last - distance]);
            distance = std::max(distance + 1, last * k / some);
        }
        probe(head, last, last, end.front());
        const auto first = read_query(sample, extents, head, first_position - before);
        probe(head, first_position, first_position, first.front());
    }
    return found;
}

constexpr std::int64_t usual_width = 32;
constexpr std::array<std::int64_t, 12> widths{usual_width, 4,  6,  8,  12,  16,
                                              24,          48, 64, 96, 128, 256};

// Numbers that code has for --c and --threshold, the defaults first.
constexpr std::array cs{0.1, 1.0, 0.5, 0.25, 0.01};
constexpr std::array thresholds{512.0, 1024.0, 256.0, 128.0, 2048.0, 100.0,
                                64.0,  50.0,   32.0,  20.0,  16.0,   10.0};

/// Returns the seeds whose networks have the array's biases of distance 0.
std::vector<std::int64_t> seeds_for(const Observed& array, std::int64_t width) {
    const auto seeds = width == usual_width ? evidence::usual_seeds() : evidence::popular_seeds();
    return evidence::passing(seeds, [&](std::int64_t seed) {
        const FireNetwork network = fire_network(seed, width, array.extents.heads);
        for (std::int64_t head = 0; head < array.extents.heads; ++head) {
            if (std::fabs(network.at(0, head) - array.at_0[head]) > array.error) return false;
        }
        return true;
    });
}

/// The parameters --c and --threshold.
struct Scale {
    double c;
    double threshold;

    double input(std::int64_t position, std::int64_t distance) const {
        const double end = std::max(static_cast<double>(position), threshold);
        return std::log1p(c * static_cast<double>(distance)) / (std::log1p(c * end) + 1e-6);
    }
};

bool explains(const Scale& scale, const FireNetwork& network, const std::vector<Probe>& probes) {
    return std::ranges::all_of(probes, [&](const Probe& probe) {
        const double there = network.at(scale.input(probe.position, probe.distance), probe.head);
        return std::fabs(there - probe.value) <= probe.error;
    });
}

Proposal proposal_of(const Observed& array, const Scale& scale, std::int64_t seed,
                     std::int64_t width) {
    Proposal proposal{.settings = bias_settings(array.extents)};
    const auto add = [&](std::string_view name, std::string value) {
        proposal.settings.push_back({name, std::move(value)});
    };
    if (scale.c != cs.front()) add("c", shortest(scale.c));
    if (scale.threshold != thresholds.front()) add("threshold", shortest(scale.threshold));
    if (array.is_symmetric) add("form", "symmetric");
    if (width != usual_width) add("width", std::to_string(width));
    if (seed != 0) add("seed", std::to_string(seed));
    if (array.is_masked) add("mask", "causal");
    return proposal;
}

void propose(std::vector<Proposal>& proposals, const Observed& array, std::int64_t seed,
             std::int64_t width) {
    const FireNetwork network = fire_network(seed, width, array.extents.heads);
    constexpr std::ptrdiff_t most_scales = 4;
    std::ptrdiff_t found = 0;
    for (const double c : cs) {
        for (const double threshold : thresholds) {
            if (found == most_scales) return;
            if (!explains({c, threshold}, network, array.probes)) continue;
            proposals.push_back(proposal_of(array, {c, threshold}, seed, width));
            ++found;
        }
    }
}

}  // namespace

/// Returns the proposals for an array: the seed of the network is found from the bias of distance
/// 0, then usual numbers for c and the threshold from the biases of other distances.
std::vector<Proposal> recognize_fire(const Sample& sample) {
    // Thousands of networks are tried, so arrays with noise are not tried again.
    if (sample.values.empty() || sample.noise > 0) return {};
    std::vector<Proposal> proposals;
    for (const AttentionExtents& extents : attention_extents(sample)) {
        const std::optional<Observed> array = observed(sample, extents);
        if (!array) continue;
        for (const std::int64_t width : widths) {
            for (const std::int64_t seed : seeds_for(*array, width)) {
                propose(proposals, *array, seed, width);
            }
            if (!proposals.empty()) return proposals;
        }
    }
    return proposals;
}

}  // namespace pegen::recognition
