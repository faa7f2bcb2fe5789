#include "encodings/grid_rows.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "core/clones.h"
#include "encodings/axis_table.h"

namespace pegen::encodings {
namespace {

std::size_t to_size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// The tables of the axes, all but the last as they are; shared by all threads.
struct Grid {
    std::vector<AxisTable> slower;  ///< slowest first
    AxisTable fastest;
    std::int64_t slower_points;
    std::int64_t channels;
};

/// Elements as the bits they are: the dtype does not matter, only its size.
template <class Word>
const Word* words_of(const std::byte* elements) {
    return reinterpret_cast<const Word*>(elements);
}

template <class Word>
PEGEN_CLONES void merge_rows(const Word* __restrict fixed, const Word* __restrict moving,
                             std::int64_t rows, std::int64_t columns, Word* __restrict out) {
    for (std::int64_t row = 0; row < rows; ++row, moving += columns, out += columns) {
        for (std::int64_t i = 0; i < columns; ++i) out[i] = fixed[i] | moving[i];
    }
}

template <class Word>
PEGEN_CLONES void merge_value(Word fixed, const Word* __restrict moving, std::int64_t count,
                              Word* __restrict out) {
    for (std::int64_t i = 0; i < count; ++i) out[i] = fixed | moving[i];
}

/// Calls use(row of the axis) for each axis but the fastest, at the point of those axes that is
/// counted by `point`.
template <class Word, class Use>
void for_slower_axes(const Grid& grid, std::int64_t point, std::vector<std::byte>& scratch,
                     Use use) {
    for (auto axis = grid.slower.rbegin(); axis != grid.slower.rend(); ++axis) {
        use(words_of<Word>(axis->read({point % axis->rows(), 1}, scratch)));
        point /= axis->rows();
    }
}

template <class Word>
void fill_points(const Grid& grid, RowRange range, Word* out) {
    std::vector<std::byte> scratch;
    std::vector<Word> fixed(to_size(grid.channels));
    const std::int64_t end = range.first + range.count;
    for (std::int64_t row = range.first, count = 0; row < end; row += count) {
        const std::int64_t first = row % grid.fastest.rows();
        count = std::min(end - row, grid.fastest.rows() - first);
        std::ranges::fill(fixed, Word{0});
        for_slower_axes<Word>(grid, row / grid.fastest.rows(), scratch, [&](const Word* values) {
            std::ranges::transform(fixed, std::span(values, fixed.size()), fixed.begin(),
                                   std::bit_or<>());
        });
        merge_rows(fixed.data(), words_of<Word>(grid.fastest.read({first, count}, scratch)), count,
                   grid.channels, out);
        out += count * grid.channels;
    }
}

/// grid.fastest is transposed here: a row for each channel.
template <class Word>
void fill_channels(const Grid& grid, std::int64_t width, RowRange range, Word* out) {
    std::vector<std::byte> scratch, slower_scratch;
    const std::int64_t end = range.first + range.count;
    for (std::int64_t row = range.first; row < end;) {
        const std::int64_t channel = row / grid.slower_points;
        const std::int64_t stop = std::min(end, (channel + 1) * grid.slower_points);
        const Word* moving = words_of<Word>(grid.fastest.read({channel, 1}, scratch));
        for (; row < stop; ++row, out += width) {
            Word fixed = 0;
            for_slower_axes<Word>(grid, row % grid.slower_points, slower_scratch,
                                  [&](const Word* values) { fixed |= values[channel]; });
            merge_value(fixed, moving, width, out);
        }
    }
}

/// The columns of a table as rows.
template <class Word>
RowSource transposed(RowSource source, std::int64_t rows, std::int64_t columns) {
    constexpr std::int64_t values_at_once = 1 << 14;
    const std::int64_t rows_at_once = rows_holding(values_at_once, columns);
    return [=, source = std::move(source)](RowRange range, std::span<std::byte> out) {
        Word* const place = reinterpret_cast<Word*>(out.data());
        std::vector<std::byte> some(to_size(std::min(rows_at_once, rows) * columns) * sizeof(Word));
        for (std::int64_t first = 0; first < rows; first += rows_at_once) {
            const std::int64_t count = std::min(rows_at_once, rows - first);
            source({first, count}, std::span(some).first(to_size(count * columns) * sizeof(Word)));
            const Word* const values = words_of<Word>(some.data());
            for (std::int64_t column = 0; column < range.count; ++column) {
                for (std::int64_t row = 0; row < count; ++row) {
                    place[column * rows + first + row] =
                        values[row * columns + range.first + column];
                }
            }
        }
    };
}

template <class Word>
std::shared_ptr<const Grid> make_grid(const std::vector<GridAxis>& axes, std::int64_t channels,
                                      AxisTable fastest) {
    std::vector<AxisTable> slower;
    std::int64_t slower_points = 1;
    for (std::size_t axis = 0; axis + 1 < axes.size(); ++axis) {
        const std::int64_t bytes = channels * static_cast<std::int64_t>(sizeof(Word));
        slower.emplace_back(axes[axis].rows, axes[axis].extent, bytes);
        slower_points *= axes[axis].extent;
    }
    return std::make_shared<const Grid>(
        Grid{std::move(slower), std::move(fastest), slower_points, channels});
}

template <class Word>
RowSource point_rows_of(const std::vector<GridAxis>& axes, std::int64_t channels) {
    constexpr std::int64_t size = sizeof(Word);
    const auto grid = make_grid<Word>(
        axes, channels, AxisTable(axes.back().rows, axes.back().extent, channels * size));
    return [grid](RowRange range, std::span<std::byte> out) {
        fill_points(*grid, range, reinterpret_cast<Word*>(out.data()));
    };
}

template <class Word>
RowSource channel_rows_of(const std::vector<GridAxis>& axes, std::int64_t channels) {
    constexpr std::int64_t size = sizeof(Word);
    const std::int64_t width = axes.back().extent;
    const auto grid = make_grid<Word>(
        axes, channels,
        AxisTable(transposed<Word>(axes.back().rows, width, channels), channels, width * size));
    return [grid, width](RowRange range, std::span<std::byte> out) {
        fill_channels(*grid, width, range, reinterpret_cast<Word*>(out.data()));
    };
}

}  // namespace

RowSource point_rows(const std::vector<GridAxis>& axes, std::int64_t channels, DType dtype) {
    switch (info(dtype).size) {
        case 2:
            return point_rows_of<std::uint16_t>(axes, channels);
        case 8:
            return point_rows_of<std::uint64_t>(axes, channels);
        default:
            return point_rows_of<std::uint32_t>(axes, channels);
    }
}

RowSource channel_rows(const std::vector<GridAxis>& axes, std::int64_t channels, DType dtype) {
    switch (info(dtype).size) {
        case 2:
            return channel_rows_of<std::uint16_t>(axes, channels);
        case 8:
            return channel_rows_of<std::uint64_t>(axes, channels);
        default:
            return channel_rows_of<std::uint32_t>(axes, channels);
    }
}

}  // namespace pegen::encodings
