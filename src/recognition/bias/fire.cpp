#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/tensor_fill.h"
#include "draws/torch/fill.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/seed_search.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/parameters/attention_settings.h"

namespace pegen::recognition {
namespace {

using evidence::AttentionExtents;
using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;

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

/// Returns the input in [0, 1] for which the network has these biases, one for each head, within
/// `error`; none if there is no such input.
std::optional<Measured> input_for(const FireNetwork& network, const std::vector<double>& biases,
                                  double error) {
    // Between kinks, the outputs of the network are linear in the input.
    std::vector<double> kinks{0, 1};
    for (std::int64_t j = 0; j < network.width; ++j) {
        const double kink = -network.b1[j] / network.w1[j];
        if (kink > 0 && kink < 1) kinks.push_back(kink);
    }
    std::ranges::sort(kinks);
    std::optional<Measured> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < kinks.size(); ++i) {
        const double length = kinks[i + 1] - kinks[i];
        if (length <= 0) continue;
        double ss = 0, sr = 0;
        std::vector<std::pair<double, double>> lines;
        for (std::int64_t head = 0; head < std::ssize(biases); ++head) {
            const double start = network.at(kinks[i], head);
            const double slope = (network.at(kinks[i + 1], head) - start) / length;
            const double rest = biases[head] - start;
            lines.emplace_back(slope, rest);
            ss += slope * slope;
            sr += slope * rest;
        }
        const double move = std::clamp(sr / ss, 0.0, length);
        double worst = 0;
        for (const auto& [slope, rest] : lines) {
            worst = std::max(worst, std::fabs(rest - slope * move));
        }
        if (worst < least && worst <= 2 * error) {
            least = worst;
            best = {kinks[i] + move, error / std::sqrt(ss)};
        }
    }
    return best;
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
    double error = 0;              ///< largest error of the values
    std::vector<double> at_0{};    ///< bias of distance 0, by head
    std::vector<Probe> at_last{};  ///< last query, nearest key first, head by head
    std::vector<Probe> first{};    ///< farthest key of the first query whose position is not 0

    std::int64_t last() const { return extents.keys - 1; }
    /// Returns the biases of all heads for a distance from the last query.
    std::vector<double> biases_of(std::int64_t distance) const {
        std::vector<double> biases;
        for (const Probe& probe : at_last) {
            if (probe.distance == distance) biases.push_back(probe.value);
        }
        return biases;
    }
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
        return Probe{head, position, distance, value, sample.error_of(value) + 0x1p-20};
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
            found.at_last.push_back(probe(head, last, distance, end[last - distance]));
            distance = std::max(distance + 1, last * k / some);
        }
        found.at_last.push_back(probe(head, last, last, end.front()));
        const auto first = read_query(sample, extents, head, first_position - before);
        found.first.push_back(probe(head, first_position, first_position, first.front()));
    }
    for (const Probe& one : found.at_last) found.error = std::max(found.error, one.error);
    return found;
}

constexpr std::int64_t usual_width = 32;

/// Returns the widths to try, the usual one first.
std::vector<std::int64_t> widths() {
    std::vector<std::int64_t> all{usual_width};
    for (std::int64_t width = 4; width <= 64; ++width) {
        if (width != usual_width) all.push_back(width);
    }
    all.insert(all.end(), {96, 128, 256});
    return all;
}

/// Returns the seeds whose networks have the array's biases of distance 0.
std::vector<std::int64_t> seeds_for(const Observed& array, std::int64_t width) {
    const auto seeds = width == usual_width ? evidence::usual_seeds() : evidence::popular_seeds();
    std::vector<char> passes(seeds.size());
    constexpr std::int64_t part = 64;
    const std::int64_t count = std::ssize(seeds);
    parallel_for((count + part - 1) / part, [&](std::int64_t item) {
        for (std::int64_t i = item * part; i < std::min(count, (item + 1) * part); ++i) {
            const FireNetwork network = fire_network(seeds[i], width, array.extents.heads);
            bool is_right = true;
            for (std::int64_t head = 0; head < array.extents.heads && is_right; ++head) {
                const double there = network.at(0, head);
                is_right = std::fabs(there - array.at_0[head]) <= array.error;
            }
            passes[i] = is_right ? 1 : 0;
        }
    });
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        if (passes[i]) found.push_back(seeds[i]);
    }
    return found;
}

/// Returns c, given the ratio of the inputs of the distances `farthest` and 1 for one query, which
/// is ln(c farthest + 1) / ln(c + 1).
double scale_of(double ratio, double farthest) {
    double low = -40, high = 40;
    for (int step = 0; step < 80; ++step) {
        const double c = std::exp((low + high) / 2);
        (std::log1p(c * farthest) / std::log1p(c) > ratio ? low : high) = (low + high) / 2;
    }
    return std::exp(low);
}

/// Returns the position that normalized an input, where input = ln(c distance + 1) / (ln(c position
/// + 1) + 1e-6).
double normalizing_position(double c, double distance, double input) {
    return std::expm1(std::log1p(c * distance) / input - 1e-6) / c;
}

/// The parameters --c and --threshold.
struct Scale {
    evidence::SimpleNumber c;
    evidence::SimpleNumber threshold;

    double input(std::int64_t position, std::int64_t distance) const {
        const double end = std::max(static_cast<double>(position), threshold.value);
        return std::log1p(c.value * static_cast<double>(distance)) /
               (std::log1p(c.value * end) + 1e-6);
    }
};

bool explains(const Scale& scale, const FireNetwork& network, const std::vector<Probe>& probes) {
    return std::ranges::all_of(probes, [&](const Probe& probe) {
        const double there = network.at(scale.input(probe.position, probe.distance), probe.head);
        return std::fabs(there - probe.value) <= probe.error;
    });
}

/// Returns a usual number, with the bits that simple_numbers() gives it.
evidence::SimpleNumber typed(const char* text) {
    return evidence::simple_numbers({std::stod(text), 0}, 1).front();
}

/// Returns the scales that may explain the array, most likely first: usual scales, and scales
/// measured from the inputs of three pairs of query and key.
std::vector<Scale> scales_of(const FireNetwork& network, const Observed& array) {
    const auto near = input_for(network, array.biases_of(1), array.error);
    const auto far = input_for(network, array.biases_of(array.last()), array.error);
    std::vector<double> values;
    for (const Probe& probe : array.first) values.push_back(probe.value);
    const auto first = input_for(network, values, array.error);
    if (!near || !far || !first) return {};
    std::vector<evidence::SimpleNumber> cs{typed("0.1"), typed("1"), typed("0.5")};
    const auto last = static_cast<double>(array.last());
    const double c = scale_of(far->value / near->value, last);
    const double other = scale_of((far->value + far->error) / (near->value - near->error), last);
    for (const auto& number :
         evidence::simple_numbers({c, 2 * std::fabs(other - c) + 1e-6 * c}, 4)) {
        if (number.value > 0) cs.push_back(number);
    }
    std::vector<Scale> scales;
    const auto position = static_cast<double>(array.first.front().position);
    for (const evidence::SimpleNumber& simple : cs) {
        for (const char* usual : {"512", "1024", "256", "128"}) {
            scales.push_back({simple, typed(usual)});
        }
        // A simple c determines the threshold more sharply than the measured c does.
        const double threshold = normalizing_position(simple.value, position, first->value);
        const double more =
            normalizing_position(simple.value, position, first->value - first->error);
        if (!std::isfinite(threshold) || !std::isfinite(more)) continue;
        for (const auto& number : evidence::simple_numbers(
                 {threshold, 2 * std::fabs(more - threshold) + 1e-5 * threshold}, 8)) {
            if (number.value > 0) scales.push_back({simple, number});
        }
    }
    return scales;
}

Proposal proposal_of(const Observed& array, const Scale& scale, std::int64_t seed,
                     std::int64_t width) {
    Proposal proposal{.settings = bias_settings(array.extents)};
    const auto add = [&](std::string_view name, std::string value) {
        proposal.settings.push_back({name, std::move(value)});
    };
    if (scale.c.text != "0.1") add("c", scale.c.text);
    if (scale.threshold.text != "512") add("threshold", scale.threshold.text);
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
    for (const Scale& scale : scales_of(network, array)) {
        if (found == most_scales) break;
        if (!explains(scale, network, array.at_last) || !explains(scale, network, array.first)) {
            continue;
        }
        proposals.push_back(proposal_of(array, scale, seed, width));
        ++found;
    }
}

}  // namespace

/// Returns the proposals for an array: the seed of the network is found from the bias of distance
/// 0, then c and the threshold from the inputs that explain the biases of two other distances.
std::vector<Proposal> recognize_fire(const Sample& sample) {
    // Thousands of networks are tried, so arrays with noise are not tried again.
    if (sample.values.empty() || sample.noise > 0) return {};
    std::vector<Proposal> proposals;
    for (const AttentionExtents& extents : attention_extents(sample)) {
        const std::optional<Observed> array = observed(sample, extents);
        if (!array) continue;
        for (const std::int64_t width : widths()) {
            for (const std::int64_t seed : seeds_for(*array, width)) {
                propose(proposals, *array, seed, width);
            }
            if (!proposals.empty()) return proposals;
        }
    }
    return proposals;
}

}  // namespace pegen::recognition
