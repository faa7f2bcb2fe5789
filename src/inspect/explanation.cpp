#include "inspect/explanation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <exception>
#include <functional>
#include <utility>

#include "core/axis.h"
#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "core/progress.h"
#include "encodings/cell.h"
#include "encodings/parameters/waves.h"
#include "inspect/cell_text.h"
#include "numerics/real.h"

namespace pegen {
namespace {

using numerics::Precision;
using numerics::Real;

constexpr int digits_of_value = 40;
constexpr int digits_of_angle = 20;
constexpr int digits_of_error = 2;

/// The plan of a table, and the indices of one of its cells.
struct Place {
    const Plan& plan;
    std::vector<std::int64_t> index;
};

/// An element of a table, as text and as a number.
struct Element {
    std::string text;
    Real value;
};

/// The value of a formula, and its accuracy.
struct Known {
    Real value;
    ValueKind kind;
};

std::vector<ExplainedIndex> explained_indices(const Place& place) {
    std::vector<ExplainedIndex> indices;
    for (std::size_t i = 0; i < place.index.size(); ++i) {
        const Axis& axis = place.plan.axes[i];
        indices.push_back({axis.name, place.index[i], stands_for(axis, place.index[i])});
    }
    return indices;
}

/// Returns the element in its bytes.
Element element_in(const std::byte* bytes, DType dtype) {
    return with_element_type(dtype, [&]<class T>(std::type_identity<T>) -> Element {
        T value;
        std::memcpy(&value, bytes, sizeof(T));
        Real number;
        if constexpr (std::is_same_v<T, std::int64_t>) {
            mpfr_set_sj(number.get(), value, MPFR_RNDN);
        } else {
            number = widen(value);
        }
        return {element_text(value), std::move(number)};
    });
}

Element element_of(const Place& place, const Cell& cell, DType dtype) {
    if (cell.held) {
        std::array<std::byte, sizeof(std::int64_t)> element{};
        const double value = cell.held(dtype);
        store({&value, 1}, dtype, std::span(element).first(info(dtype).size));
        return element_in(element.data(), dtype);
    }
    const Rows rows = place.plan.make_rows(dtype);
    const std::int64_t element = *element_at(place.plan.shape, place.index);
    std::vector<std::byte> row(rows.bytes_per_row());
    rows({element / rows.columns(), 1}, row);
    const auto size = static_cast<std::int64_t>(info(dtype).size);
    return element_in(row.data() + element % rows.columns() * size, dtype);
}

/// Evaluates the formula with more and more bits, until 40 digits stay the same: the number of bits
/// that a large angle needs is not known in advance.
Known evaluated(const std::function<Real()>& formula) {
    constexpr mpfr_prec_t most = 5120;
    std::string text = numerics::decimal_text(formula(), digits_of_value);
    for (mpfr_prec_t bits = 4 * Precision::usual;; bits *= 4) {
        const Precision precision(bits);
        Real value = formula();
        std::string finer = numerics::decimal_text(value, digits_of_value);
        if (finer == text || bits >= most) {
            const bool is_exact = is_decimal(value, digits_of_value);
            return {std::move(value), is_exact ? ValueKind::exact : ValueKind::formula};
        }
        text = std::move(finer);
    }
}

/// Returns the value that the table holds, for encodings that give no formula.
Known held(const Element& element, bool is_whole) {
    return {element.value, is_whole ? ValueKind::exact : ValueKind::nearest_float64};
}

/// Returns the text of a value; zeros at the end of a rounded number are kept, as they are digits
/// like any others.
std::string text_of(const Known& known) {
    return known.kind == ValueKind::formula
               ? numerics::decimal_text(known.value, digits_of_value)
               : numerics::short_decimal_text(known.value, digits_of_value);
}

std::string angle_text(const Real& value) {
    return numerics::short_decimal_text(value, digits_of_angle);
}

void explain_cell(const Cell& cell, Explanation& result) {
    if (cell.function) result.function = *cell.function == numerics::Function::sin ? "sin" : "cos";
    result.of = cell.of;
    result.pair = cell.pair;
    result.partner = cell.partner;
    result.formula = cell.value.text;
    if (cell.angle) result.angle = angle_text(cell.angle());
    if (cell.frequency) {
        const Real frequency = abs(cell.frequency());
        result.frequency = angle_text(frequency);
        if (!(frequency == 0.0)) result.wavelength = angle_text(2 * numerics::pi() / frequency);
    }
    if (!cell.note.empty()) result.notes.push_back(cell.note);
}

/// Returns element - value.
Real difference(const Element& element, const Real& value) {
    // Infinite values have a difference only if they are not the same value.
    if (element.value == value) return 0.0;
    const Precision precision(std::max(mpfr_get_prec(value.get()), Precision::usual));
    return element.value - value;
}

std::string error_text(const Real& error) {
    return numerics::short_decimal_text(error, digits_of_error);
}

/// Returns a number of units in the last place in full: "110" rather than "1.1e+02".
std::string ulps_text(const Real& ulps) {
    constexpr double tens = 10, most = 10'000;
    const double count = std::abs(numerics::nearest_double(ulps));
    if (count < tens * tens || count >= most) return error_text(ulps);
    const double unit = count < most / tens ? tens : tens * tens;
    return fmt::format("{}", std::round(numerics::nearest_double(ulps) / unit) * unit);
}

std::size_t count_digits(std::string_view text) {
    text = text.substr(0, text.find('e'));
    text.remove_prefix(std::min(text.find_first_of("123456789"), text.size()));
    return std::ranges::count_if(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns the element in full or, if that is long, with the digits that show its error. The
/// shortest text alone, 0.1 of a float16, may be farther from the element than the element is from
/// the exact value.
std::string held_text(const Element& element, const Real& error) {
    constexpr int most_digits_in_full = 17;
    const bool is_regular = mpfr_regular_p(element.value.get()) && mpfr_regular_p(error.get());
    if (is_decimal(element.value, most_digits_in_full)) {
        return numerics::short_decimal_text(element.value, most_digits_in_full);
    }
    if (!is_regular) return element.text;
    const auto bits =
        static_cast<double>(mpfr_get_exp(element.value.get()) - mpfr_get_exp(error.get()));
    const int digits = static_cast<int>(std::ceil(bits * std::log10(2))) + digits_of_error;
    return digits <= static_cast<int>(count_digits(element.text))
               ? element.text
               : numerics::short_decimal_text(element.value, digits);
}

/// Returns the distance of neighbouring float32 numbers of the size of the value.
Real float32_ulp(const Real& value) {
    constexpr mpfr_exp_t smallest = -149, fraction_bits = 24;
    const bool is_regular = mpfr_regular_p(value.get()) != 0;
    const mpfr_exp_t exponent = is_regular ? mpfr_get_exp(value.get()) - fraction_bits : smallest;
    Real ulp = 1.0;
    mpfr_mul_2si(ulp.get(), ulp.get(), std::max(exponent, smallest), MPFR_RNDN);
    return ulp;
}

/// Returns the dtypes that the table can have.
std::vector<DType> dtypes_of(const TableSpec& table, const Plan& plan) {
    if (plan.dtype) return {*plan.dtype};
    if (!is_floating(table.dtype)) return {DType::int64, DType::int32};
    return {DType::float64, DType::float32, DType::float16, DType::bfloat16};
}

/// Returns the elements in the dtypes that can hold the table, and notes the dtypes that cannot.
/// Throws: UsageError if no dtype can hold it.
std::vector<std::pair<DType, Element>> elements_of(const Place& place, const Cell& cell,
                                                   const std::vector<DType>& dtypes,
                                                   std::vector<std::string>& notes) {
    std::vector<std::pair<DType, Element>> elements;
    std::exception_ptr first_error;
    for (const DType dtype : dtypes) {
        report(0, 0);
        try {
            elements.emplace_back(dtype, element_of(place, cell, dtype));
        } catch (const UsageError& error) {
            if (!first_error) first_error = std::current_exception();
            notes.push_back(
                fmt::format("The table cannot be {}: {}.", info(dtype).name, error.what()));
        }
    }
    if (elements.empty()) std::rethrow_exception(first_error);
    return elements;
}

/// True if all values of the table are whole numbers.
bool is_whole(const TableSpec& table, const Plan& plan) {
    return table.has_whole_values || !is_floating(plan.dtype.value_or(table.dtype));
}

/// Returns the value that float32 arithmetic computes, by the parameter `arithmetic`; nothing if
/// the other parameters do not allow it.
std::optional<Float32Value> float32_value(const Encoding& encoding, const TableSpec& table,
                                          Parameters parameters, std::string_view arithmetic,
                                          const std::vector<std::int64_t>& index,
                                          const Real& value) {
    try {
        parameters.set(arithmetic, "float32", Origin::user);
        const Plan plan = plan_of(encoding, std::move(parameters), table.name);
        const Element element = element_of({plan, index}, {}, DType::float32);
        const Real error = difference(element, value);
        return Float32Value{held_text(element, error), error_text(error),
                            ulps_text(error / float32_ulp(value))};
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

void note_arithmetic(std::string_view arith, ValueKind kind, std::vector<std::string>& notes) {
    if (arith == "exact" || kind == ValueKind::nearest_float64) return;
    notes.push_back(
        fmt::format("The table is that of --arith {}; formula and value are exact.", arith));
}

}  // namespace

std::string_view name_of(ValueKind kind) {
    switch (kind) {
        case ValueKind::exact:
            return "exact";
        case ValueKind::formula:
            return "the formula to 40 digits";
        case ValueKind::nearest_float64:
            break;
    }
    return "the nearest float64";
}

Explanation explanation_of(const Encoding& encoding, const TableSpec& table,
                           const Parameters& parameters, std::string_view preset,
                           std::span<const std::int64_t> at) {
    const Plan plan = plan_of(encoding, parameters, table.name);
    const Place place{plan, cell_index(plan.shape, plan.axes, at)};
    const Cell cell = plan.cell ? plan.cell(place.index) : Cell{};
    Explanation result{.encoding = std::string(encoding.name),
                       .preset = std::string(preset),
                       .table = std::string(table.name),
                       .at = explained_indices(place),
                       .notes = plan.notes};
    explain_cell(cell, result);
    const auto elements = elements_of(place, cell, dtypes_of(table, plan), result.notes);
    const Known known = cell.value.value ? evaluated(cell.value.value)
                                         : held(elements.front().second, is_whole(table, plan));
    result.value = text_of(known);
    result.kind = known.kind;
    for (const auto& [dtype, element] : elements) {
        const Real error = difference(element, known.value);
        result.dtypes.push_back({dtype, held_text(element, error), error_text(error)});
    }
    const ParameterSpec* const arithmetic = float32_parameter(encoding);
    if (arithmetic && !has_word(table.idle_parameters, arithmetic->name)) {
        result.float32 =
            float32_value(encoding, table, parameters, arithmetic->name, place.index, known.value);
        note_arithmetic(plan.parameters.word(arithmetic->name), known.kind, result.notes);
    }
    return result;
}

}  // namespace pegen
