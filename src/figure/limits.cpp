#include "pegen/figure/limits.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "pegen/core/parallel.h"

namespace pegen {
namespace {

/// Values read at a time; fits the L2 cache.
constexpr std::int64_t block_values = 1 << 15;

/// Values that are worth a thread.
constexpr std::int64_t part_values = 1 << 20;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Limits nothing{infinity, -infinity};

Limits merge(Limits a, Limits b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }

Limits limits_of(const std::vector<double>& values) {
    Limits limits = nothing;
    for (const double value : values) {
        if (std::isfinite(value)) limits = merge(limits, {value, value});
    }
    return limits;
}

}  // namespace

Limits value_limits(const Table& table) {
    const std::int64_t rows = table.shape.rows();
    const std::int64_t block = rows_holding(block_values, table.shape.columns());
    const std::int64_t part = rows_holding(part_values, table.shape.columns());
    Limits limits = nothing;
    std::mutex mutex;
    parallel_for((rows + part - 1) / part, [&](std::int64_t item) {
        const std::int64_t end = std::min(rows, (item + 1) * part);
        Limits found = nothing;
        for (std::int64_t first = item * part; first < end; first += block) {
            found =
                merge(found, limits_of(read_rows(table, {first, std::min(block, end - first)})));
        }
        const std::lock_guard lock(mutex);
        limits = merge(limits, found);
    });
    return limits == nothing ? Limits{0, 1} : limits;
}

Limits set_apart(Limits limits) {
    constexpr double share = 0.1;
    // Below this, steps between ticks would come near the smallest doubles.
    constexpr double nearly_zero = 1e-287;
    constexpr double rounding = 1e-15;
    const double magnitude = std::max(std::fabs(limits.low), std::fabs(limits.high));
    if (magnitude < nearly_zero) return {-share, share};
    if (limits.high - limits.low > magnitude * rounding) return limits;
    // Not beyond the largest double.
    const auto finite = [](double value) {
        constexpr double largest = std::numeric_limits<double>::max();
        return std::clamp(value, -largest, largest);
    };
    return {finite(limits.low - share * std::fabs(limits.low)),
            finite(limits.high + share * std::fabs(limits.high))};
}

}  // namespace pegen
