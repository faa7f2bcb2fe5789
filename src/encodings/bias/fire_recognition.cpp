#include "encodings/bias/fire_recognition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "core/parallel.h"
#include "core/to_size.h"
#include "encodings/parameters/attention_settings.h"
#include "evidence/simple_number.h"
#include "torch/fill.h"
#include "torch/seed_search.h"

namespace pegen::encodings {
namespace {

using evidence::AttentionExtents;
using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;

/// Two layers, 1 -> width -> heads, as torch.nn.Linear draws them.
struct Network {
    std::int64_t width;
    std::vector<double> w1, b1;
    std::vector<double> w2;  ///< (heads, width)
    std::vector<double> b2;

    double at(double x, std::int64_t head) const {
        double sum = b2[to_size(head)];
        for (std::int64_t j = 0; j < width; ++j) {
            const double inner = w1[to_size(j)] * x + b1[to_size(j)];
            sum += w2[to_size(head * width + j)] * std::max(inner, 0.0);
        }
        return sum;
    }
};

Network network_of(std::int64_t seed, std::int64_t width, std::int64_t heads) {
    const auto draws = std::make_shared<torch::Draws>(seed);
    std::int64_t first = 0;
    const auto drawn = [&](std::int64_t count, double bound) {
        std::vector<double> values;
        torch::uniform_fill(draws, first, -bound, bound, torch::CodePath::vectors)(
            0, count, [&](std::span<const float> some) {
                values.insert(values.end(), some.begin(), some.end());
            });
        first += count;
        return values;
    };
    const double bound = 1 / std::sqrt(static_cast<double>(width));
    Network network{.width = width, .w1 = {}, .b1 = {}, .w2 = {}, .b2 = {}};
    network.w1 = drawn(width, 1);
    network.b1 = drawn(width, 1);
    network.w2 = drawn(heads * width, bound);
    network.b2 = drawn(heads, bound);
    return network;
}

/// What an array shows of a bias: the values of all heads for some pairs.
struct Observed {
    AttentionExtents extents;
    double error;  ///< of the values
    bool is_masked;
    std::vector<double> at_0;     ///< distance 0
    std::vector<double> nearest;  ///< distance 1 of the last query
    std::vector<double> farthest;
    std::vector<double> first;  ///< the farthest key of the first query that is not at position 0
    bool is_symmetric;

    std::int64_t last() const { return extents.keys - 1; }
    /// The position of the query of `first`.
    std::int64_t first_position() const {
        return std::max<std::int64_t>(extents.keys - extents.queries, 1);
    }
};

std::optional<Observed> observed(const Sample& sample, const AttentionExtents& extents) {
    constexpr std::int64_t fewest_keys = 4, most_heads = 1 << 10;
    if (extents.keys < fewest_keys || extents.queries < 2 || extents.heads > most_heads) return {};
    Observed found{extents, 0, false, {}, {}, {}, {}, false};
    const std::int64_t last = extents.keys - 1;
    const std::int64_t before = extents.keys - extents.queries;
    double largest = 0;
    for (std::int64_t head = 0; head < extents.heads; ++head) {
        const auto end = read_query(sample, extents, head, extents.queries - 1);
        const auto first = read_query(sample, extents, head, found.first_position() - before);
        found.at_0.push_back(end[to_size(last)]);
        found.nearest.push_back(end[to_size(last - 1)]);
        found.farthest.push_back(end.front());
        found.first.push_back(first.front());
        if (!std::ranges::all_of(end, [](double x) { return std::isfinite(x); })) return {};
        for (const double value : end) largest = std::max(largest, std::fabs(value));
        // Keys after a query have the bias of distance 0, unless their distance counts.
        const auto start = read_query(sample, extents, head, 0);
        const double at_0 = start[to_size(before)];
        found.is_masked = std::isinf(start.back());
        if (!found.is_masked && start.back() != at_0) found.is_symmetric = true;
        if (at_0 != end.back() || at_0 == 0) return {};
    }
    found.error = 4 * sample.error_of(largest) + 0x1p-20 * largest;
    return found;
}

constexpr std::int64_t usual_width = 32;

/// Returns the widths worth trying, the usual one first.
std::vector<std::int64_t> widths() {
    std::vector<std::int64_t> all{usual_width};
    for (std::int64_t width = 4; width <= 64; ++width) {
        if (width != usual_width) all.push_back(width);
    }
    all.insert(all.end(), {96, 128, 256});
    return all;
}

/// Returns the seeds whose networks have the bias of distance 0.
std::vector<std::int64_t> seeds_for(const Observed& array, std::int64_t width) {
    const auto seeds = width == usual_width ? torch::usual_seeds() : torch::popular_seeds();
    std::vector<char> passes(seeds.size());
    constexpr std::int64_t part = 64;
    const std::int64_t count = std::ssize(seeds);
    parallel_for((count + part - 1) / part, [&](std::int64_t item) {
        for (std::int64_t i = item * part; i < std::min(count, (item + 1) * part); ++i) {
            const Network network = network_of(seeds[to_size(i)], width, array.extents.heads);
            bool is_right = true;
            for (std::int64_t head = 0; head < array.extents.heads && is_right; ++head) {
                is_right =
                    std::fabs(network.at(0, head) - array.at_0[to_size(head)]) <= array.error;
            }
            passes[to_size(i)] = is_right ? 1 : 0;
        }
    });
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        if (passes[i]) found.push_back(seeds[i]);
    }
    return found;
}

/// Returns the input between 0 and 1 for which the network has these biases; nothing if none has.
std::optional<Measured> input_for(const Network& network, const std::vector<double>& biases,
                                  double error) {
    // Between the kinks of the network its outputs are linear in the input.
    std::vector<double> kinks{0, 1};
    for (std::int64_t j = 0; j < network.width; ++j) {
        const double kink = -network.b1[to_size(j)] / network.w1[to_size(j)];
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
            const double rest = biases[to_size(head)] - start;
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

/// Returns c from the inputs of two distances, 1 and `farthest`, of one query: their ratio is that
/// of ln(c farthest + 1) and ln(c + 1).
double scale_of(double ratio, double farthest) {
    double low = -40, high = 40;
    for (int step = 0; step < 80; ++step) {
        const double c = std::exp((low + high) / 2);
        (std::log1p(c * farthest) / std::log1p(c) > ratio ? low : high) = (low + high) / 2;
    }
    return std::exp(low);
}

/// Returns the position by which an input was normalized: ln(c distance + 1) / (ln(c position + 1)
/// + 1e-6).
double normalizing_position(double c, double distance, double input) {
    return std::expm1(std::log1p(c * distance) / input - 1e-6) / c;
}

struct Numbers {
    std::vector<evidence::SimpleNumber> c;
    std::vector<evidence::SimpleNumber> threshold;
};

std::optional<Numbers> numbers_of(const Network& network, const Observed& array) {
    const auto near = input_for(network, array.nearest, array.error);
    const auto far = input_for(network, array.farthest, array.error);
    const auto first = input_for(network, array.first, array.error);
    if (!near || !far || !first || !(near->value > near->error) || !(first->value > first->error)) {
        return {};
    }
    const auto last = static_cast<double>(array.last());
    const double c = scale_of(far->value / near->value, last);
    const double other = scale_of((far->value + far->error) / (near->value - near->error), last);
    const auto position = static_cast<double>(array.first_position());
    Numbers numbers{evidence::simple_numbers({c, 2 * std::fabs(other - c) + 1e-6 * c}, 4), {}};
    if (numbers.c.empty()) return {};
    // The threshold follows from the simplest c, more sharply than from the measured one.
    const double simple = numbers.c.front().value;
    const double threshold = normalizing_position(simple, position, first->value);
    const double more = normalizing_position(simple, position, first->value - first->error);
    if (!std::isfinite(threshold) || !std::isfinite(more)) return {};
    numbers.threshold = evidence::simple_numbers(
        {threshold, 2 * std::fabs(more - threshold) + 1e-5 * threshold}, 4);
    return numbers;
}

void propose(std::vector<Proposal>& proposals, const Observed& array, std::int64_t seed,
             std::int64_t width) {
    const auto numbers = numbers_of(network_of(seed, width, array.extents.heads), array);
    if (!numbers) return;
    for (const evidence::SimpleNumber& c : numbers->c) {
        for (const evidence::SimpleNumber& threshold : numbers->threshold) {
            Proposal proposal{.settings = bias_settings(array.extents)};
            const auto add = [&](std::string_view name, std::string value) {
                proposal.settings.push_back({name, std::move(value)});
            };
            if (c.text != "0.1") add("c", c.text);
            if (threshold.text != "512") add("threshold", threshold.text);
            if (array.is_symmetric) add("form", "symmetric");
            if (width != usual_width) add("width", std::to_string(width));
            if (seed != 0) add("seed", std::to_string(seed));
            if (array.is_masked) add("mask", "causal");
            proposals.push_back(std::move(proposal));
        }
    }
}

}  // namespace

std::vector<Proposal> recognize_fire(const Sample& sample) {
    // Thousands of networks are tried once, not again for each noise.
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

}  // namespace pegen::encodings
