#include "rows/resized.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/clones.h"
#include "core/dtype.h"
#include "core/error.h"
#include "core/parallel.h"
#include "numerics/floating_point.h"
#include "numerics/rounding.h"
#include "rows/arithmetic.h"
#include "rows/kept.h"

namespace pegen::rows {

using numerics::Interpolation;
using numerics::Kernel;

Parameters parameters_of(const ResizingCodeBase& code_base) {
    Parameters p{std::span(resizing_parameters)};
    p.set_all(code_base.settings, Origin::preset);
    return p;
}

const ResizingKernel& kernel_of(const Parameters& p) {
    return *std::ranges::find(resizing_kernels, p.word("kernel"), &ResizingKernel::name);
}

Interpolation interpolation_of(const Parameters& p, std::size_t axis, std::int64_t from,
                               std::int64_t to) {
    const Kernel kernel = kernel_of(p).kernel;
    const bool is_spline = kernel == Kernel::geometric_cubic;
    const auto refuse_sizes = [&](std::string_view rule) {
        refuse("kernel", p.word("kernel"),
               fmt::format("makes {} of {} values; {}", to, from, rule));
    };
    if ((is_spline || kernel == Kernel::geometric_linear) && (from % 2 == 0 || to % 2 == 0)) {
        refuse_sizes("needs odd numbers; --window takes N for 2 N - 1");
    }
    if (is_spline && from < 4) refuse_sizes("a spline needs 4; use geometric-linear");
    if (kernel == Kernel::crop && to > from) refuse_sizes("cannot make more; use repeat");
    const bool is_antialiased = p.flag("antialias");
    Interpolation how{.kernel = kernel,
                      .from = from,
                      .to = to,
                      .cubic = is_antialiased ? -0.5 : -0.75,
                      .is_antialiased = is_antialiased,
                      .has_aligned_corners = p.flag("align-corners")};
    if (p.has("cubic")) how.cubic = p.real("cubic");
    if (p.has("scale")) {
        const std::vector<double>& scale = p.reals("scale");
        how.scale = scale[std::min(axis, scale.size() - 1)];
    } else if (p.has("offset") && p.real("offset") > 0) {
        how.scale = (static_cast<double>(to) + p.real("offset")) / static_cast<double>(from);
    }
    return how;
}

namespace {

using numerics::Weights;

/// The weights of consecutive inputs, as near as doubles in pairs can be.
struct Taps {
    std::int64_t first;
    std::vector<DoubleDouble> weights;
};

std::vector<Taps> taps_of(const Interpolation& axis) {
    std::vector<Taps> taps(axis.to);
    parallel_for(axis.to, [&](std::int64_t index) {
        const Weights exact = weights_of(axis, index);
        taps[index].first = exact.first;
        for (const numerics::Real& weight : exact.values) {
            taps[index].weights.push_back(nearest_double_double(weight));
        }
    });
    return taps;
}

/// The sums of a row as they grow, and the sums of the terms' magnitudes.
struct Sums {
    explicit Sums(std::size_t columns) : high(columns), low(columns), size(columns) {}

    void clear() {
        for (auto* const sums : {&high, &low, &size}) std::ranges::fill(*sums, 0);
    }

    std::vector<double> high, low, size;
};

PEGEN_CLONES void add(DoubleDouble weight, const double* __restrict x, std::size_t columns,
                      double* __restrict high, double* __restrict low, double* __restrict size) {
    for (std::size_t i = 0; i < columns; ++i) {
        const double term = weight.high * x[i];
        const double rest = std::fma(weight.high, x[i], -term) + weight.low * x[i];
        const DoubleDouble total = pegen::sum(high[i], term);
        high[i] = total.high;
        low[i] += total.low + rest;
        size[i] += std::fabs(term);
    }
}

struct Grid {
    AxisTable table;  ///< of float64
    std::array<Interpolation, 2> axes;
    std::array<std::vector<Taps>, 2> taps;
    DType dtype;  ///< of the outputs

    std::int64_t input_row(std::int64_t row, std::int64_t column) const {
        return row * axes[1].from + column;
    }
};

/// Returns a double whose rounding to the dtype is one value of the output row, rounded once.
double exact_value(const Grid& grid, std::int64_t row, std::size_t column) {
    const std::array index{row / grid.axes[1].to, row % grid.axes[1].to};
    const Taps& of_rows = grid.taps[0][index[0]];
    const Taps& of_columns = grid.taps[1][index[1]];
    AxisReader reader(grid.table);
    std::vector<double> x;
    double plain = 0;
    bool is_finite = true;
    for (std::size_t i = 0; i < of_rows.weights.size(); ++i) {
        const std::byte* const rows = reader.rows(
            {grid.input_row(of_rows.first + i, of_columns.first), std::ssize(of_columns.weights)});
        for (std::size_t j = 0; j < of_columns.weights.size(); ++j) {
            const double weight = of_rows.weights[i].high * of_columns.weights[j].high;
            const std::byte* const inputs = rows + j * grid.table.bytes_per_row();
            x.push_back(weight == 0 ? 0 : reinterpret_cast<const double*>(inputs)[column]);
            plain += weight * x.back();
            is_finite &= std::isfinite(x.back());
        }
    }
    if (!is_finite) return plain;
    const double rounded = interpolated(grid.dtype, grid.axes, index, x);
    return rounded + 0.0;  // a sum of 0 is not -0
}

template <class T>
void fill_row(const Grid& grid, AxisReader& reader, std::int64_t row, Sums& sums,
              std::span<T> out) {
    const Taps& of_rows = grid.taps[0][row / grid.axes[1].to];
    const Taps& of_columns = grid.taps[1][row % grid.axes[1].to];
    const std::size_t columns = out.size();
    const auto inputs = [&](std::size_t i) {
        return reinterpret_cast<const double*>(reader.rows(
            {grid.input_row(of_rows.first + i, of_columns.first), std::ssize(of_columns.weights)}));
    };
    if (of_rows.weights.size() == 1 && of_columns.weights.size() == 1) {
        const double* const x = inputs(0);
        std::transform(x, x + columns, out.begin(), round_to<T>);
        return;
    }
    sums.clear();
    for (std::size_t i = 0; i < of_rows.weights.size(); ++i) {
        const double* x = inputs(i);
        for (const DoubleDouble& weight : of_columns.weights) {
            const DoubleDouble both = product(of_rows.weights[i], weight);
            if (both.high != 0) {
                add(both, x, columns, sums.high.data(), sums.low.data(), sums.size.data());
            }
            x += columns;
        }
    }
    const auto terms = static_cast<double>(of_rows.weights.size() * of_columns.weights.size());
    for (std::size_t i = 0; i < columns; ++i) {
        // Each of the low halves is at most terms 2^-53 size, and is rounded at each term.
        const double error = sums.size[i] * terms * terms * 0x1p-104;
        const auto [value, is_certain] =
            numerics::round_certainly<T>({sums.high[i], sums.low[i]}, error);
        const bool is_plain = is_certain && error > 0x1p-960 && std::isfinite(error);
        out[i] = is_plain || sums.size[i] == 0 ? value : round_to<T>(exact_value(grid, row, i));
    }
}

}  // namespace

Rows resized(const Rows& x, const std::array<Interpolation, 2>& axes, DType dtype) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 28;
    const auto grid =
        std::make_shared<const Grid>(Grid{AxisTable(as_float64(x), most_bytes), axes,
                                          std::array{taps_of(axes[0]), taps_of(axes[1])}, dtype});
    return numerics::floating_rows(
        axes[0].to * axes[1].to, x.columns(), dtype,
        [=]<class T>(std::type_identity<T>, RowRange range, std::span<std::byte> out) {
            AxisReader reader(grid->table);
            const std::size_t columns = x.columns();
            Sums sums(columns);
            for (std::int64_t i = 0; i < range.count; ++i) {
                T* const place = reinterpret_cast<T*>(out.data()) + i * columns;
                fill_row(*grid, reader, range.first + i, sums, std::span(place, columns));
            }
        });
}

}  // namespace pegen::rows
