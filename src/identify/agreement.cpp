#include "identify/agreement.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "core/element.h"
#include "core/parallel.h"
#include "core/to_size.h"
#include "identify/views.h"

namespace pegen::identify {
namespace {

/// What the comparison of one block found.
struct Found {
    double largest = -1;
    std::int64_t at = 0;  ///< the element of the largest difference
    std::int64_t unequal = 0;
    std::int64_t beyond_rounding = 0;
    std::int64_t beyond_float32 = 0;

    void add(const Found& other) {
        if (other.largest > largest || (other.largest == largest && other.at < at)) {
            largest = other.largest;
            at = other.at;
        }
        unequal += other.unequal;
        beyond_rounding += other.beyond_rounding;
        beyond_float32 += other.beyond_float32;
    }
};

/// What may separate a value from the exact one.
struct Allowance {
    evidence::Precision precision;
    double amplitude;
    const std::function<double(std::int64_t, std::int64_t)>* angle;  ///< nullptr: none
    std::int64_t columns;  ///< elements of one index of the first axis

    double angle_of(std::int64_t element) const {
        return angle ? std::abs((*angle)(element / columns, element % columns)) : 0;
    }

    double rounding(double value, std::int64_t element) const {
        const double unit = evidence::unit_of(value, precision);
        if (precision.digits < 53) return unit;
        return unit + amplitude * 0x1p-50 * (1 + angle_of(element));
    }

    double float32(double value, std::int64_t element) const {
        constexpr evidence::Precision single{DType::float32, 24, -149};
        const bool is_wider = precision.digits > single.digits;
        const double unit = evidence::unit_of(value, is_wider ? single : precision);
        return 2 * unit + amplitude * 0x1p-23 * (1 + 8 * angle_of(element));
    }
};

double largest_finite(std::span<const double> values) {
    double largest = 0;
    for (const double value : values) {
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
    return largest;
}

double difference(double a, double b) {
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double apart = std::abs(a - b);
    return std::isfinite(apart) ? apart : std::numeric_limits<double>::infinity();
}

/// Compares elements first ... of both.
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
        // Half a unit is what rounding the exact value would leave.
        found.unequal += apart > evidence::unit_of(made[i], allowance.precision) / 2 ? 1 : 0;
        if (apart <= allowance.rounding(made[i], element)) continue;
        ++found.beyond_rounding;
        if (!(apart <= allowance.float32(made[i], element))) ++found.beyond_float32;
    }
    return found;
}

/// Returns how many binary digits a number has, without zeros at the end.
double digits_of(double value) {
    if (value == 0) return 1;
    int exponent = 0;
    const double fraction = std::abs(std::frexp(value, &exponent));
    const auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    return 54 - std::countr_zero(digits);
}

/// Returns what the values say, in bits: each that is not that of its neighbour to the left or
/// above says how many of the numbers in its range it is not.
double evidence_in(const evidence::Sample& array, const Agreement& agreement) {
    constexpr std::size_t enough = std::size_t{1} << 16;
    const std::size_t columns = to_size(array.extents.size() == 1 ? 1 : array.extents.back());
    const std::size_t count = std::min(array.values.size(), enough);
    const double range = std::max(largest_finite(std::span(array.values).first(count)), 0x1p-100);
    const double tolerance = std::max(evidence::unit_of(range, array.precision),
                                      agreement.level == Level::float32 ? range * 0x1p-20 : 0.0);
    const double bits_of_any = std::log2(1 + range / tolerance);
    double bits = 0, repeated = 0;
    std::unordered_set<double> seen;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = array.values[i];
        const bool is_repeated = (i >= 1 && value == array.values[i - 1]) ||
                                 (i >= columns && value == array.values[i - columns]) ||
                                 !std::isfinite(value);
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
    // A pattern of a few values, as of the identity, says nothing by its repetitions.
    constexpr std::size_t several = 4;
    return seen.size() < several ? bits : bits + repeated / 4;
}

Agreement agreement_with(const Found& found, std::int64_t values, const evidence::Sample& array) {
    Agreement agreement;
    agreement.values = values;
    agreement.largest = std::max(found.largest, 0.0);
    agreement.place = index_of(found.at, array.extents);
    agreement.unequal = found.unequal;
    agreement.differing = found.beyond_float32;
    agreement.level = found.beyond_rounding == 0  ? Level::rounding
                      : found.beyond_float32 == 0 ? Level::float32
                                                  : Level::none;
    if (agreement.level != Level::none) agreement.evidence = evidence_in(array, agreement);
    return agreement;
}

}  // namespace

Table selected(Table made, const evidence::Proposal& proposal) {
    const std::int64_t columns = made.shape.columns();
    const auto is_outside = [](const std::vector<std::int64_t>& chosen, std::int64_t extent) {
        return std::ranges::any_of(
            chosen, [=](std::int64_t index) { return index < 0 || index >= extent; });
    };
    if (is_outside(proposal.rows, made.shape.rows()) || is_outside(proposal.channels, columns)) {
        made.shape = Shape({0});
        return made;
    }
    const std::int64_t rows = proposal.rows.empty() ? made.shape.rows() : std::ssize(proposal.rows);
    const std::int64_t kept = proposal.channels.empty() ? columns : std::ssize(proposal.channels);
    std::vector<std::int64_t> extents = made.shape.extents();
    extents.back() = kept;
    if (!proposal.rows.empty()) extents = {rows, kept};
    const std::size_t size = info(made.dtype).size;
    made.rows = [source = made.rows, chosen = proposal.rows, channels = proposal.channels, columns,
                 kept, size](RowRange range, std::span<std::byte> out) {
        std::vector<std::byte> row(to_size(columns) * size);
        std::byte* next = out.data();
        for (std::int64_t i = range.first; i < range.first + range.count; ++i) {
            source({chosen.empty() ? i : chosen[to_size(i)], 1}, row);
            for (std::int64_t k = 0; k < kept; ++k) {
                const std::int64_t channel = channels.empty() ? k : channels[to_size(k)];
                next = std::copy_n(row.data() + to_size(channel) * size, size, next);
            }
        }
    };
    made.shape = Shape(extents);
    made.axes.assign(extents.size(), Axis{});
    return made;
}

Agreement agreement_of(const Table& all, const evidence::Sample& array,
                       const evidence::Proposal& proposal, Scope scope, const Progress& progress) {
    const bool is_selected = !proposal.rows.empty() || !proposal.channels.empty();
    const Table made = is_selected ? selected(all, proposal) : all;
    if (squeezed(made.shape.extents()) != array.extents) return {};
    const std::int64_t in_all = made.shape.size();
    const std::int64_t values =
        scope == Scope::whole ? in_all : std::min<std::int64_t>(in_all, std::ssize(array.values));
    const std::int64_t per_index = in_all / array.extents.front();
    constexpr std::size_t enough = std::size_t{1} << 16;
    const auto some = std::span(array.values).first(std::min(array.values.size(), enough));
    // The amplitude is the array's, which grows in some tables, if it is about the table's: an
    // array of huge numbers must not agree with everything.
    const RowRange first_rows{
        0, std::min(made.shape.rows(), rows_holding(1 << 10, made.shape.columns()))};
    constexpr double growth = 16;
    const double amplitude =
        std::min(largest_finite(some), growth * largest_finite(read_rows(made, first_rows)));
    const Allowance allowance{array.precision, amplitude,
                              proposal.angle ? &proposal.angle : nullptr, per_index};

    // One of the tables may have extents of 1 that the other has not, so rows differ in length; but
    // the longer ones are whole numbers of the shorter ones.
    const std::int64_t row = std::max(made.shape.columns(), array.table.shape.columns());
    const std::int64_t rows_in_block = rows_holding(1 << 16, row);
    const std::int64_t rows = values / row;
    const std::int64_t blocks = (rows + rows_in_block - 1) / rows_in_block;
    std::mutex mutex;
    Found found;
    std::int64_t done = 0;
    const auto found_in = [&](std::int64_t first, std::int64_t count) {
        const auto read = [&](const Table& table) {
            const std::int64_t factor = row / table.shape.columns();
            return read_rows(table, {first * factor, count * factor});
        };
        const std::vector<double> ours = read(made);
        if (scope == Scope::whole) {
            return compared(ours, read(array.table), first * row, allowance);
        }
        const auto theirs = std::span(array.values).subspan(to_size(first * row), ours.size());
        return compared(ours, theirs, first * row, allowance);
    };
    // Most proposals fail in the first rows already.
    const std::int64_t few = rows_holding(1 << 10, row);
    if (scope == Scope::leading && few < rows) {
        const Found first = found_in(0, few);
        if (first.beyond_float32 > 0) return agreement_with(first, few * row, array);
    }
    std::atomic<bool> is_refuted = false;
    parallel_for(blocks, [&](std::int64_t block) {
        if (scope == Scope::whole && is_refuted) return;
        const std::int64_t first = block * rows_in_block;
        const std::int64_t count = std::min(rows_in_block, rows - first);
        const Found here = found_in(first, count);
        if (here.beyond_float32 > 0) is_refuted = true;
        const std::lock_guard lock(mutex);
        found.add(here);
        progress(done += count, rows);
    });
    return agreement_with(found, values, array);
}

}  // namespace pegen::identify
