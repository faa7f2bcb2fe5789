#include "rows/grid_rows.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "core/clones.h"
#include "rows/kept.h"

namespace pegen::rows {
namespace {

/// Returns elements as unsigned integers of their size: only the size matters, not the dtype.
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

/// The tables of the axes, slowest first, shared by all threads.
using Axes = std::vector<AxisTable>;

std::vector<AxisReader> readers_of(const Axes& axes) {
    return std::vector<AxisReader>(axes.begin(), axes.end());
}

/// Sets `row` to the bitwise or of the rows of the slower axes at point `point`. Points up to
/// `last` will be asked for next.
template <class Word>
void merge_slower(std::span<AxisReader> slower, std::int64_t point, std::int64_t last,
                  std::span<Word> row) {
    std::ranges::fill(row, Word{0});
    for (auto axis = slower.rbegin(); axis != slower.rend(); ++axis) {
        const std::int64_t extent = axis->table().rows();
        const Word* values = words_of<Word>(axis->row(point % extent, last - point + 1));
        std::transform(row.begin(), row.end(), values, row.begin(), std::bit_or<>());
        point /= extent;
        last /= extent;
    }
}

template <class Word>
void fill_points(const Axes& axes, std::int64_t channels, RowRange range, Word* out) {
    std::vector<AxisReader> readers = readers_of(axes);
    // Few channels are merged for several points at once, so that no loop is short.
    const std::int64_t points = rows_holding(64, channels);
    std::vector<Word> fixed(points * channels);
    const std::int64_t extent = axes.back().rows(), end = range.first + range.count;
    for (std::int64_t row = range.first, count = 0; row < end; row += count) {
        const std::int64_t first = row % extent;
        count = std::min(end - row, extent - first);
        merge_slower(std::span(readers).first(readers.size() - 1), row / extent, (end - 1) / extent,
                     std::span(fixed).first(channels));
        for (std::int64_t i = channels; i < std::ssize(fixed); ++i) fixed[i] = fixed[i - channels];
        const Word* const moving = words_of<Word>(readers.back().rows({first, count}));
        const std::int64_t left = count % points, whole = (count - left) * channels;
        merge_rows(fixed.data(), moving, count / points, points * channels, out);
        merge_rows(fixed.data(), moving + whole, 1, left * channels, out + whole);
        out += count * channels;
    }
}

/// Fills rows of the table with channels first. The tables of the axes are transposed: they have a
/// row for each channel, as long as the axis.
template <class Word>
void fill_channels(const Axes& axes, const std::vector<std::int64_t>& extents, RowRange range,
                   Word* out) {
    std::vector<AxisReader> readers = readers_of(axes);
    std::int64_t points = 1;
    for (std::size_t axis = 0; axis + 1 < extents.size(); ++axis) points *= extents[axis];
    const std::int64_t width = extents.back(), end = range.first + range.count;
    for (std::int64_t row = range.first; row < end;) {
        const std::int64_t channel = row / points, stop = std::min(end, (channel + 1) * points);
        std::vector<const Word*> values;
        for (AxisReader& axis : readers) {
            values.push_back(words_of<Word>(axis.rows({channel, 1})));
        }
        for (; row < stop; ++row, out += width) {
            Word fixed = 0;
            std::int64_t point = row % points;
            for (std::size_t axis = extents.size() - 1; axis-- > 0; point /= extents[axis]) {
                fixed |= values[axis][point % extents[axis]];
            }
            merge_value(fixed, values.back(), width, out);
        }
    }
}

/// Returns the columns of a table as rows.
template <class Word>
Rows transposed(const Rows& rows) {
    constexpr std::int64_t values_at_once = 1 << 14;
    const std::int64_t columns = rows.columns();
    const std::int64_t rows_at_once = std::min(rows_holding(values_at_once, columns), rows.count());
    return {[=](RowRange range, std::span<std::byte> out) {
                Word* const place = reinterpret_cast<Word*>(out.data());
                std::vector<std::byte> some((rows_at_once * columns) * sizeof(Word));
                for (std::int64_t first = 0; first < rows.count(); first += rows_at_once) {
                    const std::int64_t count = std::min(rows_at_once, rows.count() - first);
                    rows({first, count}, std::span(some).first((count * columns) * sizeof(Word)));
                    const Word* const values = words_of<Word>(some.data());
                    for (std::int64_t column = 0; column < range.count; ++column) {
                        for (std::int64_t row = 0; row < count; ++row) {
                            place[column * rows.count() + first + row] =
                                values[row * columns + range.first + column];
                        }
                    }
                }
            },
            columns, rows.count(), rows.dtype()};
}

template <class Word>
Rows point_rows_of(const std::vector<Rows>& grid) {
    const auto axes = std::make_shared<const Axes>(grid.begin(), grid.end());
    const std::int64_t channels = grid.front().columns();
    std::int64_t points = 1;
    for (const Rows& axis : grid) points *= axis.count();
    return {[=](RowRange range, std::span<std::byte> out) {
                fill_points(*axes, channels, range, reinterpret_cast<Word*>(out.data()));
            },
            points, channels, grid.front().dtype()};
}

template <class Word>
Rows channel_rows_of(const std::vector<Rows>& grid) {
    // Each band takes a pass over the whole table of an axis.
    constexpr std::int64_t band_bytes = std::int64_t{1} << 21;
    Axes tables;
    std::vector<std::int64_t> extents;
    for (const Rows& axis : grid) {
        const Rows channels = transposed<Word>(axis);
        tables.emplace_back(in_bands(channels, rows_holding(band_bytes, channels.bytes_per_row())));
        extents.push_back(axis.count());
    }
    std::int64_t lines = grid.front().columns();
    for (std::size_t axis = 0; axis + 1 < extents.size(); ++axis) lines *= extents[axis];
    return {[=, axes = std::make_shared<const Axes>(std::move(tables))](RowRange range,
                                                                        std::span<std::byte> out) {
                fill_channels(*axes, extents, range, reinterpret_cast<Word*>(out.data()));
            },
            lines, extents.back(), grid.front().dtype()};
}

/// Calls make(Word) with the unsigned integer of the dtype's size.
template <class Make>
Rows with_words_of(DType dtype, Make make) {
    switch (info(dtype).size) {
        case 2:
            return make(std::uint16_t{});
        case 8:
            return make(std::uint64_t{});
        default:
            return make(std::uint32_t{});
    }
}

}  // namespace

Rows point_rows(const std::vector<Rows>& axes) {
    return with_words_of(axes.front().dtype(),
                         [&](auto word) { return point_rows_of<decltype(word)>(axes); });
}

Rows channel_rows(const std::vector<Rows>& axes) {
    return with_words_of(axes.front().dtype(),
                         [&](auto word) { return channel_rows_of<decltype(word)>(axes); });
}

}  // namespace pegen::rows
