#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "recognition/identify/negative_arrays.h"

namespace pegen::trials {
namespace {

/// A function of column - row.
using OfDistance = std::function<double(std::int64_t distance)>;

void add_toeplitz(Negatives& all, const std::string& name, std::int64_t extent,
                  const OfDistance& value, DType dtype = DType::float32) {
    all.add(
        name, extent, extent, [&](auto row, auto column) { return value(column - row); }, dtype);
}

double real(std::int64_t number) { return static_cast<double>(number); }

void add_kernels(Negatives& all) {
    for (const DType dtype : {DType::float32, DType::bfloat16}) {
        const std::string_view format = info(dtype).name;
        add_toeplitz(
            all, fmt::format("a Gaussian kernel of {}", format), 32,
            [](auto d) { return std::exp(-real(d * d) / 18); }, dtype);
        add_toeplitz(
            all, fmt::format("an exponential kernel of {}", format), 48,
            [](auto d) { return std::exp(-std::fabs(real(d)) / 7); }, dtype);
        add_toeplitz(
            all, fmt::format("a decay mask of {}", format), 40,
            [](auto d) { return d > 0 ? 0 : std::pow(0.96875, real(-d)); }, dtype);
        add_toeplitz(
            all, fmt::format("reciprocals of distances of {}", format), 40,
            [](auto d) { return 1 / (1 + std::fabs(real(d))); }, dtype);
        add_toeplitz(
            all, fmt::format("causal reciprocals of distances of {}", format), 64,
            [](auto d) { return d > 0 ? 0 : 1 / (1 - real(d)); }, dtype);
        // A bias that falls slowly has runs of equal numbers in few digits.
        std::vector<double> walk{0};
        for (int i = 0; i < 128; ++i) walk.push_back(walk.back() + 0.01 * all.normal());
        add_toeplitz(
            all, fmt::format("a random walk by distance of {}", format), 64,
            [&](auto d) { return walk[d + 64]; }, dtype);
    }
    add_toeplitz(all, "logarithms of distances", 32,
                 [](auto d) { return -std::log1p(std::fabs(real(d))); });
    add_toeplitz(all, "sinc of distances", 32, [](auto d) {
        const double x = 0.3 * std::numbers::pi * real(d);
        return x == 0 ? 1 : std::sin(x) / x;
    });
    const std::vector<double> ring = all.normals(24);
    add_toeplitz(all, "a circulant matrix", 24, [&](auto d) { return ring[(d + 24) % 24]; });
    const std::vector<double> taps = all.normals(5);
    add_toeplitz(all, "a convolution as a matrix", 40,
                 [&](auto d) { return std::abs(d) > 2 ? 0 : taps[d + 2]; });
    all.add("a convolution that halves the length", 24, 48, [&](auto row, auto column) {
        const std::int64_t tap = column - 2 * row + 2;
        return tap >= 0 && tap < 5 ? taps[tap] : 0;
    });
    Array stack{{20, 20, 4}, DType::float32, {}};
    const std::vector<double> kernels = all.normals(12);
    for (std::int64_t i = 0; i < 20 * 20 * 4; ++i) {
        const std::int64_t distance = i / 4 % 20 - i / 80;
        const bool is_inside = std::abs(distance) <= 1;
        stack.values.push_back(is_inside ? kernels[(distance + 1) * 4 + i % 4] : 0);
    }
    all.add("four convolutions as matrices", stack);
}

void add_whole_numbers(Negatives& all) {
    for (const DType dtype : {DType::int64, DType::float32}) {
        const std::string_view format = info(dtype).name;
        add_toeplitz(
            all, fmt::format("1 + |i - j| of {}", format), 24,
            [](auto d) { return real(1 + std::abs(d)); }, dtype);
        add_toeplitz(
            all, fmt::format("|i - j|, at most 5, of {}", format), 24,
            [](auto d) { return real(std::min<std::int64_t>(std::abs(d), 5)); }, dtype);
        add_toeplitz(
            all, fmt::format("|i - j| by fours, of {}", format), 40,
            [](auto d) { return real(std::abs(d) / 4); }, dtype);
        add_toeplitz(
            all, fmt::format("binary digits of |i - j|, of {}", format), 64,
            [](auto d) { return std::floor(std::log2(1 + std::fabs(real(d)))); }, dtype);
        add_toeplitz(
            all, fmt::format("squares of distances of {}", format), 24,
            [](auto d) { return real(d * d); }, dtype);
        add_toeplitz(
            all, fmt::format("second differences of {}", format), 32,
            [](auto d) { return d == 0             ? 2
                                : std::abs(d) == 1 ? -1
                                                   : 0; }, dtype);
    }
}

void add_masks(Negatives& all) {
    for (const DType dtype : {DType::float32, DType::uint8}) {
        const std::string_view format = info(dtype).name;
        add_toeplitz(
            all, fmt::format("the lower triangle of {}", format), 32,
            [](auto d) { return d <= 0 ? 1 : 0; }, dtype);
        add_toeplitz(
            all, fmt::format("the upper triangle of {}", format), 32,
            [](auto d) { return d > 0 ? 1 : 0; }, dtype);
        add_toeplitz(
            all, fmt::format("a band of {}", format), 32,
            [](auto d) { return std::abs(d) <= 3 ? 1 : 0; }, dtype);
        add_toeplitz(
            all, fmt::format("a sliding window of {}", format), 48,
            [](auto d) { return d <= 0 && d > -8 ? 1 : 0; }, dtype);
        add_toeplitz(
            all, fmt::format("a dilated window of {}", format), 40,
            [](auto d) { return d <= 0 && d % 3 == 0 ? 1 : 0; }, dtype);
        add_toeplitz(
            all, fmt::format("stripes of {}", format), 24,
            [](auto d) { return real(std::abs(d) % 2); }, dtype);
        all.add(
            fmt::format("blocks on the diagonal of {}", format), 32, 32,
            [](auto row, auto column) { return row / 8 == column / 8 ? 1 : 0; }, dtype);
        all.add(
            fmt::format("padding of {}", format), 8, 40,
            [](auto row, auto column) { return column < 12 + 3 * row ? 1 : 0; }, dtype);
    }
    add_toeplitz(all, "signs of distances", 30, [](auto d) { return d > 0 ? 1 : d < 0 ? -1 : 0; });
    add_toeplitz(all, "a mask of large numbers", 32, [](auto d) { return d > 0 ? -1e9 : 0; });
    add_toeplitz(all, "a window of minus infinity", 32, [](auto d) {
        return d > 0 || d <= -8 ? -std::numeric_limits<double>::infinity() : 0;
    });
    all.add("averages of all keys before", 40, 40,
            [](auto row, auto column) { return column <= row ? 1 / real(row + 1) : 0; });
}

/// Matrices of pairs of cells of an image 6 x 6.
void add_of_cells(Negatives& all) {
    const auto add_cells = [&](const std::string& name, const Formula& value) {
        all.add(name, 36, 36, [&](auto a, auto b) { return value(b / 6 - a / 6, b % 6 - a % 6); });
    };
    add_cells("a Gaussian kernel of cells",
              [](auto y, auto x) { return std::exp(-real(y * y + x * x) / 8); });
    add_cells("a slanted Gaussian kernel of cells",
              [](auto y, auto x) { return std::exp(-real(y * y + x * x + y * x) / 8); });
    add_cells("distances of cells", [](auto y, auto x) { return std::sqrt(real(y * y + x * x)); });
    add_cells("steps from cell to cell",
              [](auto y, auto x) { return real(std::abs(y) + std::abs(x)); });
    add_cells("the Laplacian of an image", [](auto y, auto x) {
        const std::int64_t steps = std::abs(y) + std::abs(x);
        return steps == 0 ? 4 : steps == 1 ? -1 : 0;
    });
    const std::vector<double> taps = all.normals(9);
    add_cells("a convolution of an image as a matrix", [=](auto y, auto x) {
        const bool is_inside = std::abs(y) <= 1 && std::abs(x) <= 1;
        return is_inside ? taps[3 * (y + 1) + x + 1] : 0;
    });
}

}  // namespace

void add_functions_of_distance(Negatives& all) {
    add_kernels(all);
    add_whole_numbers(all);
    add_masks(all);
    add_of_cells(all);
}

}  // namespace pegen::trials
