#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/table.h"
#include "recognition/evidence/precision.h"

// Two arrays of the same shape, before and after a kernel, as rows of channels.
namespace pegen::recognition {

/// Where an array has its positions.
struct KernelAxes {
    int position;            ///< the axis along which positions are counted
    std::int64_t heads = 1;  ///< how many heads the last axis holds, one after the other
};

/// The arrays as (outer, positions, inner, channels): the axes before that of the positions and
/// those behind it are merged. A sample is one index of `outer` and one of `inner`.
struct KernelView {
    Table before;
    Table after;
    KernelAxes axes;
    std::int64_t outer;
    std::int64_t positions;
    std::int64_t inner;  ///< heads of the last axis included
    std::int64_t channels;

    std::int64_t samples() const { return outer * inner; }
    std::int64_t rows() const { return outer * positions * inner; }  ///< of `channels` values
    std::int64_t position_of(std::int64_t row) const { return row / inner % positions; }
    std::int64_t sample_of(std::int64_t row) const {
        return row / (inner * positions) * inner + row % inner;
    }
};

/// Returns the axes that positions may be counted along, most likely first: (..., len, d), then
/// (..., len, heads, d) and so on. A given axis is the only one.
std::vector<KernelAxes> possible_axes(const Shape& shape, std::optional<int> position,
                                      std::int64_t heads);

/// Precondition: the arrays have the same shape, of two axes at least, and heads divide the last.
KernelView view_of(const Table& before, const Table& after, const KernelAxes& axes);

/// The first positions of an array and some of its samples, in memory: (positions, samples,
/// channels).
struct KernelSample {
    std::int64_t positions;
    std::int64_t samples;
    std::int64_t channels;
    std::vector<double> before;
    std::vector<double> after;
    evidence::Precision precision;  ///< the narrowest that holds `after`

    const double* before_row(std::int64_t position, std::int64_t sample) const;
    const double* after_row(std::int64_t position, std::int64_t sample) const;
    /// Half a unit in the last place of numbers near 1: what rounding once changes them by.
    double half_unit() const;
};

/// Reads up to 1024 positions and 16 samples, 2^20 values at most.
KernelSample read_sample(const KernelView& view);

/// Returns one of the samples.
KernelSample only_sample(const KernelSample& sample, std::int64_t index);

/// Reads rows of `channels` values from one of the arrays of the view.
std::vector<double> read_channels(const KernelView& view, const Table& array, RowRange rows);

}  // namespace pegen::recognition
