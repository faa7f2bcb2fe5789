#include "identify/evidence_bits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <unordered_set>

#include "core/to_size.h"

namespace pegen::identify {
namespace {

/// Returns what it takes to write a number: its binary digits without zeros at the end and, of
/// small ones, how many places it is behind the point.
double digits_of(double value) {
    if (value == 0) return 1;
    int exponent = 0;
    const double fraction = std::abs(std::frexp(value, &exponent));
    const auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    const double places = std::max(0, 1 - exponent);
    return 54 - std::countr_zero(digits) + 2 * std::log2(1 + places);
}

/// True if each value is that of its neighbour to the left and above, as in the identity, in bands
/// and in masks.
bool is_constant_along_diagonals(std::span<const double> values, std::size_t columns) {
    for (std::size_t i = columns; i < values.size(); ++i) {
        if (i % columns > 0 && values[i] != values[i - columns - 1]) return false;
    }
    return true;
}

/// Returns how many rows in front are the same as the one after them: they say nothing more.
std::size_t repeated_rows(std::span<const double> values, std::size_t columns) {
    std::size_t i = columns;
    while (i < values.size() && values[i] == values[i - columns]) ++i;
    return i / columns - 1;
}

}  // namespace

double evidence_in(const evidence::Sample& array, Level level) {
    constexpr std::size_t enough = std::size_t{1} << 16;
    const std::size_t columns = to_size(array.extents.size() == 1 ? 1 : array.extents.back());
    const std::size_t first = repeated_rows(array.values, columns) * columns;
    const std::size_t count = std::min(array.values.size() - first, enough);
    const auto values = std::span(array.values).subspan(first, count);
    const double range = std::max(evidence::largest_magnitude(values), 0x1p-100);
    const double of_code = level == Level::float32 ? range * 0x1p-20 : 0;
    const double bits_of_any =
        std::log2(1 + range / std::max(evidence::unit_of(range, array.precision), of_code));
    // A number that rounding makes of another one says no more than that one.
    const auto is_new = [&](double value, double before) {
        const double larger = std::max(std::abs(value), std::abs(before));
        const double unit = evidence::unit_of(larger, array.precision);
        return value != before && !(std::abs(value - before) <= std::max(unit, of_code));
    };
    double bits = 0, repeated = 0, changes = 0;
    std::unordered_set<double> seen;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = values[i];
        const bool is_changed = i >= columns && is_new(value, values[i - columns]);
        changes += is_changed ? 1 : 0;
        const bool is_repeated = (i >= 1 && !is_new(value, values[i - 1])) ||
                                 (i >= columns && !is_changed) || !std::isfinite(value);
        if (is_repeated) {
            ++repeated;
            continue;
        }
        // Small whole numbers and simple parts of them say less; numbers that were there before say
        // which of these they are.
        const double most = seen.insert(value).second
                                ? digits_of(value)
                                : std::log2(1 + static_cast<double>(seen.size()));
        bits += std::min(bits_of_any, most);
    }
    constexpr std::size_t several = 4;
    if (seen.size() >= several) return bits + repeated / 4;
    // Of two or three values, those that change from row to row say in which of the columns.
    if (is_constant_along_diagonals(values, columns)) return bits;
    return bits + changes * std::log2(1 + static_cast<double>(columns));
}

}  // namespace pegen::identify
