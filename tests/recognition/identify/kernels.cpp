#include "recognition/identify/kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <random>

#include "core/shape.h"
#include "numerics/rounding.h"

namespace pegen::testing {
namespace {

using numerics::rounded;

struct Waves {
    std::vector<double> cos;
    std::vector<double> sin;
};

Waves waves_at(const Kernel& kernel, std::int64_t row, DType dtype) {
    const double position = kernel.positions.empty()
                                ? kernel.start + kernel.step * static_cast<double>(row)
                                : kernel.positions[row];
    Waves waves;
    for (std::int64_t m = 0; m < kernel.dim / 2; ++m) {
        double frequency = kernel.frequencies.empty()
                               ? std::pow(kernel.base, -2.0 * static_cast<double>(m) /
                                                           static_cast<double>(kernel.dim))
                               : kernel.frequencies[m];
        const bool is_exact = kernel.arithmetic == Arithmetic::exact;
        double angle = position * frequency;
        if (!is_exact) {
            angle =
                static_cast<float>(static_cast<float>(position) * static_cast<float>(frequency));
        }
        if (kernel.angle_format) angle = rounded(angle, *kernel.angle_format);
        const double cos = kernel.factor * std::cos(angle);
        const double sin = kernel.sign * kernel.factor * std::sin(angle);
        const DType format = kernel.table_format.value_or(is_exact ? DType::float64 : dtype);
        waves.cos.push_back(rounded(cos, format));
        waves.sin.push_back(rounded(sin, format));
    }
    if (kernel.exchanges) std::swap(waves.cos, waves.sin);
    return waves;
}

void turn(const Kernel& kernel, const Waves& waves, DType dtype, double* row) {
    const std::int64_t half = kernel.dim / 2;
    double* const own = row + kernel.first;
    std::vector<double> x(own, own + kernel.dim);
    if (kernel.reads_neighbours) {
        for (std::int64_t j = 0; j < kernel.dim; ++j) {
            x[j] = own[j < half ? 2 * j : 2 * (j - half) + 1];
        }
        // x is a copy, so own is still as it was.
    }
    for (std::int64_t j = 0; j < kernel.dim; ++j) {
        const bool is_halves = kernel.pairing == Pairs::halves;
        const bool is_first = is_halves ? j < half : j % 2 == 0;
        const std::int64_t apart = is_halves ? half : 1;
        const double other = x[is_first ? j + apart : j - apart];
        const std::size_t m = kernel.layout == Pairs::halves ? j % half : j / 2;
        const double sign = is_first && !kernel.lacks_minus ? -1 : 1;
        const double a = kernel.of_cos * x[j] * waves.cos[m], b = sign * other * waves.sin[m];
        own[j] =
            kernel.arithmetic == Arithmetic::exact ? a + b : rounded(a, dtype) + rounded(b, dtype);
    }
}

}  // namespace

trials::Array random_array(std::vector<std::int64_t> extents, DType dtype, std::uint64_t seed) {
    trials::Array array{std::move(extents), dtype, {}};
    std::int64_t count = 1;
    for (const std::int64_t extent : array.extents) count *= extent;
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    for (std::int64_t i = 0; i < count; ++i) array.values.push_back(normal(random));
    return rounded_to(std::move(array), dtype);
}

trials::Array applied(const Kernel& kernel, const trials::Array& x, int position_axis) {
    std::int64_t inner = 1;
    for (std::size_t axis = to_size(position_axis) + 1; axis + 1 < x.extents.size(); ++axis) {
        inner *= x.extents[axis];
    }
    trials::Array y = x;
    const std::int64_t positions = x.extents[position_axis];
    for (std::int64_t position = 0; position < positions; ++position) {
        const Waves waves = waves_at(kernel, position, x.dtype);
        for (std::int64_t row = 0; row < x.rows(); ++row) {
            if (row / inner % positions != position) continue;
            turn(kernel, waves, x.dtype, &y.values[row * x.columns()]);
        }
    }
    return rounded_to(std::move(y), x.dtype);
}

recognition::KernelIdentification asked(const trials::Array& before, const trials::Array& after) {
    return recognition::identify_kernel(
        {.before = table_of(before), .after = table_of(after), .path = "x.npy"});
}

bool says(const recognition::KernelIdentification& answer, std::string_view text) {
    return fmt::format("{}", fmt::join(answer.findings, " ")).find(text) != std::string::npos;
}

}  // namespace pegen::testing
