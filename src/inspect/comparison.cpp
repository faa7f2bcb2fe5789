#include "inspect/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>

#include "core/names.h"
#include "core/shape.h"

namespace pegen {
namespace {

using Channel = std::vector<double>;

std::int64_t product(std::span<const std::int64_t> extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

/// Returns `value` without the sign of a zero and the payload of a NaN, so that equal values have
/// equal bits.
double normalized(double value) {
    return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value + 0.0;
}

/// Reorders grids of `rows` x `columns` points from columns first to rows first. Each point has
/// `inner` values.
Channel by_rows(const Channel& channel, std::size_t rows, std::size_t columns, std::size_t inner) {
    Channel result(channel.size());
    const std::size_t size = rows * columns * inner;
    for (std::size_t i = 0; i < channel.size(); ++i) {
        const std::size_t grid = i / size * size, point = i % size / inner;
        const std::size_t row = point % rows, column = point / rows;
        result[grid + (row * columns + column) * inner + i % inner] = channel[i];
    }
    return result;
}

/// Returns the number of the axis of channels; nothing if the table has one channel.
std::optional<int> channel_axis_of(const Table& table) {
    if (const auto axis = find_axis(table.axes, AxisKind::channel)) return axis;
    if (table.shape.rank() < 2) return std::nullopt;
    return table.shape.rank() - 1;
}

/// An axis of positions in the order of the table.
struct ListedAxis {
    Axis axis;
    std::int64_t extent;
    std::int64_t stride;  ///< positions from one index to the next
};

std::vector<ListedAxis> listed_axes(const Table& table, std::optional<int> channel_axis) {
    std::vector<ListedAxis> axes;
    std::int64_t stride = 1;
    for (int axis = table.shape.rank() - 1; axis >= 0; --axis) {
        if (axis == channel_axis) continue;
        axes.push_back({table.axes[axis], table.shape[axis], stride});
        stride *= table.shape[axis];
    }
    std::ranges::reverse(axes);
    return axes;
}

/// True unless the index belongs to a row before the first position of an axis.
bool is_position(std::int64_t listed, const std::vector<ListedAxis>& axes) {
    return std::ranges::all_of(axes, [&](const ListedAxis& each) {
        return each.axis.rows_before == 0 ||
               listed / each.stride % each.extent >= each.axis.rows_before;
    });
}

/// Returns the values of each channel at the positions, in the order of the table.
std::vector<Channel> listed_channels(const Table& table, std::optional<int> channel_axis,
                                     const std::vector<ListedAxis>& axes) {
    const std::span extents(table.shape.extents());
    const auto count = channel_axis ? extents[*channel_axis] : 1;
    const auto inner = channel_axis ? product(extents.subspan(*channel_axis + 1)) : 1;
    std::vector<Channel> channels(count);
    const std::vector<double> values = read_rows(table, {0, table.shape.rows()});
    for (std::int64_t i = 0; i < std::ssize(values); ++i) {
        const std::int64_t listed = i / (count * inner) * inner + i % inner;
        if (!is_position(listed, axes)) continue;
        channels[i / inner % count].push_back(normalized(values[i]));
    }
    return channels;
}

/// Appends an axis of the table or, if it counts the points of a grid, the axes of the grid.
void append_axis(PositionTable& table, const ListedAxis& listed) {
    const Axis& axis = listed.axis;
    if (axis.kind == AxisKind::batch && listed.extent == 1) return;
    if (axis.extents.empty()) {
        table.extents.push_back(listed.extent - axis.rows_before);
        table.axes.push_back(axis);
        return;
    }
    assert(product(axis.extents) == listed.extent - axis.rows_before);
    table.extents.insert(table.extents.end(), axis.extents.begin(), axis.extents.end());
    table.axes.insert(table.axes.end(), axis.extents.size(), Axis{.kind = AxisKind::pixel});
    if (!axis.is_by_columns) return;
    table.is_by_columns = true;
    const std::size_t rows = *(axis.extents.end() - 2), columns = axis.extents.back();
    for (Channel& channel : table.channels) {
        channel = by_rows(channel, rows, columns, channel.size() / table.positions());
    }
}

}  // namespace

std::int64_t PositionTable::positions() const { return product(extents); }

PositionTable flattened(PositionTable table) {
    table.extents = {table.positions()};
    table.axes = {Axis{.kind = AxisKind::position}};
    return table;
}

PositionTable read_positions(const Table& table) {
    const std::optional<int> channel_axis = channel_axis_of(table);
    const std::vector<ListedAxis> axes = listed_axes(table, channel_axis);
    PositionTable result{.extents = {},
                         .channels = listed_channels(table, channel_axis, axes),
                         .axes = {},
                         .channel_axis = channel_axis ? table.axes[*channel_axis] : Axis{}};
    for (const ListedAxis& axis : axes) append_axis(result, axis);
    return result.extents.empty() ? flattened(std::move(result)) : result;
}

bool is_shifted_along(const Axis& axis) {
    return axis.kind != AxisKind::batch && axis.kind != AxisKind::head &&
           axis.kind != AxisKind::function;
}

namespace {

/// Returns how far two values are apart; nothing if that is more than the closeness allows.
std::optional<double> apart_if_close(double a, double b, double position,
                                     const Closeness& closeness) {
    if (bits_of(a) == bits_of(b)) return 0.0;
    if (closeness.is_exact() || !std::isfinite(a) || !std::isfinite(b)) return {};
    const double apart = std::fabs(a - b), size = std::max(1.0, std::fabs(b));
    const double allowed = closeness.position * position + closeness.relative * size;
    if (apart > std::min(allowed, size / 64)) return {};
    return apart;
}

/// Returns the largest difference of two channels; nothing if a difference is more than the
/// closeness allows.
std::optional<double> apart_if_close(const Channel& a, const Channel& b, const Overlap& overlap) {
    double largest = 0;
    for (std::size_t i = 0; i < overlap.first.size(); ++i) {
        const auto apart = apart_if_close(a[overlap.first[i]], b[overlap.second[i]],
                                          overlap.positions[i], overlap.closeness);
        if (!apart) return {};
        largest = std::max(largest, *apart);
    }
    return largest;
}

bool are_equal(const Channel& a, const Channel& b, const Overlap& overlap) {
    return apart_if_close(a, b, overlap).has_value();
}

/// An order of channels in which public code bases differ.
struct Order {
    std::string_view words;
    std::int64_t unit;  ///< the number of channels must be a multiple of it
    std::int64_t (*channel)(std::int64_t c, std::int64_t count);
};

constexpr std::array orders{
    Order{"", 1, [](std::int64_t c, std::int64_t) { return c; }},
    Order{"its two halves exchanged", 2,
          [](std::int64_t c, std::int64_t count) { return (c + count / 2) % count; }},
    Order{"its even channels first, then its odd ones", 2,
          [](std::int64_t c, std::int64_t count) {
              return c < count / 2 ? 2 * c : 2 * (c - count / 2) + 1;
          }},
    Order{"its two halves interleaved", 2,
          [](std::int64_t c, std::int64_t count) { return c / 2 + c % 2 * (count / 2); }},
    Order{"each channel and the next exchanged", 2,
          [](std::int64_t c, std::int64_t) { return c ^ 1; }},
    Order{"its quarters in the order 1, 3, 2, 4", 4,
          [](std::int64_t c, std::int64_t count) {
              constexpr std::array<std::int64_t, 4> quarters{0, 2, 1, 3};
              const std::int64_t quarter = count / 4;
              return quarters[c / quarter] * quarter + c % quarter;
          }},
};

Rearrangement rearrangement(const Alignment& alignment, const Overlap& overlap) {
    return {.shift = alignment.shift, .channels = {}, .order = "", .zeros = overlap.zeros};
}

std::optional<Rearrangement> in_order(const Order& order, const PositionTable& a,
                                      const PositionTable& b, const Alignment& alignment,
                                      const Overlap& overlap) {
    const auto count = std::ssize(a.channels);
    if (a.channels.size() != b.channels.size() || count % order.unit != 0) return {};
    Rearrangement found = rearrangement(alignment, overlap);
    found.order = order.words;
    for (std::int64_t c = 0; c < count; ++c) {
        found.channels.push_back(order.channel(c, count));
        const Channel& other = b.channels[found.channels.back()];
        if (!are_equal(a.channels[c], other, overlap)) return {};
    }
    return found;
}

std::size_t hash_of(const Channel& channel, const std::vector<std::size_t>& positions) {
    std::uint64_t hash = 0;
    for (const std::size_t position : positions) {
        hash = (std::rotl(hash, 5) ^ bits_of(channel[position])) * 0x9e3779b97f4a7c15U;
    }
    return hash;
}

/// Pairs each channel of `a` with the closest channel of `b` that is still free.
std::optional<Rearrangement> in_any_close_order(const PositionTable& a, const PositionTable& b,
                                                const Alignment& alignment,
                                                const Overlap& overlap) {
    std::vector<bool> is_taken(b.channels.size());
    Rearrangement found = rearrangement(alignment, overlap);
    for (const Channel& channel : a.channels) {
        std::optional<std::size_t> closest;
        double least = 0;
        for (std::size_t c = 0; c < b.channels.size(); ++c) {
            if (is_taken[c]) continue;
            const auto apart = apart_if_close(channel, b.channels[c], overlap);
            if (!apart || (closest && *apart >= least)) continue;
            closest = c;
            least = *apart;
        }
        if (!closest) return {};
        is_taken[*closest] = true;
        found.channels.push_back(static_cast<std::int64_t>(*closest));
    }
    return found;
}

/// Pairs each channel of `a` with a channel of `b` that has the same values.
std::optional<Rearrangement> in_any_order(const PositionTable& a, const PositionTable& b,
                                          const Alignment& alignment, const Overlap& overlap) {
    if (!overlap.closeness.is_exact()) return in_any_close_order(a, b, alignment, overlap);
    std::unordered_multimap<std::size_t, std::size_t> left;
    // Channels are inserted from the last to the first: of equal channels, the first is found
    // first.
    for (std::size_t c = b.channels.size(); c-- > 0;) {
        left.emplace(hash_of(b.channels[c], overlap.second), c);
    }
    Rearrangement found = rearrangement(alignment, overlap);
    for (const Channel& channel : a.channels) {
        auto [candidate, end] = left.equal_range(hash_of(channel, overlap.first));
        while (candidate != end && !are_equal(channel, b.channels[candidate->second], overlap)) {
            ++candidate;
        }
        if (candidate == end) return {};
        found.channels.push_back(static_cast<std::int64_t>(candidate->second));
        left.erase(candidate);
    }
    return found;
}

bool has_zeros(const PositionTable& table) {
    for (std::int64_t position = 0; position < table.positions(); ++position) {
        if (is_zero(table, position)) return true;
    }
    return false;
}

std::vector<Alignment> all_alignments(const PositionTable& a, const PositionTable& b) {
    std::vector<Alignment> alignments;
    for (const bool is_without_zeros : {false, true}) {
        if (is_without_zeros && !has_zeros(a) && !has_zeros(b)) break;
        for (const std::int64_t shift : {0, 1, -1, 2, -2, 3, -3}) {
            alignments.push_back({shift, is_without_zeros});
        }
    }
    return alignments;
}

/// Measures the differences that a rearrangement leaves.
void measure(Rearrangement& found, const PositionTable& a, const PositionTable& b,
             const Overlap& overlap) {
    if (overlap.closeness.is_exact()) return;
    for (std::size_t c = 0; c < a.channels.size(); ++c) {
        const Channel& other = b.channels[found.channels[c]];
        for (std::size_t i = 0; i < overlap.first.size(); ++i) {
            const double apart =
                difference(a.channels[c][overlap.first[i]], other[overlap.second[i]]);
            found.largest = std::max(found.largest, apart);
            found.in_units =
                std::max(found.in_units, apart / (std::max(1.0, overlap.positions[i]) * 0x1p-23));
        }
    }
}

/// Returns what search(alignment, overlap) finds for the first alignment for which it succeeds.
template <class Search>
std::optional<Rearrangement> find_alignment(const PositionTable& a, const PositionTable& b,
                                            const std::vector<Alignment>& alignments,
                                            const Closeness& closeness, Search search) {
    for (const Alignment& alignment : alignments) {
        const Overlap overlap = overlap_of(a, b, alignment, closeness);
        // If more positions were left out than remain, unrelated tables could look equal.
        if (overlap.first.size() <= overlap.zeros.size()) continue;
        if (auto found = search(alignment, overlap)) {
            measure(*found, a, b, overlap);
            return found;
        }
    }
    return {};
}

/// Returns the distance from 1 to the next number of the dtype, but at least that distance in
/// float32, in which the values of wider types may have been computed.
double epsilon_of(DType dtype) {
    switch (dtype) {
        case DType::float16:
            return 0x1p-10;
        case DType::bfloat16:
            return 0x1p-7;
        default:
            return 0x1p-23;
    }
}

}  // namespace

Closeness closeness_of_float32(DType dtype) {
    return {.position = 0x1p-22, .relative = 2 * epsilon_of(dtype)};
}

std::optional<Rearrangement> find_rearrangement(const PositionTable& a, const PositionTable& b,
                                                const Closeness& closeness) {
    const std::vector<Alignment> alignments = all_alignments(a, b);
    const auto as_they_are = [&](const Alignment& alignment, const Overlap& overlap) {
        return in_order(orders.front(), a, b, alignment, overlap);
    };
    const auto rearranged = [&](const Alignment& alignment, const Overlap& overlap) {
        for (const Order& order : std::span(orders).subspan(1)) {
            if (auto found = in_order(order, a, b, alignment, overlap)) return found;
        }
        return in_any_order(a, b, alignment, overlap);
    };
    if (auto found = find_alignment(a, b, alignments, closeness, as_they_are)) return found;
    return find_alignment(a, b, alignments, closeness, rearranged);
}

std::string order_text(const Rearrangement& found, std::string_view channels) {
    if (!found.order.empty()) return fmt::format(", with {}", found.order);
    if (std::ranges::is_sorted(found.channels)) return "";
    constexpr std::size_t most_shown = 16;
    const std::size_t shown = std::min(found.channels.size(), most_shown);
    return fmt::format(", with its {} in the order {}{}", channels,
                       joined(std::span(found.channels).first(shown), ", "),
                       shown < found.channels.size() ? " ..." : "");
}

std::string exceptions_text(const Rearrangement& found, std::string_view owner) {
    if (found.zeros.empty()) return "";
    if (found.zeros.size() == 1) {
        return fmt::format(", but for row {}, which is zeros in {}", found.zeros.front(), owner);
    }
    return fmt::format(", but for {} rows, which are zeros in {}", found.zeros.size(), owner);
}

namespace {

/// Returns the distance from 0 of the position at an index of an axis of positions.
double distance_at(const Axis& axis, std::int64_t index) {
    if (!is_shifted_along(axis)) return 0;
    return std::fabs(axis.positions ? (*axis.positions)[index] : static_cast<double>(index));
}

/// The indices first, ..., first + count - 1 of an axis of the first table; the matching indices in
/// the second table are `shift` higher.
struct CommonPart {
    std::int64_t first;
    std::int64_t count;
    std::int64_t shift;
};

/// Returns the part that both tables have along each axis; empty if too little is left to compare.
std::vector<CommonPart> common_parts(const PositionTable& first, const PositionTable& second,
                                     std::int64_t shift) {
    std::vector<CommonPart> parts;
    for (std::size_t axis = 0; axis < first.extents.size(); ++axis) {
        const bool is_shifted =
            is_shifted_along(first.axes[axis]) && is_shifted_along(second.axes[axis]);
        const std::int64_t own_shift = is_shifted ? shift : 0;
        const std::int64_t begin = std::max<std::int64_t>(0, -own_shift);
        const std::int64_t shorter = std::min(first.extents[axis], second.extents[axis]);
        const std::int64_t count =
            std::min(first.extents[axis], second.extents[axis] - own_shift) - begin;
        if (count < std::clamp<std::int64_t>(shorter, 1, 2) || count < shorter / 2) return {};
        parts.push_back({begin, count, own_shift});
    }
    return parts;
}

}  // namespace

bool is_zero(const PositionTable& table, std::size_t position) {
    return std::ranges::all_of(
        table.channels, [&](const std::vector<double>& channel) { return channel[position] == 0; });
}

Overlap overlap_of(const PositionTable& first, const PositionTable& second,
                   const Alignment& alignment, const Closeness& closeness) {
    const std::vector<CommonPart> parts = common_parts(first, second, alignment.shift);
    if (parts.empty()) return {closeness, {}, {}, {}, {}};
    const std::vector<std::int64_t> of_first = strides_of(first.extents);
    const std::vector<std::int64_t> of_second = strides_of(second.extents);
    Overlap overlap{closeness, {}, {}, {}, {}};
    std::vector<std::int64_t> index(parts.size(), 0);
    for (bool is_done = false; !is_done;) {
        std::int64_t p = 0, q = 0;
        double position = 0;
        for (std::size_t axis = 0; axis < parts.size(); ++axis) {
            const std::int64_t i = parts[axis].first + index[axis], j = i + parts[axis].shift;
            p += i * of_first[axis];
            q += j * of_second[axis];
            if (closeness.is_exact()) continue;
            position = std::max(
                {position, distance_at(first.axes[axis], i), distance_at(second.axes[axis], j)});
        }
        if (alignment.is_without_zeros && (is_zero(first, p) || is_zero(second, q))) {
            overlap.zeros.push_back(p);
        } else {
            overlap.first.push_back(p);
            overlap.second.push_back(q);
            overlap.positions.push_back(position);
        }
        std::size_t axis = parts.size();
        while (axis > 0 && ++index[axis - 1] == parts[axis - 1].count) index[--axis] = 0;
        is_done = axis == 0;
    }
    return overlap;
}

double difference(double a, double b) {
    if (bits_of(a) == bits_of(b)) return 0;
    if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
    return std::fabs(a - b);
}

namespace {

/// Returns the axes of positions. An axis that counts heads or the like in one of the tables is
/// taken from that table, so that positions are not shifted along it.
std::vector<Axis> common_axes(const PositionTable& first, const PositionTable& second) {
    std::vector<Axis> axes = first.axes;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        if (!is_shifted_along(second.axes[axis])) axes[axis] = second.axes[axis];
    }
    return axes;
}

}  // namespace

Comparison compare(const PositionTable& first, const PositionTable& second,
                   const Closeness& closeness) {
    assert(first.channels.size() <= second.channels.size());
    if (first.extents.size() != second.extents.size()) {
        return compare(flattened(first), flattened(second), closeness);
    }
    Comparison result{.axes = common_axes(first, second),
                      .compared = 0,
                      .differing = 0,
                      .largest = 0,
                      .place = {},
                      .channel = 0,
                      .rearrangement = find_rearrangement(first, second, {})};
    if (!result.rearrangement && !closeness.is_exact()) {
        result.rearrangement = find_rearrangement(first, second, closeness);
    }
    const Overlap overlap = overlap_of(first, second, {0, false}, {});
    for (std::size_t i = 0; i < overlap.first.size(); ++i) {
        for (std::size_t c = 0; c < first.channels.size(); ++c) {
            const double apart = difference(first.channels[c][overlap.first[i]],
                                            second.channels[c][overlap.second[i]]);
            ++result.compared;
            if (apart > 0) ++result.differing;
            if (apart > result.largest) {
                result.largest = apart;
                result.place = index_of(static_cast<std::int64_t>(overlap.first[i]), first.extents);
                result.channel = static_cast<std::int64_t>(c);
            }
        }
    }
    return result;
}

}  // namespace pegen
