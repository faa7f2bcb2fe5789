#include "encodings/points/frequency_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/error.h"
#include "core/number.h"
#include "core/to_size.h"

namespace pegen::encodings {
namespace {

using numerics::Real;

/// Returns how far the window is open for frequency k: 0 to 1.
double share_of(double window, std::size_t k) {
    return std::clamp(window - static_cast<double>(k), 0.0, 1.0);
}

Real window_weight(double window, std::size_t k) {
    const double share = share_of(window, k);
    if (share == 0 || share == 1) return share;
    // 1 - cos(x) would lose the bits of a small share.
    const Real root = sin(numerics::pi() * share / 2);
    return root * root;
}

/// Returns a weight that is less than 1, and near enough.
double below_one(double weight) { return std::min(weight, 1 - 0x1p-53); }

/// Returns the weights in doubles: 1 only where the window is open.
std::vector<double> near_windows(double window, std::int64_t count) {
    std::vector<double> weights;
    for (std::size_t k = 0; k < to_size(count); ++k) {
        const double weight = nearest_double(window_weight(window, k));
        weights.push_back(share_of(window, k) == 1 ? 1 : below_one(weight));
    }
    return weights;
}

}  // namespace

FrequencyWeights frequency_weights_of(const Parameters& p, const PointsFile* points) {
    FrequencyWeights weights;
    if (p.has("window")) weights.window = p.real("window");
    if (!p.has("variances")) return weights;
    if (!points) {
        throw UsageError(
            fmt::format("--variances {}: needs --points of the same shape", p.word("variances")));
    }
    weights.variances = open_points(p.word("variances"));
    const Shape &own = weights.variances->table.shape, &shape = points->table.shape;
    if (own != shape) {
        throw FormatError(p.word("variances"), fmt::format("shape {}: must be that of --points, {}",
                                                           to_string(own), to_string(shape)));
    }
    return weights;
}

std::vector<std::vector<double>> read_variances(const FrequencyWeights& weights) {
    if (!weights.variances) return {};
    std::vector<std::vector<double>> axes = read_points(*weights.variances);
    for (const std::vector<double>& axis : axes) {
        for (const double variance : axis) {
            if (variance >= 0) continue;
            throw FormatError(weights.variances->path,
                              fmt::format("{}: a variance must be at least 0", shortest(variance)));
        }
    }
    return axes;
}

numerics::WaveWeights wave_weights(const FrequencyWeights& weights,
                                   const numerics::Frequencies& frequencies,
                                   std::vector<double> variances) {
    const auto windows = weights.window ? near_windows(*weights.window, frequencies.size())
                                        : std::vector<double>(to_size(frequencies.size()), 1);
    std::vector<double> halved_squares;
    for (const Real& frequency : frequencies.reals()) {
        halved_squares.push_back(nearest_double(frequency * frequency / 2));
    }
    const auto shared = std::make_shared<const std::vector<double>>(std::move(variances));
    return {.exact =
                [=, window = weights.window](std::int64_t row, std::size_t k) {
                    const Real weight = window ? window_weight(*window, k) : Real(1);
                    if (shared->empty()) return weight;
                    const Real& frequency = frequencies.reals()[k];
                    const Real exponent = frequency * frequency * (*shared)[to_size(row)] / 2;
                    return weight * exp(-exponent);
                },
            .near =
                [=](std::int64_t row, std::span<double> near) {
                    std::ranges::copy(windows, near.begin());
                    const double variance = shared->empty() ? 0 : (*shared)[to_size(row)];
                    if (variance == 0) return;
                    // Weights beyond are below 2^-1076.
                    constexpr double most = 746;
                    for (std::size_t k = 0; k < near.size(); ++k) {
                        const double exponent = halved_squares[k] * variance;
                        near[k] *= exponent > most ? 0 : below_one(std::exp(-exponent));
                    }
                }};
}

}  // namespace pegen::encodings
