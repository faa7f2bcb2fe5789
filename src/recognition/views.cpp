#include "recognition/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "core/shape.h"
#include "recognition/evidence/geometric.h"
#include "recognition/evidence/precision.h"
#include "rows/arranged.h"
#include "rows/kept.h"

namespace pegen::recognition {
namespace {

using evidence::progression;
using Extents = std::vector<std::int64_t>;

constexpr std::int64_t most_sampled = std::int64_t{1} << 22;

std::int64_t product(std::span<const std::int64_t> extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

/// An array whose elements are all in memory, as bytes.
struct Loaded {
    DType dtype;
    Extents extents;
    std::shared_ptr<const std::vector<std::byte>> bytes;
};

/// The axes of a view, slowest first. Each is one axis of the array, or several merged into one.
struct Arrangement {
    std::vector<std::vector<int>> axes;
    std::string note;
};

Sample sampled(const Table& table) {
    const Extents& extents = table.shape.extents();
    const std::int64_t per_index = product(std::span(extents).subspan(1));
    const std::int64_t most =
        std::max<std::int64_t>(2, most_sampled / std::max<std::int64_t>(per_index, 1));
    Sample sample{.table = table,
                  .extents = extents,
                  .precision = {},
                  .noise = 0,
                  .leading = 0,
                  .values = {}};
    sample.leading = std::min(sample.extents.front(), most);
    const std::int64_t rows = sample.leading * per_index / sample.table.shape.columns();
    sample.values = read_rows(sample.table, {0, rows});
    sample.precision = evidence::narrowest(sample.values, sample.table.dtype);
    return sample;
}

View view_of(const Table& table, std::string note) {
    return {std::move(note), table, [table] { return sampled(table); }};
}

Loaded loaded(const Table& array, Extents extents) {
    std::vector<std::byte> bytes(to_size(array.shape.size()) * info(array.dtype).size);
    array.rows({0, array.shape.rows()}, bytes);
    return {array.dtype, std::move(extents),
            std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
}

/// Returns the elements of `array` with its axes in another order.
Table reordered(const Loaded& array, const Arrangement& arrangement) {
    const Extents steps = strides_of(array.extents);
    Extents extents, order_extents, order_steps;
    for (const std::vector<int>& merged : arrangement.axes) {
        std::int64_t extent = 1;
        for (const int axis : merged) {
            extent *= array.extents[axis];
            order_extents.push_back(array.extents[axis]);
            order_steps.push_back(steps[axis]);
        }
        extents.push_back(extent);
    }
    Table table;
    table.shape = Shape(extents);
    table.dtype = array.dtype;
    table.axes.assign(extents.size(), Axis{});
    table.rows = rows_like(
        table, [bytes = array.bytes, columns = table.shape.columns(), order_extents, order_steps,
                size = info(array.dtype).size](RowRange range, std::span<std::byte> out) {
            Extents index = index_of(range.first * columns, order_extents);
            for (std::size_t at = 0; at < out.size(); at += size) {
                std::int64_t place = 0;
                for (std::size_t i = 0; i < index.size(); ++i) place += index[i] * order_steps[i];
                std::memcpy(out.data() + at, bytes->data() + place * size, size);
                for (std::size_t i = index.size(); i-- > 0 && ++index[i] == order_extents[i];) {
                    index[i] = 0;
                }
            }
        });
    return table;
}

/// Returns the orders of axes in which tables are usually stored, for an array with `rank` axes.
std::vector<Arrangement> arrangements(int rank) {
    const std::string transposed = "transposed: rows and columns are exchanged in the array";
    const std::string first_to_last = "the first axis of the array is the last one of the table";
    const std::string last_to_first = "the last axis of the array is the first one of the table";
    if (rank == 2) return {{{{1}, {0}}, transposed}};
    if (rank == 3) {
        return {{{{1}, {2}, {0}}, first_to_last},
                {{{2}, {0}, {1}}, last_to_first},
                {{{1, 2}, {0}}, first_to_last + ", and the others are one"},
                {{{0}, {2}, {1}}, "the last two axes of the array are exchanged"},
                {{{1}, {0}, {2}}, "the first two axes of the array are exchanged"},
                {{{1}, {0, 2}}, "the second axis of the array counts the rows of the table"}};
    }
    if (rank == 4) {
        return {{{{1, 2, 3}, {0}}, first_to_last + ", and the others are one"},
                {{{1}, {2}, {3}, {0}}, first_to_last},
                {{{0}, {2, 3}, {1}}, "the second axis of the array is the last one of the table"}};
    }
    return {};
}

/// Returns the ways to merge neighbouring axes into one, which keeps the elements in their order.
std::vector<Arrangement> merged_axes(int rank) {
    if (rank == 3) {
        return {{{{0, 1}, {2}}, "the first two axes of the array are one"},
                {{{0}, {1, 2}}, "the last two axes of the array are one"}};
    }
    if (rank == 4) {
        return {{{{0, 1, 2}, {3}}, "all axes of the array but the last are one"},
                {{{0, 1}, {2}, {3}}, "the first two axes of the array are one"},
                {{{0}, {1, 2}, {3}}, "the middle axes of the array are one"},
                {{{0, 1}, {2, 3}}, "the axes of the array are two and two one"}};
    }
    return {};
}

Extents merged_extents(const Extents& extents, const Arrangement& arrangement) {
    Extents merged;
    for (const std::vector<int>& axes : arrangement.axes) {
        std::int64_t extent = 1;
        for (const int axis : axes) extent *= extents[axis];
        merged.push_back(extent);
    }
    return merged;
}

/// True if the array has the same values at every index of the axis.
bool is_constant_along(const Loaded& array, int axis) {
    const std::int64_t extent = array.extents[axis];
    const std::size_t inner = strides_of(array.extents)[axis] * info(array.dtype).size;
    const std::size_t block = inner * extent;
    for (std::size_t begin = 0; begin < array.bytes->size(); begin += block) {
        const std::byte* const first = array.bytes->data() + begin;
        for (std::size_t at = inner; at < block; at += inner) {
            if (std::memcmp(first, first + at, inner) != 0) return false;
        }
    }
    return true;
}

/// Returns the part of the array at index 0 of an axis.
Loaded first_along(const Loaded& array, int axis) {
    const std::size_t inner = strides_of(array.extents)[axis] * info(array.dtype).size;
    const std::size_t block = inner * array.extents[axis];
    auto bytes = std::make_shared<std::vector<std::byte>>();
    for (std::size_t begin = 0; begin < array.bytes->size(); begin += block) {
        const auto from = array.bytes->begin() + static_cast<std::ptrdiff_t>(begin);
        bytes->insert(bytes->end(), from, from + static_cast<std::ptrdiff_t>(inner));
    }
    Extents extents = array.extents;
    extents.erase(extents.begin() + axis);
    return {array.dtype, extents, bytes};
}

Table table_of(const Loaded& array) {
    Arrangement unchanged;
    for (int axis = 0; axis < std::ssize(array.extents); ++axis) unchanged.axes.push_back({axis});
    return reordered(array, unchanged);
}

std::string joined(const std::string& a, const std::string& b) {
    return a.empty() || b.empty() ? a + b : a + "; " + b;
}

void add_reordered(std::vector<View>& views, const Loaded& array, const std::string& note) {
    const int rank = static_cast<int>(array.extents.size());
    for (const Arrangement& arrangement : arrangements(rank)) {
        views.push_back(view_of(reordered(array, arrangement), joined(note, arrangement.note)));
    }
}

void add_merged(std::vector<View>& views, const Table& array, const Extents& extents,
                const std::string& note) {
    for (const Arrangement& arrangement : merged_axes(static_cast<int>(extents.size()))) {
        views.push_back(view_of(reshaped(array, merged_extents(extents, arrangement)),
                                joined(note, arrangement.note)));
    }
}

/// Adds the first view once more with the precision of decimal digits, if its values are rounded to
/// decimal digits.
void add_rounded(std::vector<View>& views) {
    const Sample sample = views.front().sample();
    if (!is_floating(sample.table.dtype)) return;
    const auto decimals = evidence::decimals_of(sample.values, sample.table.dtype);
    if (!decimals) return;
    const evidence::Precision precision = evidence::precision_of(
        *decimals, evidence::largest_magnitude(sample.values), sample.table.dtype);
    views.push_back({fmt::format("the values are rounded to {}", evidence::to_string(*decimals)),
                     sample.table, [=, unrounded = views.front().sample] {
                         Sample rounded = unrounded();
                         rounded.precision = precision;
                         return rounded;
                     }});
}

/// Returns the number of channels up to the last that is not 0 everywhere.
std::int64_t channels_before_zeros(const Table& array) {
    const std::int64_t columns = array.shape.columns(), rows = array.shape.rows();
    const std::int64_t at_once = rows_holding(1 << 16, columns);
    std::int64_t channels = 0;
    for (std::int64_t row = 0; row < rows && channels < columns; row += at_once) {
        const std::vector<double> values = read_rows(array, {row, std::min(at_once, rows - row)});
        for (std::int64_t i = 0; i < std::ssize(values); ++i) {
            if (values[i] != 0) channels = std::max(channels, i % columns + 1);
        }
    }
    return channels;
}

Table with_channels(const Table& array, const std::vector<std::int64_t>& chosen) {
    Table table = array;
    Extents extents = array.shape.extents();
    extents.back() = std::ssize(chosen);
    table.shape = Shape(extents);
    table.rows = rows::chosen_columns(array.rows, chosen);
    return table;
}

/// Adds the view without the last channels, if these are all 0: a table is padded to a number of
/// channels that suits the hardware.
void add_unpadded(std::vector<View>& views, const Table& array) {
    const std::int64_t columns = array.shape.columns(), kept = channels_before_zeros(array);
    const std::int64_t zeros = columns - kept;
    if (zeros == 0 || zeros > kept) return;
    views.push_back(view_of(
        with_channels(array, progression(0, 1, kept)),
        fmt::format("the array has {} more channel{}, of zeros", zeros, zeros == 1 ? "" : "s")));
}

/// True if channel `chosen` + distance has the values of channel `chosen`, for all that are chosen.
bool are_repeated(const Table& array, const std::vector<std::int64_t>& chosen,
                  std::int64_t distance) {
    const std::int64_t columns = array.shape.columns(), rows = array.shape.rows();
    const std::int64_t at_once = rows_holding(1 << 16, columns);
    for (std::int64_t row = 0; row < rows; row += at_once) {
        const std::vector<double> values = read_rows(array, {row, std::min(at_once, rows - row)});
        for (std::int64_t first = 0; first < std::ssize(values); first += columns) {
            for (const std::int64_t channel : chosen) {
                if (values[first + channel] != values[first + channel + distance]) return false;
            }
        }
    }
    return true;
}

/// True if the first values are products of a number for each row and a number for each channel, as
/// angles are, and too large for waves.
bool may_be_angles(const Table& array) {
    constexpr double share = 0.01, most_of_waves = 4;
    const std::int64_t columns = array.shape.columns();
    const std::int64_t rows = std::min(array.shape.rows(), rows_holding(1 << 16, columns));
    const std::vector<double> values = read_rows(array, {0, rows});
    const double* const last = values.data() + (rows - 1) * columns;
    if (!(evidence::largest_magnitude(values) > most_of_waves)) return false;
    for (const double* row = values.data(); row != last; row += columns) {
        for (std::int64_t channel = 0; channel < columns; ++channel) {
            const double product = row[0] * last[channel];
            if (!(std::fabs(row[channel] * last[0] - product) <= share * std::fabs(product))) {
                return false;
            }
        }
    }
    return rows > 1;
}

/// Adds the view of half of the channels, if the array may be angles and the other channels have
/// the same values: code repeats the angle for the two channels of a pair. Waves need no such view,
/// because their layouts say which channels are alike.
void add_halved(std::vector<View>& views, const Table& array) {
    const std::int64_t half = array.shape.columns() / 2;
    if (half < 2 || array.shape.columns() != 2 * half || !may_be_angles(array)) return;
    const auto first_half = progression(0, 1, half), even = progression(0, 2, half);
    const std::string twice = "the array has each channel twice: channel ";
    if (are_repeated(array, first_half, half)) {
        views.push_back(view_of(with_channels(array, first_half),
                                twice + fmt::format("m + {} is channel m", half)));
    } else if (are_repeated(array, even, 1)) {
        views.push_back(view_of(with_channels(array, even), twice + "2m + 1 is channel 2m"));
    }
}

/// Adds the view with -inf in the place of the lowest value, if that is a number which code writes
/// into masks for it.
void add_masked(std::vector<View>& views, const Table& array, std::vector<double> values) {
    constexpr std::array<double, 6> numbers{
        -std::numeric_limits<float>::max(), -0x1.fep127, -65504, -1e9, -1e30, -1e4};
    const double lowest = std::ranges::min(values);
    const auto is_mask = [=](double number) {
        return static_cast<float>(number) == static_cast<float>(lowest);
    };
    if (std::ranges::none_of(numbers, is_mask)) return;
    std::ranges::replace(values, lowest, -std::numeric_limits<double>::infinity());
    Table table = array;
    table.rows = rounded(rows::kept_rows(std::move(values), array.shape.columns()), array.dtype);
    views.push_back(
        view_of(table, fmt::format("the array has {:.8g} in the place of -inf", lowest)));
}

/// Adds the views of one of several equal parts of the array, if the array consists of such parts.
void add_repeated(std::vector<View>& views, const Loaded& array, const std::string& note) {
    if (array.extents.size() < 2) return;
    for (int axis = 0; axis < std::ssize(array.extents); ++axis) {
        if (!is_constant_along(array, axis)) continue;
        const Loaded part = first_along(array, axis);
        const std::string repeated = joined(
            note,
            fmt::format("the array repeats the table {} times along an axis", array.extents[axis]));
        const Table table = table_of(part);
        views.push_back(view_of(table, repeated));
        views.back().is_part = true;
        add_merged(views, table, part.extents, repeated);
        add_reordered(views, part, repeated);
        add_repeated(views, part, repeated);
        return;
    }
}

/// True if the two channels of each pair have the same values, as in RoPE's cosines and sines.
bool has_channels_twice(const Table& table) {
    const std::int64_t half = table.shape.columns() / 2;
    return half > 1 && table.shape.columns() == 2 * half &&
           (are_repeated(table, progression(0, 1, half), half) ||
            are_repeated(table, progression(0, 2, half), 1));
}

}  // namespace

Table reshaped(const Table& array, const std::vector<std::int64_t>& extents) {
    Table table = array;
    table.shape = Shape(extents);
    table.axes.assign(extents.size(), Axis{});
    table.rows = rows::reshaped(array.rows, table.shape.columns());
    return table;
}

Table with_axes(const Table& array, const std::vector<int>& order) {
    Arrangement arrangement;
    for (const int axis : order) arrangement.axes.push_back({axis});
    return reordered(loaded(array, array.shape.extents()), arrangement);
}

std::vector<View> views_of(const Table& array) {
    const Extents extents = squeezed(array.shape.extents());
    const Table as_it_is = reshaped(array, extents);
    std::vector<View> views;
    views.push_back(view_of(as_it_is, ""));
    add_rounded(views);
    if (extents.size() == 1) return views;
    if (array.shape.size() > most_reordered) {
        add_merged(views, as_it_is, extents, "");
        return views;
    }
    const Loaded in_memory = loaded(array, extents);
    if (is_floating(array.dtype)) {
        add_unpadded(views, as_it_is);
        add_halved(views, as_it_is);
    }
    if (array.shape.size() <= most_sampled && is_floating(array.dtype)) {
        add_masked(views, as_it_is, read_rows(as_it_is, {0, as_it_is.shape.rows()}));
    }
    add_repeated(views, in_memory, "");
    add_merged(views, as_it_is, extents, "");
    add_reordered(views, in_memory, "");
    // Whoever has so many channels, or biases for so many keys, has them in the last axis.
    constexpr std::int64_t many = 1 << 15;
    const std::int64_t widest = std::max(many, as_it_is.shape.columns());
    std::erase_if(views, [=](const View& view) {
        return view.table.shape.rank() > 1 && view.table.shape.columns() > widest;
    });
    return views;
}

namespace {

/// Returns the view of the array, or of one of several equal parts that it consists of.
View once(const Table& array) {
    const std::vector<View> views = views_of(array);
    const auto part = std::ranges::find_if(views, &View::is_part);
    return part == views.end() ? views.front() : *part;
}

}  // namespace

std::vector<Halves> halves_of(const Table& array) {
    const Extents extents = squeezed(array.shape.extents());
    const Table table = reshaped(array, extents);
    const std::int64_t columns = extents.back(), half = columns / 2;
    std::vector<Halves> found;
    if (extents.size() > 2 && extents.front() == 2) {
        const auto at = [&](std::int64_t index) {
            const std::int64_t rows = table.shape.rows() / 2;
            Table part = table;
            part.rows = rows::slice(table.rows, {index * rows, rows});
            return once(reshaped(part, {extents.begin() + 1, extents.end()}));
        };
        found.push_back({Halves::Along::first_axis, at(0), at(1), "index 0 of the first axis",
                         "index 1 of the first axis"});
    }
    const bool is_pair = extents.size() > 2 && columns == 2;
    if (half == 0 || columns != 2 * half) return found;
    const auto from = [&](std::int64_t channel) {
        const Table part = with_channels(table, progression(channel, 1, half));
        return is_pair ? reshaped(part, {extents.begin(), extents.end() - 1}) : part;
    };
    const Table first = from(0);
    if (!has_channels_twice(first)) return found;
    const auto place = [&](std::int64_t channel) {
        return is_pair ? fmt::format("index {} of the last axis", channel)
                       : fmt::format("channels {} to {}", channel, channel + half - 1);
    };
    found.push_back({is_pair ? Halves::Along::last_axis : Halves::Along::channels, once(first),
                     once(from(half)), place(0), place(half)});
    return found;
}

}  // namespace pegen::recognition
