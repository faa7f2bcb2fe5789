#include "encodings/bias/fire_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "core/to_size.h"
#include "torch/fill.h"

namespace pegen::encodings {

using evidence::Measured;

double FireNetwork::at(double x, std::int64_t head) const {
    double sum = b2[to_size(head)];
    for (std::int64_t j = 0; j < width; ++j) {
        const double inner = w1[to_size(j)] * x + b1[to_size(j)];
        sum += w2[to_size(head * width + j)] * std::max(inner, 0.0);
    }
    return sum;
}

FireNetwork fire_network(std::int64_t seed, std::int64_t width, std::int64_t heads) {
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
    FireNetwork network{.width = width, .w1 = {}, .b1 = {}, .w2 = {}, .b2 = {}};
    network.w1 = drawn(width, 1);
    network.b1 = drawn(width, 1);
    network.w2 = drawn(heads * width, bound);
    network.b2 = drawn(heads, bound);
    return network;
}

std::optional<Measured> input_for(const FireNetwork& network, const std::vector<double>& biases,
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

}  // namespace pegen::encodings
