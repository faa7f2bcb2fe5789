#include "recognition/kernel/view.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pegen::recognition {
namespace {

constexpr std::int64_t most_positions = 1024, most_samples = 16, most_values = 1 << 20;

std::int64_t product(const Shape& shape, int first, int end) {
    std::int64_t result = 1;
    for (int axis = first; axis < end; ++axis) result *= shape[axis];
    return result;
}

/// Reads these positions of the samples with these indices; the precision is left open.
KernelSample read_rows_of(const KernelView& view, RowRange positions,
                          std::vector<std::int64_t> indices) {
    KernelSample sample{.positions = positions.count,
                        .samples = std::ssize(indices),
                        .channels = view.channels,
                        .indices = std::move(indices),
                        .before = {},
                        .after = {},
                        .precision = {}};
    const auto append = [&](std::vector<double>& values, const Table& array, std::int64_t row) {
        const std::vector<double> read = read_channels(view, array, {row, 1});
        values.insert(values.end(), read.begin(), read.end());
    };
    for (std::int64_t i = 0; i < positions.count; ++i) {
        for (const std::int64_t which : sample.indices) {
            const std::int64_t outer = which / view.inner;
            const std::int64_t row =
                (outer * view.positions + positions.first + i) * view.inner + which % view.inner;
            append(sample.before, view.before, row);
            append(sample.after, view.after, row);
        }
    }
    return sample;
}

}  // namespace

std::vector<KernelAxes> possible_axes(const Shape& shape, std::optional<int> position,
                                      std::int64_t heads) {
    if (position) return {{*position, heads}};
    std::vector<KernelAxes> axes;
    for (int axis = shape.rank() - 2; axis >= 0; --axis) axes.push_back({axis, heads});
    // An axis of extent 1 shows no step from one position to the next.
    std::stable_partition(axes.begin(), axes.end(),
                          [&](const KernelAxes& a) { return shape[a.position] > 1; });
    return axes;
}

KernelView view_of(const Table& before, const Table& after, const KernelAxes& axes) {
    const Shape& shape = before.shape;
    const int last = shape.rank() - 1;
    return {.before = before,
            .after = after,
            .axes = axes,
            .outer = product(shape, 0, axes.position),
            .positions = shape[axes.position],
            .inner = product(shape, axes.position + 1, last) * axes.heads,
            .channels = shape.columns() / axes.heads};
}

const double* KernelSample::before_row(std::int64_t position, std::int64_t sample) const {
    return before.data() + (position * samples + sample) * channels;
}

const double* KernelSample::after_row(std::int64_t position, std::int64_t sample) const {
    return after.data() + (position * samples + sample) * channels;
}

KernelSample read_sample(const KernelView& view) {
    const std::int64_t rows = std::max<std::int64_t>(most_values / view.channels, 1);
    const std::int64_t positions = std::min({view.positions, most_positions, rows});
    const std::int64_t samples =
        std::min({view.samples(), most_samples, std::max<std::int64_t>(rows / positions, 1)});
    std::vector<std::int64_t> indices;
    for (std::int64_t s = 0; s < samples; ++s) indices.push_back(s * view.samples() / samples);
    KernelSample sample = read_rows_of(view, {0, positions}, std::move(indices));
    sample.precision = evidence::narrowest(sample.after, view.after.dtype);
    return sample;
}

KernelSample read_positions(const KernelView& view, RowRange positions, std::int64_t index,
                            const evidence::Precision& precision) {
    KernelSample sample = read_rows_of(view, positions, {index});
    sample.precision = precision;
    return sample;
}

KernelSample only_sample(const KernelSample& sample, std::int64_t index) {
    KernelSample one = sample;
    one.samples = 1;
    one.indices = {sample.indices[index]};
    one.before.clear();
    one.after.clear();
    for (std::int64_t position = 0; position < sample.positions; ++position) {
        const double *const x = sample.before_row(position, index), *const y = sample.after_row(
                                                                        position, index);
        one.before.insert(one.before.end(), x, x + sample.channels);
        one.after.insert(one.after.end(), y, y + sample.channels);
    }
    return one;
}

std::vector<double> read_channels(const KernelView& view, const Table& array, RowRange rows) {
    const std::int64_t heads = view.axes.heads;
    const std::int64_t first = rows.first / heads,
                       end = (rows.first + rows.count + heads - 1) / heads;
    std::vector<double> values = read_rows(array, {first, end - first});
    if (heads == 1) return values;
    const auto begin = values.begin() + (rows.first - first * heads) * view.channels;
    return {begin, begin + rows.count * view.channels};
}

}  // namespace pegen::recognition
