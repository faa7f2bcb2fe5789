#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/table.h"
#include "recognition/evidence/precision.h"

// Two arrays of the same shape, before and after a kernel, as rows of channels.
namespace pegen::recognition {

/// The axes of an array that hold its positions and its heads.
struct KernelAxes {
    int position;            ///< the axis along which positions are counted
    std::int64_t heads = 1;  ///< how many heads the last axis holds, one after the other
};

/// Both arrays as (outer, positions, inner, channels): the axes before the positions are merged
/// into `outer`, the axes behind them into `inner`. A sample is one index of `outer` and one of
/// `inner`.
struct KernelView {
    Table before;
    Table after;
    KernelAxes axes;
    std::int64_t outer;
    std::int64_t positions;
    std::int64_t inner;  ///< includes the heads of the last axis
    std::int64_t channels;

    std::int64_t samples() const { return outer * inner; }
    std::int64_t rows() const { return outer * positions * inner; }  ///< each of `channels` values
    std::int64_t position_of(std::int64_t row) const { return row / inner % positions; }
    std::int64_t sample_of(std::int64_t row) const {
        return row / (inner * positions) * inner + row % inner;
    }
};

/// Returns the axes along which positions may be counted, most likely first: (..., len, d), then
/// (..., len, heads, d) and so on. If `position` is given, only that axis is returned.
std::vector<KernelAxes> possible_axes(const Shape& shape, std::optional<int> position,
                                      std::int64_t heads);

/// Returns the view of two arrays. Precondition: the arrays have the same shape, of at least two
/// axes, and `heads` divides the last extent.
KernelView view_of(const Table& before, const Table& after, const KernelAxes& axes);

/// Returns half a unit in the last place of numbers near 1: the most that one rounding changes
/// them.
inline double half_unit(const evidence::Precision& precision) {
    return std::ldexp(1.0, -precision.digits);
}

/// Returns the length of a vector, as std::hypot() does, which would take a quarter of the time of
/// a search.
inline double length_of(double x, double y) {
    const double square = x * x + y * y;
    return square > 1e-290 && square < 1e300 ? std::sqrt(square) : std::hypot(x, y);
}

/// Positions of some samples of both arrays, in memory: (positions, samples, channels).
struct KernelSample {
    std::int64_t positions;
    std::int64_t samples;
    std::int64_t channels;
    std::vector<std::int64_t> indices;  ///< index of each sample in the view
    std::vector<double> before;
    std::vector<double> after;
    evidence::Precision precision;  ///< the narrowest format that holds `after`

    const double* before_row(std::int64_t position, std::int64_t sample) const;
    const double* after_row(std::int64_t position, std::int64_t sample) const;
    double half_unit() const { return recognition::half_unit(precision); }
};

/// Reads the first positions, at most 1024, of at most 16 samples, and at most 2^20 values.
KernelSample read_sample(const KernelView& view);

/// Reads these positions of one sample of the view, and gives them `precision`.
KernelSample read_positions(const KernelView& view, RowRange positions, std::int64_t index,
                            const evidence::Precision& precision);

/// Returns the sample with this index alone.
KernelSample only_sample(const KernelSample& sample, std::int64_t index);

/// Reads rows of `channels` values from one of the arrays of the view.
std::vector<double> read_channels(const KernelView& view, const Table& array, RowRange rows);

}  // namespace pegen::recognition
