#include "inspect/comparison.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <unordered_map>

#include "core/to_size.h"

namespace pegen {
namespace {

using Extents = std::vector<std::int64_t>;
using Channel = std::vector<double>;

std::int64_t product(std::span<const std::int64_t> extents) {
    return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

/// One zero and one NaN, so that equal values have equal bits.
double of_one_pattern(double value) {
    return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value + 0.0;
}

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

/// How positions of the second table are found from those of the first.
struct Way {
    std::int64_t shift;
    bool is_without_zeros;
};

/// Positions that lie upon each other: first[i] upon second[i].
struct Overlap {
    std::vector<std::size_t> first;
    std::vector<std::size_t> second;
    std::vector<std::int64_t> zeros;  ///< positions of the first that are left out
};

/// From one index of an axis to the next.
Extents strides(const Extents& extents) {
    Extents result(extents.size(), 1);
    for (std::size_t axis = extents.size(); axis-- > 1;) {
        result[axis - 1] = result[axis] * extents[axis];
    }
    return result;
}

bool is_zero(const PositionTable& table, std::size_t position) {
    return std::ranges::all_of(table.channels,
                               [&](const Channel& channel) { return channel[position] == 0; });
}

/// The indices first ... first + count - 1 of an axis.
struct Part {
    std::int64_t first;
    std::int64_t count;
};

/// Of the first table's axes, what the second has too. Empty: too little is left.
std::vector<Part> common_parts(const Extents& first, const Extents& second, std::int64_t shift) {
    std::vector<Part> parts;
    for (std::size_t axis = 0; axis < first.size(); ++axis) {
        const std::int64_t begin = std::max<std::int64_t>(0, -shift);
        const std::int64_t count = std::min(first[axis], second[axis] - shift) - begin;
        const std::int64_t shorter = std::min(first[axis], second[axis]);
        if (count < std::min<std::int64_t>(2, shorter) || count < shorter / 2) return {};
        parts.push_back({begin, count});
    }
    return parts;
}

Overlap overlap_of(const PositionTable& first, const PositionTable& second, const Way& way) {
    const std::vector<Part> parts = common_parts(first.extents, second.extents, way.shift);
    if (parts.empty()) return {};
    const Extents of_first = strides(first.extents);
    const Extents of_second = strides(second.extents);
    Overlap overlap;
    Extents index(parts.size(), 0);
    for (bool is_done = false; !is_done;) {
        std::int64_t p = 0, q = 0;
        for (std::size_t axis = 0; axis < parts.size(); ++axis) {
            p += (parts[axis].first + index[axis]) * of_first[axis];
            q += (parts[axis].first + index[axis] + way.shift) * of_second[axis];
        }
        if (way.is_without_zeros && (is_zero(first, to_size(p)) || is_zero(second, to_size(q)))) {
            overlap.zeros.push_back(p);
        } else {
            overlap.first.push_back(to_size(p));
            overlap.second.push_back(to_size(q));
        }
        std::size_t axis = parts.size();
        while (axis > 0 && ++index[axis - 1] == parts[axis - 1].count) index[--axis] = 0;
        is_done = axis == 0;
    }
    return overlap;
}

bool are_equal(const Channel& a, const Channel& b, const Overlap& overlap) {
    for (std::size_t i = 0; i < overlap.first.size(); ++i) {
        if (bits_of(a[overlap.first[i]]) != bits_of(b[overlap.second[i]])) return false;
    }
    return true;
}

/// An order of channels that code bases differ by.
struct Order {
    std::string_view words;
    std::int64_t unit;  ///< what the number of channels must be a multiple of
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
              return quarters[to_size(c / quarter)] * quarter + c % quarter;
          }},
};

Rearrangement rearrangement(const Way& way, const Overlap& overlap) {
    return {way.shift, {}, "", overlap.zeros};
}

std::optional<Rearrangement> in_order(const Order& order, const PositionTable& a,
                                      const PositionTable& b, const Way& way,
                                      const Overlap& overlap) {
    const auto count = std::ssize(a.channels);
    if (a.channels.size() != b.channels.size() || count % order.unit != 0) return {};
    Rearrangement found = rearrangement(way, overlap);
    found.order = order.words;
    for (std::int64_t c = 0; c < count; ++c) {
        found.channels.push_back(order.channel(c, count));
        const Channel& other = b.channels[to_size(found.channels.back())];
        if (!are_equal(a.channels[to_size(c)], other, overlap)) return {};
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

/// Each channel of `a` beside one of `b` with the same values.
std::optional<Rearrangement> in_any_order(const PositionTable& a, const PositionTable& b,
                                          const Way& way, const Overlap& overlap) {
    std::unordered_multimap<std::size_t, std::size_t> left;
    // Of equal channels the first is found first.
    for (std::size_t c = b.channels.size(); c-- > 0;) {
        left.emplace(hash_of(b.channels[c], overlap.second), c);
    }
    Rearrangement found = rearrangement(way, overlap);
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
        if (is_zero(table, to_size(position))) return true;
    }
    return false;
}

std::vector<Way> all_ways(const PositionTable& a, const PositionTable& b) {
    std::vector<Way> ways;
    for (const bool is_without_zeros : {false, true}) {
        if (is_without_zeros && !has_zeros(a) && !has_zeros(b)) break;
        for (const std::int64_t shift : {0, 1, -1, 2, -2, 3, -3}) {
            ways.push_back({shift, is_without_zeros});
        }
    }
    return ways;
}

/// search(way, overlap) of the first way for which it finds something.
template <class Search>
std::optional<Rearrangement> find_way(const PositionTable& a, const PositionTable& b,
                                      const std::vector<Way>& ways, Search search) {
    for (const Way& way : ways) {
        const Overlap overlap = overlap_of(a, b, way);
        // Where little but zeros is left, everything is like everything.
        if (overlap.first.size() <= overlap.zeros.size()) continue;
        if (auto found = search(way, overlap)) return found;
    }
    return {};
}

std::optional<Rearrangement> find_rearrangement(const PositionTable& a, const PositionTable& b) {
    const std::vector<Way> ways = all_ways(a, b);
    const auto as_they_are = [&](const Way& way, const Overlap& overlap) {
        return in_order(orders.front(), a, b, way, overlap);
    };
    const auto rearranged = [&](const Way& way, const Overlap& overlap) {
        for (const Order& order : std::span(orders).subspan(1)) {
            if (auto found = in_order(order, a, b, way, overlap)) return found;
        }
        return in_any_order(a, b, way, overlap);
    };
    if (auto found = find_way(a, b, ways, as_they_are)) return found;
    return find_way(a, b, ways, rearranged);
}

/// Grids of `rows` x `columns` that were listed by columns, by rows.
Channel turned(const Channel& channel, std::size_t rows, std::size_t columns) {
    Channel result(channel.size());
    const std::size_t size = rows * columns;
    for (std::size_t i = 0; i < channel.size(); ++i) {
        const std::size_t row = i % size % rows, column = i % size / rows;
        result[i - i % size + row * columns + column] = channel[i];
    }
    return result;
}

double difference(double a, double b) {
    if (bits_of(a) == bits_of(b)) return 0;
    if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
    return std::fabs(a - b);
}

/// The indices of a position along each axis.
Extents place_of(std::int64_t position, const Extents& extents) {
    Extents place(extents.size());
    for (std::size_t axis = extents.size(); axis-- > 0; position /= extents[axis]) {
        place[axis] = position % extents[axis];
    }
    return place;
}

}  // namespace

std::int64_t PositionTable::positions() const { return product(extents); }

PositionTable read_positions(const Table& table, const PositionLayout& layout) {
    const Extents& all = table.shape.extents();
    const auto axis = static_cast<std::size_t>(layout.channel_axis);
    const std::size_t channels = to_size(all[axis]);
    const std::size_t inner = to_size(product(std::span(all).subspan(axis + 1)));
    PositionTable result{layout.extents, std::vector<Channel>(channels)};
    const std::vector<double> values =
        read_rows(table, {layout.rows_before, table.shape.rows() - layout.rows_before});
    assert(std::ssize(values) == result.positions() * std::ssize(result.channels));
    for (std::size_t i = 0; i < values.size(); ++i) {
        result.channels[i / inner % channels].push_back(of_one_pattern(values[i]));
    }
    if (layout.is_by_columns) {
        const auto rows = to_size(*(layout.extents.end() - 2)),
                   columns = to_size(layout.extents.back());
        for (Channel& channel : result.channels) channel = turned(channel, rows, columns);
    }
    return result;
}

Comparison compare(PositionTable first, PositionTable second) {
    assert(first.channels.size() <= second.channels.size());
    if (first.extents.size() != second.extents.size()) {
        first.extents = {first.positions()};
        second.extents = {second.positions()};
    }
    Comparison result{first.extents.size(), 0, 0, 0, {}, 0, find_rearrangement(first, second)};
    const Overlap overlap = overlap_of(first, second, {0, false});
    for (std::size_t i = 0; i < overlap.first.size(); ++i) {
        for (std::size_t c = 0; c < first.channels.size(); ++c) {
            const double apart = difference(first.channels[c][overlap.first[i]],
                                            second.channels[c][overlap.second[i]]);
            ++result.compared;
            if (apart > 0) ++result.differing;
            if (apart > result.largest) {
                result.largest = apart;
                result.place = place_of(static_cast<std::int64_t>(overlap.first[i]), first.extents);
                result.channel = static_cast<std::int64_t>(c);
            }
        }
    }
    return result;
}

}  // namespace pegen
