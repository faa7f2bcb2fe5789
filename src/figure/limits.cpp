#include "figure/limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/clones.h"
#include "core/parallel.h"
#include "figure/heatmap.h"

namespace pegen {
namespace {

/// The number of values read, and converted to doubles, at a time; the doubles stay in the L1
/// cache.
constexpr std::int64_t block_values = 1 << 15;
constexpr std::size_t piece_values = 1 << 11;

/// The least number of values for which another thread pays off.
constexpr std::int64_t part_values = 1 << 20;

/// The limits of every 16th value, 16 times: with a single minimum the loop would not be
/// vectorised.
struct Lanes {
    static constexpr std::size_t count = 16;
    std::array<double, count> low, high;

    Lanes() {
        low.fill(no_limits.low);
        high.fill(no_limits.high);
    }
    // Comparisons with NaN are false, so NaN changes nothing.
    void widen(std::size_t lane, double value) {
        constexpr double largest = std::numeric_limits<double>::max();
        const double lower = value >= -largest ? value : no_limits.low;
        const double higher = value <= largest ? value : no_limits.high;
        low[lane] = lower < low[lane] ? lower : low[lane];
        high[lane] = higher > high[lane] ? higher : high[lane];
    }
};

PEGEN_CLONES void widen(Lanes& lanes, std::span<const double> values) {
    Lanes found = lanes;
    const std::size_t whole = values.size() - values.size() % Lanes::count;
    for (std::size_t i = 0; i < whole; i += Lanes::count) {
        for (std::size_t lane = 0; lane < Lanes::count; ++lane) found.widen(lane, values[i + lane]);
    }
    for (std::size_t i = whole; i < values.size(); ++i) found.widen(i - whole, values[i]);
    lanes = found;
}

Limits limits_of_elements(std::span<const std::byte> elements, DType dtype) {
    std::array<double, piece_values> piece;
    const std::size_t bytes = piece_values * info(dtype).size;
    Limits limits = no_limits;
    for (; !elements.empty(); elements = elements.subspan(std::min(bytes, elements.size()))) {
        const auto some = elements.first(std::min(bytes, elements.size()));
        const auto values = std::span(piece).first(some.size() / info(dtype).size);
        load(some, dtype, values);
        limits = merge(limits, limits_of(values));
    }
    return limits;
}

}  // namespace

Limits merge(Limits a, Limits b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

Limits limits_of(std::span<const double> values) {
    Lanes lanes;
    widen(lanes, values);
    return {*std::min_element(lanes.low.begin(), lanes.low.end()),
            *std::max_element(lanes.high.begin(), lanes.high.end())};
}

Limits or_any(Limits limits) { return limits == no_limits ? Limits{0, 1} : limits; }

void SharedLimits::add(std::span<const double> values) {
    const Limits more = limits_of(values);
    const std::lock_guard lock(mutex_);
    limits_ = merge(limits_, more);
}

Limits finite_limits(const Table& table) {
    const std::int64_t rows = table.shape.rows();
    const std::int64_t block = rows_holding(block_values, table.shape.columns());
    const std::int64_t part = rows_holding(part_values, table.shape.columns());
    Limits limits = no_limits;
    std::mutex mutex;
    parallel_for((rows + part - 1) / part, [&](std::int64_t item) {
        const std::int64_t end = std::min(rows, (item + 1) * part);
        RowReader reader(table);
        Limits found = no_limits;
        for (std::int64_t first = item * part; first < end; first += block) {
            const RowRange range{first, std::min(block, end - first)};
            found = merge(found, limits_of_elements(reader.elements(range), table.dtype));
        }
        const std::lock_guard lock(mutex);
        limits = merge(limits, found);
    });
    return limits;
}

Limits set_apart(Limits limits) {
    constexpr double share = 0.1;
    // Below this magnitude, steps between ticks would be near the smallest doubles.
    constexpr double nearly_zero = 1e-287;
    constexpr double rounding = 1e-15;
    const double magnitude = std::max(std::fabs(limits.low), std::fabs(limits.high));
    if (magnitude < nearly_zero) return {-share, share};
    if (limits.high - limits.low > magnitude * rounding) return limits;
    // Infinite limits are cut off at the largest double.
    const auto finite = [](double value) {
        constexpr double largest = std::numeric_limits<double>::max();
        return std::clamp(value, -largest, largest);
    };
    return {finite(limits.low - share * std::fabs(limits.low)),
            finite(limits.high + share * std::fabs(limits.high))};
}

}  // namespace pegen
