#include "pegen/core/comparison.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace pegen {
namespace {

using Channels = std::vector<std::int64_t>;

/// A table in memory, channel by channel.
struct Columns {
    std::int64_t rows;
    std::vector<std::vector<double>> values;
};

Columns read_columns(const Table& table) {
    const std::int64_t rows = table.shape.rows(), count = table.shape.columns();
    Columns columns{rows, std::vector(static_cast<std::size_t>(count), std::vector<double>())};
    const std::vector<double> values = read_rows(table, {0, rows});
    for (std::size_t i = 0; i < values.size(); ++i) {
        // One zero and one NaN, so that equal values have equal bits.
        const double value =
            std::isnan(values[i]) ? std::numeric_limits<double>::quiet_NaN() : values[i] + 0.0;
        columns.values[i % static_cast<std::size_t>(count)].push_back(value);
    }
    return columns;
}

bool are_equal(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Rows of two tables that lie upon each other.
struct Overlap {
    std::int64_t first;   ///< row of the first table
    std::int64_t second;  ///< row of the second
    std::int64_t count;
};

Overlap overlap_of(std::int64_t rows, std::int64_t other_rows, std::int64_t shift) {
    const std::int64_t begin = std::max<std::int64_t>(0, -shift);
    return {begin, begin + shift, std::min(rows, other_rows - shift) - begin};
}

std::span<const double> part(const std::vector<double>& column, std::int64_t row,
                             std::int64_t count) {
    return std::span(column).subspan(static_cast<std::size_t>(row),
                                     static_cast<std::size_t>(count));
}

bool are_equal(const Columns& a, std::int64_t channel, const Columns& b, std::int64_t other_channel,
               const Overlap& overlap) {
    const auto of = [&](const Columns& table, std::int64_t c, std::int64_t row) {
        return part(table.values[static_cast<std::size_t>(c)], row, overlap.count);
    };
    return std::ranges::equal(of(a, channel, overlap.first), of(b, other_channel, overlap.second),
                              [](double x, double y) { return are_equal(x, y); });
}

/// An order of channels that code bases differ by.
struct Order {
    std::string_view words;
    std::int64_t (*channel)(std::int64_t c, std::int64_t count);
};

constexpr std::array orders{
    Order{"", [](std::int64_t c, std::int64_t) { return c; }},
    Order{"its two halves exchanged",
          [](std::int64_t c, std::int64_t count) { return (c + count / 2) % count; }},
    Order{"its even channels first, then its odd ones",
          [](std::int64_t c, std::int64_t count) {
              return c < count / 2 ? 2 * c : 2 * (c - count / 2) + 1;
          }},
    Order{"its two halves interleaved",
          [](std::int64_t c, std::int64_t count) { return c / 2 + c % 2 * (count / 2); }},
    Order{"each channel and the next exchanged",
          [](std::int64_t c, std::int64_t) { return c ^ 1; }},
    Order{"its quarters in the order 1, 3, 2, 4",
          [](std::int64_t c, std::int64_t count) {
              constexpr std::array<std::int64_t, 4> quarters{0, 2, 1, 3};
              const std::int64_t quarter = count / 4;
              return quarters[static_cast<std::size_t>(c / quarter)] * quarter + c % quarter;
          }},
};

/// Whether the order is one of `count` channels: each is there once.
bool fits(const Order& order, std::int64_t count) {
    return order.words.empty() || count % 4 == 0 ||
           (count % 2 == 0 && order.words.find("quarters") == std::string_view::npos);
}

std::optional<Rearrangement> in_known_order(const Columns& a, const Columns& b,
                                            const Overlap& overlap, std::int64_t shift) {
    const auto count = static_cast<std::int64_t>(a.values.size());
    for (const Order& order : orders) {
        if (!fits(order, count)) continue;
        Channels channels(a.values.size());
        std::iota(channels.begin(), channels.end(), 0);
        for (std::int64_t& c : channels) c = order.channel(c, count);
        bool is_equal = true;
        for (std::int64_t c = 0; c < count && is_equal; ++c) {
            is_equal = are_equal(a, c, b, channels[static_cast<std::size_t>(c)], overlap);
        }
        if (is_equal) return Rearrangement{shift, std::move(channels), order.words};
    }
    return {};
}

/// Each channel of `a` beside one of `b` with the same values.
std::optional<Rearrangement> in_any_order(const Columns& a, const Columns& b,
                                          const Overlap& overlap, std::int64_t shift) {
    std::vector<bool> is_taken(b.values.size());
    Channels channels;
    for (std::size_t c = 0; c < a.values.size(); ++c) {
        std::size_t other = 0;
        while (other < b.values.size() &&
               (is_taken[other] || !are_equal(a, static_cast<std::int64_t>(c), b,
                                              static_cast<std::int64_t>(other), overlap))) {
            ++other;
        }
        if (other == b.values.size()) return {};
        is_taken[other] = true;
        channels.push_back(static_cast<std::int64_t>(other));
    }
    return Rearrangement{shift, std::move(channels), ""};
}

std::optional<Rearrangement> find_rearrangement(const Columns& a, const Columns& b) {
    for (const std::int64_t shift : {0, 1, -1, 2, -2, 3, -3}) {
        const Overlap overlap = overlap_of(a.rows, b.rows, shift);
        const std::int64_t shorter = std::min(a.rows, b.rows);
        if (overlap.count < std::min<std::int64_t>(2, shorter) || overlap.count < shorter / 2) {
            continue;
        }
        if (auto found = in_known_order(a, b, overlap, shift)) return found;
        if (auto found = in_any_order(a, b, overlap, shift)) return found;
    }
    return {};
}

double difference(double a, double b) {
    if (are_equal(a, b)) return 0;
    if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
    return std::fabs(a - b);
}

}  // namespace

Comparison compare(const Table& first, const Table& second) {
    assert(first.shape.columns() == second.shape.columns());
    const Columns a = read_columns(first), b = read_columns(second);
    const std::int64_t rows = std::min(a.rows, b.rows);
    Comparison result{rows * first.shape.columns(), 0, 0, 0, 0, find_rearrangement(a, b)};
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::size_t c = 0; c < a.values.size(); ++c) {
            const auto place = static_cast<std::size_t>(row);
            const double apart = difference(a.values[c][place], b.values[c][place]);
            if (apart > 0) ++result.differing;
            if (apart > result.largest) {
                result.largest = apart;
                result.row = row;
                result.channel = static_cast<std::int64_t>(c);
            }
        }
    }
    return result;
}

}  // namespace pegen
