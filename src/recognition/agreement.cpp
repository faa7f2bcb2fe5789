#include "recognition/agreement.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numbers>
#include <span>
#include <unordered_set>
#include <utility>

#include "core/dtype.h"
#include "core/parallel.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/identify.h"
#include "recognition/views.h"
#include "rows/arranged.h"

namespace pegen::recognition {
namespace {

/// Returns the number of bits it takes to write a number: its binary digits without zeros at the
/// end and, for small numbers, how many places it is behind the point.
double digits_of(double value) {
    if (value == 0) return 1;
    int exponent = 0;
    const double fraction = std::abs(std::frexp(value, &exponent));
    const auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    const double places = std::max(0, 1 - exponent);
    return 54 - std::countr_zero(digits) + 2 * std::log2(1 + places);
}

/// True if each value equals its neighbour to the left and above, as in the identity, in bands and
/// in masks.
bool is_constant_along_diagonals(std::span<const double> values, std::size_t columns) {
    for (std::size_t i = columns; i < values.size(); ++i) {
        if (i % columns > 0 && values[i] != values[i - columns - 1]) return false;
    }
    return true;
}

/// Returns how many leading rows are the same as the row after them. Such rows say nothing more.
std::size_t repeated_rows(std::span<const double> values, std::size_t columns) {
    std::size_t i = columns;
    while (i < values.size() && values[i] == values[i - columns]) ++i;
    return i / columns - 1;
}

/// Returns the evidence of an array for a command that agrees with it at this level, in bits. Each
/// value that differs from its neighbours to the left and above contributes the logarithm of the
/// number of values it might have had in its range. Looks at some ten thousand values, and takes
/// the others for as telling.
double evidence_in(const Sample& array, Level level) {
    constexpr std::size_t enough = std::size_t{1} << 16;
    const std::size_t columns = array.extents.size() == 1 ? 1 : array.extents.back();
    const std::size_t first = repeated_rows(array.values, columns) * columns;
    const std::size_t count = std::min(array.values.size() - first, enough);
    const auto values = std::span(array.values).subspan(first, count);
    const double range = std::max(evidence::largest_magnitude(values), 0x1p-100);
    const double of_code = level == Level::float32 ? range * 0x1p-20 : 0;
    const double bits_of_any =
        std::log2(1 + range / std::max(evidence::unit_of(range, array.precision), of_code));
    // A value that another one may become by rounding says no more than that other value.
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
        // Small whole numbers and simple fractions of them say less. A value that was seen before
        // says only which of the seen values it is.
        const double most = seen.insert(value).second
                                ? digits_of(value)
                                : std::log2(1 + static_cast<double>(seen.size()));
        bits += std::min(bits_of_any, most);
    }
    const double share =
        static_cast<double>(count) / static_cast<double>(array.values.size() - first);
    constexpr std::size_t several = 4;
    if (seen.size() >= several) return (bits + repeated / 4) / share;
    // If there are only two or three values, the values that change from row to row say in which of
    // the columns they do.
    if (is_constant_along_diagonals(values, columns)) return bits;
    return bits + changes * std::log2(1 + static_cast<double>(columns));
}

/// The result of the comparison of one block.
struct Found {
    double largest = -1;
    std::int64_t at = 0;  ///< the element with the largest difference
    std::int64_t unequal = 0;
    std::int64_t beyond_rounding = 0;
    std::int64_t beyond_float32 = 0;
    std::int64_t of_float32 = 0;  ///< values beyond rounding that show the number of float32 code

    void add(const Found& other) {
        if (other.largest > largest || (other.largest == largest && other.at < at)) {
            largest = other.largest;
            at = other.at;
        }
        unequal += other.unequal;
        beyond_rounding += other.beyond_rounding;
        beyond_float32 += other.beyond_float32;
        of_float32 += other.of_float32;
    }
};

/// The differences that are allowed between a value and the exact one.
struct Allowance {
    evidence::Precision precision;
    double amplitude;
    const Proposal& proposal;
    std::int64_t columns;  ///< number of elements at one index of the first axis

    double angle_of(std::int64_t element) const {
        if (!proposal.angle) return 0;
        return std::abs(proposal.angle(element / columns, element % columns));
    }

    double rounding(double value, std::int64_t element) const {
        const double unit = evidence::unit_of(value, precision);
        if (precision.digits < 53) return unit;
        if (proposal.has_powers) return unit + std::abs(value) * 0x1p-46;
        return unit + amplitude * 0x1p-50 * (1 + angle_of(element));
    }

    double float32(double value, std::int64_t element) const {
        constexpr evidence::Precision single{DType::float32, 24, -149};
        const bool is_wider = precision.digits > single.digits;
        const double unit = evidence::unit_of(value, is_wider ? single : precision);
        if (proposal.has_powers) return 2 * unit + std::abs(value) * 0x1p-20;
        return 2 * unit + amplitude * 0x1p-23 * (1 + 8 * angle_of(element));
    }
};

double difference(double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double apart = std::abs(a - b);
    return std::isfinite(apart) ? apart : std::numeric_limits<double>::infinity();
}

/// True if the value is a number of float32, or the sine or cosine of one, or of such a number
/// times pi.
bool is_of_float32_code(double value) {
    constexpr double error = 0x1p-51;
    if (evidence::shows_float32(value, 0) || std::fabs(value) > 0.9) {
        return evidence::shows_float32(value, 0);
    }
    for (const double angle : {std::asin(value), std::acos(value)}) {
        if (evidence::shows_float32(angle, error) ||
            evidence::shows_float32(angle / std::numbers::pi, error)) {
            return true;
        }
    }
    return false;
}

/// Compares the two lists of elements, whose first element has the index `first`.
Found compared(std::span<const double> made, std::span<const double> array, std::int64_t first,
               const Allowance& allowance) {
    Found found;
    for (std::size_t i = 0; i < made.size(); ++i) {
        const double apart = difference(made[i], array[i]);
        const std::int64_t element = first + static_cast<std::int64_t>(i);
        if (apart > found.largest) {
            found.largest = apart;
            found.at = element;
        }
        if (apart == 0) continue;
        // Rounding the exact value changes it by at most half a unit.
        found.unequal += apart > evidence::unit_of(made[i], allowance.precision) / 2 ? 1 : 0;
        if (apart <= allowance.rounding(made[i], element)) continue;
        ++found.beyond_rounding;
        if (!(apart <= allowance.float32(made[i], element))) ++found.beyond_float32;
        if (allowance.precision.digits > 24 && is_of_float32_code(array[i])) ++found.of_float32;
    }
    return found;
}

Agreement agreement_with(const Found& found, std::int64_t values, const Sample& array) {
    Agreement agreement;
    agreement.values = values;
    agreement.largest = std::max(found.largest, 0.0);
    agreement.place = index_of(found.at, array.extents);
    agreement.unequal = found.unequal;
    agreement.differing = found.beyond_float32;
    // If the values have more digits than float32, some must show that code in float32 made them.
    constexpr std::int64_t enough = 4;
    const bool may_be_float32 = array.precision.digits <= 24 || found.of_float32 >= enough;
    agreement.level = found.beyond_rounding == 0                    ? Level::rounding
                      : found.beyond_float32 == 0 && may_be_float32 ? Level::float32
                                                                    : Level::none;
    if (agreement.level != Level::none) agreement.evidence = evidence_in(array, agreement.level);
    return agreement;
}

/// The row-by-row comparison of a table and an array of the same shape, apart from extents of 1.
class Comparison {
  public:
    Comparison(Table made, const Sample& array, const Proposal& proposal)
        : made_(std::move(made)),
          array_(array),
          // Rows differ in length if one of the tables has extents of 1 that the other lacks; but
          // each longer row is a whole number of shorter rows.
          row_(std::max(made_.shape.columns(), array.table.shape.columns())),
          allowance_{array.precision, amplitude(), proposal,
                     made_.shape.size() / array.extents.front()} {}

    std::int64_t values_in_row() const { return row_; }

    /// Compares rows. The array's rows are read for Scope::whole, and are in memory otherwise.
    Found operator()(RowRange range, Scope scope) const {
        const std::vector<double> ours = read(made_, range);
        const std::int64_t first = range.first * row_;
        if (scope == Scope::whole) {
            return compared(ours, read(array_.table, range), first, allowance_);
        }
        const auto theirs = std::span(array_.values).subspan(first, ours.size());
        return compared(ours, theirs, first, allowance_);
    }

  private:
    /// Returns the amplitude of the array, which grows along some tables, but not much more than
    /// the amplitude of the table: an array of huge numbers must not agree with everything.
    double amplitude() const {
        constexpr std::size_t enough = std::size_t{1} << 16;
        const auto some = std::span(array_.values).first(std::min(array_.values.size(), enough));
        const std::int64_t rows = made_.shape.rows();
        double of_table = 0;  // rows of zeros before an image have no amplitude
        std::int64_t count = rows_holding(1 << 10, made_.shape.columns());
        for (bool is_whole = false; of_table == 0 && !is_whole; count *= 2) {
            is_whole = count >= rows;
            of_table = evidence::largest_magnitude(read_rows(made_, {0, std::min(rows, count)}));
        }
        constexpr double growth = 16;
        return std::min(evidence::largest_magnitude(some), growth * of_table);
    }

    std::vector<double> read(const Table& table, RowRange range) const {
        const std::int64_t factor = row_ / table.shape.columns();
        return read_rows(table, {range.first * factor, range.count * factor});
    }

    Table made_;
    const Sample& array_;
    std::int64_t row_;
    Allowance allowance_;
};

}  // namespace

Table selected(Table made, const Proposal& proposal) {
    if (proposal.rows.empty() && proposal.channels.empty()) return made;
    const auto is_outside = [](const std::vector<std::int64_t>& chosen, std::int64_t extent) {
        return std::ranges::any_of(
            chosen, [=](std::int64_t index) { return index < 0 || index >= extent; });
    };
    if (is_outside(proposal.rows, made.rows.count()) ||
        is_outside(proposal.channels, made.rows.columns())) {
        made.shape = Shape({0});
        made.rows = rows::slice(made.rows, {0, 0});
        return made;
    }
    if (!proposal.rows.empty()) made.rows = rows::chosen_rows(made.rows, proposal.rows);
    if (!proposal.channels.empty()) made.rows = rows::chosen_columns(made.rows, proposal.channels);
    std::vector<std::int64_t> extents = made.shape.extents();
    extents.back() = made.rows.columns();
    if (!proposal.rows.empty()) extents = {made.rows.count(), made.rows.columns()};
    made.shape = Shape(extents);
    made.axes.assign(extents.size(), Axis{});
    return made;
}

bool agrees_at(const std::vector<std::int64_t>& place, const Table& made, const Sample& array,
               const Proposal& proposal) {
    const std::vector<std::int64_t> steps = strides_of(array.extents);
    std::int64_t element = 0;
    for (std::size_t i = 0; i < place.size(); ++i) element += place[i] * steps[i];
    const Comparison comparison(selected(made, proposal), array, proposal);
    const RowRange range{element / comparison.values_in_row(), 1};
    return comparison(range, Scope::whole).beyond_float32 == 0;
}

Agreement agreement_of(const Table& all, const Sample& array, const Proposal& proposal, Scope scope,
                       const Progress& progress) {
    const Table made = selected(all, proposal);
    if (squeezed(made.shape.extents()) != array.extents) return {};
    const Comparison compared_rows(made, array, proposal);
    const std::int64_t values =
        scope == Scope::whole ? made.shape.size() : std::ssize(array.values);
    const std::int64_t rows = values / compared_rows.values_in_row();
    // Most wrong proposals fail already in some of the first or the last rows.
    constexpr std::int64_t some = 4;
    const std::int64_t few = std::max(rows_holding(1 << 10, compared_rows.values_in_row()), some);
    if (scope == Scope::leading && 2 * few < rows) {
        for (const std::int64_t first : {std::int64_t{0}, rows - few}) {
            const Found here = compared_rows({first, few}, scope);
            if (here.beyond_float32 > 0) {
                return agreement_with(here, few * compared_rows.values_in_row(), array);
            }
        }
    }
    const std::int64_t rows_in_block = rows_holding(1 << 16, compared_rows.values_in_row());
    const std::int64_t blocks = (rows + rows_in_block - 1) / rows_in_block;
    std::mutex mutex;
    Found found;
    std::int64_t done = 0;
    std::atomic<bool> is_refuted = false;
    parallel_for(blocks, [&](std::int64_t block) {
        if (is_refuted) return;
        const std::int64_t first = block * rows_in_block;
        const std::int64_t count = std::min(rows_in_block, rows - first);
        const Found here = compared_rows({first, count}, scope);
        if (here.beyond_float32 > 0) is_refuted = true;
        const std::lock_guard lock(mutex);
        found.add(here);
        progress(done += count, rows);
    });
    return agreement_with(found, values, array);
}

}  // namespace pegen::recognition
