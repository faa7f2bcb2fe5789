#include "numerics/expression_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/double_double.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "numerics/ziv_loop.h"

namespace pegen::numerics {
namespace {

/// The result of an operation, to the nearest or nearly.
template <class Number>
struct Result {
    Number value;
    bool is_exact;
};

/// Returns the result of an operation of MPFR, which keeps a flag of whether it rounded.
template <class Operate>
Result<Real> result_of(Operate operate) {
    mpfr_clear_inexflag();
    Real value = operate();
    return {std::move(value), mpfr_inexflag_p() == 0};
}

Result<Real> plus(const Real& a, const Real& b) {
    return result_of([&] { return a + b; });
}
Result<Real> times(const Real& a, const Real& b) {
    return result_of([&] { return a * b; });
}
Result<Real> over(const Real& a, const Real& b) {
    return result_of([&] { return a / b; });
}
Result<Real> to_the(const Real& a, const Real& b) {
    return result_of([&] { return pow(a, b); });
}

bool is_infinite(double a, double b) { return std::isinf(a) || std::isinf(b); }

Result<double> plus(double a, double b) {
    const DoubleDouble exact = sum(a, b);
    return {exact.high, exact.low == 0 || is_infinite(a, b)};
}
/// False where the rest of a product might be too small for a double.
bool shows_rests(double product) { return std::fabs(product) > 1e-280; }
Result<double> times(double a, double b) {
    const double value = a * b;
    const bool shows = shows_rests(value) || a == 0 || b == 0;
    return {value, (shows && std::fma(a, b, -value) == 0) || is_infinite(a, b)};
}
Result<double> over(double a, double b) {
    const double value = a / b;
    const bool shows = shows_rests(a) || a == 0;
    return {value, (shows && std::fma(value, b, -a) == 0) || is_infinite(a, b)};
}
Result<double> to_the(double a, double b) { return {std::pow(a, b), false}; }

/// The numbers from `low` to `high`, one of which is the exact value.
template <class Number>
struct Interval {
    Number low;
    Number high;

    bool is_point() const { return low == high; }
};

template <class Number>
Interval<Number> point(Number value) {
    return {value, value};
}

/// Returns an interval with the exact result, given that the result is off by a unit of the last of
/// Precision's bits, or for doubles by a few units, as the functions of C libraries are.
Interval<Real> around(Result<Real> result) {
    if (result.is_exact) return point(std::move(result.value));
    Interval<Real> interval = point(std::move(result.value));
    mpfr_nextbelow(interval.low.get());
    mpfr_nextabove(interval.high.get());
    return interval;
}
Interval<double> around(Result<double> result) {
    if (result.is_exact) return point(result.value);
    const double error = 0x1p-49 * std::fabs(result.value) + 0x1p-1060;
    return {result.value - error, result.value + error};
}

template <class Number>
Interval<Number> hull(const Interval<Number>& a, const Interval<Number>& b) {
    return {b.low < a.low ? b.low : a.low, a.high < b.high ? b.high : a.high};
}

template <class Number>
Number function_of(Operation operation, const Number& x) {
    using std::exp, std::log, std::log2, std::sin, std::cos, std::tanh, std::atan, std::sqrt;
    switch (operation) {
        case Operation::exp:
            return exp(x);
        case Operation::log:
            return log(x);
        case Operation::log2:
            return log2(x);
        case Operation::sin:
            return sin(x);
        case Operation::cos:
            return cos(x);
        case Operation::tanh:
            return tanh(x);
        case Operation::atan:
            return atan(x);
        default:
            return sqrt(x);
    }
}
Interval<Real> around_function(Operation operation, const Real& x) {
    return around(result_of([&] { return function_of(operation, x); }));
}
Interval<double> around_function(Operation operation, double x) {
    return around(Result<double>{function_of(operation, x), false});
}

bool is_finite(double a) { return std::isfinite(a); }
bool is_finite(const Real& a) { return mpfr_number_p(a.get()) != 0; }
bool is_nan(double a) { return std::isnan(a); }
bool is_nan(const Real& a) { return mpfr_nan_p(a.get()) != 0; }
bool is_whole(double a) { return std::isfinite(a) && std::floor(a) == a; }
bool is_whole(const Real& a) { return mpfr_integer_p(a.get()) != 0; }

/// True for an angle whose sine would need a longer pi than is worth computing.
bool is_beyond_waves(double) { return false; }
bool is_beyond_waves(const Real& a) {
    constexpr mpfr_exp_t most = 16384;
    return mpfr_regular_p(a.get()) != 0 && mpfr_get_exp(a.get()) > most;
}

constexpr std::string_view too_few_bits = "5120 bits are too few to tell its value";

/// True if the numbers in the interval are equal for all that 5120 bits can tell of numbers that
/// are not much larger than 1, or than the interval itself.
bool is_narrow(const Interval<double>&) { return false; }
bool is_narrow(const Interval<Real>& a) {
    const Real largest = a.high < -a.low ? -a.low : a.high;
    Real bound = largest < Real(1) ? Real(1) : largest;
    mpfr_div_2ui(bound.get(), bound.get(), 4000, MPFR_RNDN);
    return !(bound < a.high - a.low);
}

/// The evaluation of an expression in intervals whose ends are doubles or Reals. Functions return
/// nothing where the value depends on which of the numbers in an interval is the exact one.
template <class Number>
class Evaluation {
  public:
    using Value = Interval<Number>;

    /// In the last evaluation, numbers that are nearly equal are equal, and there is a value or a
    /// reason for there being none.
    Evaluation(const Expression& expression, std::span<const double> values, bool is_last)
        : expression_(expression), values_(values), is_last_(is_last) {}

    std::optional<Value> run() const { return value_of(expression_.steps.size() - 1); }

    /// Says that there is no value. Doubles say nothing, so that all messages come from Reals.
    std::optional<Value> none(std::string_view reason) const {
        if constexpr (std::same_as<Number, double>) return {};
        std::vector<std::string> place;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const ExpressionStep& step = expression_.steps[i];
            if (step.operation != Operation::name || std::isinf(values_[i])) continue;
            std::string number = fmt::format("{} = {}", step.name, shortest(values_[i]));
            if (std::ranges::find(place, number) == place.end()) place.push_back(std::move(number));
        }
        throw UsageError(fmt::format("{} {}: {}{}{}", expression_.what, expression_.text, reason,
                                     place.empty() ? "" : ", with ", joined(place, ", ")));
    }

  private:
    /// Returns nothing where more bits may help, and says that there is no value where they do not.
    std::optional<Value> none_yet(bool is_certain, std::string_view reason) const {
        return is_certain || is_last_ ? none(reason) : std::nullopt;
    }

    /// Returns nothing for a decision that needs more bits. Throws: UsageError if there are no
    /// more.
    std::optional<bool> undecided() const {
        none_yet(false, too_few_bits);
        return {};
    }

    /// True if all numbers in the interval are taken for equal.
    bool is_taken_for_one(const Value& a) const { return is_last_ && is_narrow(a); }

    /// Returns the interval, or 0 if it is taken for 0.
    Value without_rest(const Value& a) const {
        return may_be_0(a) && is_taken_for_one(a) ? point(Number(0)) : a;
    }

    std::optional<Value> value_of(std::size_t number) const {
        const ExpressionStep& step = expression_.steps[number];
        if (step.operation == Operation::name) return point(Number(values_[number]));
        if (step.operation == Operation::where || step.operation == Operation::conjunction ||
            step.operation == Operation::disjunction) {
            return chosen(step);
        }
        std::array<Value, 3> operands;
        for (std::size_t i = 0; i < step.operands.size(); ++i) {
            std::optional<Value> operand = value_of(step.operands[i]);
            if (!operand) return {};
            operands[i] = std::move(*operand);
        }
        std::optional<Value> value = result(step, operands[0], operands[1], operands[2]);
        if (!value || (is_finite(value->low) && is_finite(value->high))) return value;
        if (is_nan(value->low) || is_nan(value->high)) {
            return none_yet(std::ranges::all_of(operands, &Value::is_point), "it is not a number");
        }
        // A point that is infinite comes from operands that are; other values were too large.
        return value->is_point() ? value : none_yet(false, "it is too large");
    }

    /// Returns whether the number is not 0.
    std::optional<bool> truth(const Value& a) const {
        if (Number(0) < a.low || a.high < Number(0)) return true;
        return a.is_point() || is_taken_for_one(a) ? std::optional(false) : undecided();
    }

    std::optional<bool> truth_of(std::size_t number) const {
        const std::optional<Value> value = value_of(number);
        return value ? truth(*value) : std::nullopt;
    }

    static std::optional<Value> as_value(std::optional<bool> truth) {
        if (!truth) return {};
        return point(Number(*truth ? 1 : 0));
    }

    std::optional<Value> chosen(const ExpressionStep& step) const {
        const std::optional<bool> first = truth_of(step.operands[0]);
        if (!first) return {};
        if (step.operation == Operation::where) return value_of(step.operands[*first ? 1 : 2]);
        const bool decides = *first == (step.operation == Operation::disjunction);
        return as_value(decides ? first : truth_of(step.operands[1]));
    }

    std::optional<Value> result(const ExpressionStep& step, const Value& a, const Value& b,
                                const Value& c) const {
        switch (step.operation) {
            case Operation::number:
                return point(Number(step.number));
            case Operation::pi:
                return pi_around();
            case Operation::e:
                return around_function(Operation::exp, Number(1));
            case Operation::negative:
                return negative(a);
            case Operation::sum:
                return sum(a, b);
            case Operation::difference:
                return sum(a, negative(b));
            case Operation::product:
                return of_corners(a, b, [](auto& x, auto& y) { return times(x, y); });
            case Operation::quotient:
                return quotient(a, b);
            case Operation::floor_quotient:
                return floor_quotient(a, b);
            case Operation::remainder:
                return remainder(a, b);
            case Operation::power:
                return power(a, b);
            case Operation::less:
                return as_value(is_less(a, b));
            case Operation::less_or_equal:
                return as_value(opposite(is_less(b, a)));
            case Operation::equal:
                return as_value(is_equal(a, b));
            case Operation::negation:
                return as_value(opposite(truth(a)));
            case Operation::floor:
                return step_of(a, [](const Number& x) {
                    using std::floor;
                    return floor(x);
                });
            case Operation::ceil:
                return step_of(a, [](const Number& x) {
                    using std::ceil;
                    return ceil(x);
                });
            case Operation::abs:
                return magnitude(a);
            case Operation::sign:
                return sign(a);
            case Operation::min:
                return smaller(a, b);
            case Operation::max:
                return larger(a, b);
            case Operation::clip:
                return smaller(larger(a, b), c);
            case Operation::sin:
            case Operation::cos:
                return wave(step.operation, a);
            case Operation::sqrt:
                return square_root(without_rest(a));
            case Operation::log:
            case Operation::log2:
                if (!(Number(0) < a.low)) {
                    return none_yet(!(Number(0) < a.high), "there is no logarithm of 0 or less");
                }
                return increasing(step.operation, a);
            default:
                return increasing(step.operation, a);
        }
    }

    static Value pi_around() {
        if constexpr (std::same_as<Number, double>) {
            return around(Result<double>{std::numbers::pi, false});
        } else {
            return around(result_of(pi));
        }
    }

    static Value increasing(Operation operation, const Value& a) {
        Value low = around_function(operation, a.low);
        if (a.is_point()) return low;
        return {std::move(low.low), around_function(operation, a.high).high};
    }

    std::optional<Value> square_root(const Value& a) const {
        if (a.low < Number(0)) {
            return none_yet(a.high < Number(0), "there is no square root of a negative number");
        }
        return increasing(Operation::sqrt, a);
    }

    /// Returns the sine or cosine, which changes by no more than its angle does.
    std::optional<Value> wave(Operation operation, const Value& a) const {
        if (is_beyond_waves(a.low) || is_beyond_waves(a.high)) {
            return none("an angle beyond 2^16384");
        }
        const Number change = sum(point(a.high), negative(point(a.low))).high;
        if (Number(1) < change) return none_yet(false, too_few_bits);
        const Value of_low = around_function(operation, a.low);
        return a.is_point() ? of_low : sum(of_low, {-change, change});
    }

    static Value negative(const Value& a) { return {-a.high, -a.low}; }

    static Value sum(const Value& a, const Value& b) {
        Value low = around(plus(a.low, b.low));
        if (a.is_point() && b.is_point()) return low;
        return {std::move(low.low), around(plus(a.high, b.high)).high};
    }

    /// Returns the values of an operation that rises or falls with each operand.
    template <class Operate>
    static Value of_corners(const Value& a, const Value& b, Operate operate) {
        Value value = around(operate(a.low, b.low));
        if (!a.is_point()) value = hull(value, around(operate(a.high, b.low)));
        if (!b.is_point()) value = hull(value, around(operate(a.low, b.high)));
        if (a.is_point() || b.is_point()) return value;
        return hull(value, around(operate(a.high, b.high)));
    }

    static bool may_be_0(const Value& a) { return !(Number(0) < a.low) && !(a.high < Number(0)); }

    std::optional<Value> quotient(const Value& a, const Value& b) const {
        if (may_be_0(b)) return none_yet(b.is_point(), "it divides by 0");
        return of_corners(a, b, [](auto& x, auto& y) { return over(x, y); });
    }

    std::optional<Value> floor_quotient(const Value& a, const Value& b) const {
        if (!is_finite(b.low) || !is_finite(b.high)) return none("it has // or % by infinity");
        const std::optional<Value> value = quotient(a, b);
        if (!value) return {};
        return step_of(*value, [](const Number& x) {
            using std::floor;
            return floor(x);
        });
    }

    std::optional<Value> remainder(const Value& a, const Value& b) const {
        const std::optional<Value> whole = floor_quotient(a, b);
        if (!whole) return {};
        return sum(a,
                   negative(of_corners(b, *whole, [](auto& x, auto& y) { return times(x, y); })));
    }

    std::optional<Value> power(const Value& base, const Value& exponent) const {
        const Value a = without_rest(base);
        const Value b = a.low < Number(0) ? whole_if_taken(exponent) : exponent;
        const auto to_the_power = [](auto& x, auto& y) { return to_the(x, y); };
        if (may_be_0(a) && !(Number(0) < b.low)) {
            if (b.is_point() && b.low == Number(0)) return point(Number(1));
            return none_yet(a.is_point() && b.high < Number(0), "it divides by 0");
        }
        if (b.is_point() && is_whole(b.low)) {
            const Value value = of_corners(a, b, to_the_power);
            return may_be_0(a) ? hull(value, point(Number(0))) : value;
        }
        if (a.low < Number(0)) {
            return none_yet(b.is_point() && a.high < Number(0),
                            "a negative number has only whole powers");
        }
        return of_corners(a, b, to_the_power);
    }

    /// Returns the interval, or the whole number in it for which it is taken.
    Value whole_if_taken(const Value& a) const {
        using std::floor;
        const Number whole = floor(a.high);
        const bool is_one = is_taken_for_one(a) && a.high - a.low < Number(1);
        return is_one && !(whole < a.low) ? point(whole) : a;
    }

    std::optional<bool> is_less(const Value& a, const Value& b) const {
        if (a.high < b.low) return true;
        const bool is_not = !(a.low < b.high) || is_taken_for_one(hull(a, b));
        return is_not ? std::optional(false) : undecided();
    }

    std::optional<bool> is_equal(const Value& a, const Value& b) const {
        if (a.high < b.low || b.high < a.low) return false;
        const bool is = (a.is_point() && b.is_point()) || is_taken_for_one(hull(a, b));
        return is ? std::optional(true) : undecided();
    }

    static std::optional<bool> opposite(std::optional<bool> truth) {
        return truth ? std::optional(!*truth) : std::nullopt;
    }

    /// Returns the value of floor or ceil.
    template <class Step>
    std::optional<Value> step_of(const Value& a, Step step) const {
        Number low = step(a.low), high = step(a.high);
        if (low == high) return point(std::move(low));
        // A narrow interval is taken for the whole number in it, if it can have only one.
        if (!is_taken_for_one(a) || Number(1) < a.high - a.low) {
            return none_yet(false, too_few_bits);
        }
        return point(a.low < high && !(a.high < high) ? std::move(high) : std::move(low));
    }

    static Value magnitude(const Value& a) {
        if (!(a.low < Number(0))) return a;
        if (!(Number(0) < a.high)) return negative(a);
        return {0, -a.low < a.high ? a.high : -a.low};
    }

    std::optional<Value> sign(const Value& a) const {
        const std::optional<bool> is_not_0 = truth(a);
        if (!is_not_0) return {};
        return point(Number(!*is_not_0 ? 0 : a.low < Number(0) ? -1 : 1));
    }

    static Value smaller(const Value& a, const Value& b) {
        return {a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
    }
    static Value larger(const Value& a, const Value& b) {
        return {a.low < b.low ? b.low : a.low, a.high < b.high ? b.high : a.high};
    }

    const Expression& expression_;
    std::span<const double> values_;
    bool is_last_;
};

/// A scope in which Reals have any exponent that MPFR has, so that exp(exp(20)) is a number.
class WideExponents {
  public:
    WideExponents() {
        mpfr_set_emin(mpfr_get_emin_min());
        mpfr_set_emax(mpfr_get_emax_max());
    }
    WideExponents(const WideExponents&) = delete;
    WideExponents& operator=(const WideExponents&) = delete;
    ~WideExponents() {
        mpfr_set_emin(lowest_);
        mpfr_set_emax(highest_);
    }

  private:
    mpfr_exp_t lowest_ = mpfr_get_emin();
    mpfr_exp_t highest_ = mpfr_get_emax();
};

bool may_be_0(const Interval<Real>& value) {
    return !(Real(0) < value.low) && !(value.high < Real(0));
}

/// Returns the value with its error, 0 without a sign, as far as the bits of Precision tell it.
/// Throws: UsageError if there is none.
std::optional<Enclosure> enclosure_of(const Expression& expression, std::span<const double> values,
                                      bool is_last) {
    const Evaluation<Real> evaluation(expression, values, is_last);
    const std::optional<Interval<Real>> value = evaluation.run();
    if (!value) return {};
    if (may_be_0(*value) && (value->is_point() || (is_last && is_narrow(*value)))) {
        return Enclosure{0, 0};
    }
    if (!value->is_point() && is_last && !is_narrow(*value)) evaluation.none(too_few_bits);
    constexpr mpfr_exp_t most = 1024;
    if (is_finite(value->low) &&
        std::max(mpfr_get_exp(value->low.get()), mpfr_get_exp(value->high.get())) > most) {
        if (is_last || value->is_point()) evaluation.none("it is too large");
        return {};
    }
    if (value->is_point()) return Enclosure{value->low, 0};
    if (may_be_0(*value)) return {};
    return Enclosure{(value->low + value->high) / 2, value->high - value->low};
}

/// Throws: UsageError if the value is finite.
void check_is_infinite(const Expression& expression, std::span<const double> values) {
    const Precision many(most_bits_to_midpoint);
    const Evaluation<Real> evaluation(expression, values, true);
    if (is_finite(evaluation.run()->low)) evaluation.none("it is too large");
}

/// True if the interval is a point, or has no 0 and is rounded to one number.
bool is_certain(const Interval<double>& value, DType dtype) {
    return value.is_point() ||
           ((0 < value.low || value.high < 0) && are_rounded_alike(value.low, value.high, dtype));
}

}  // namespace

double exact_value(const Expression& expression, std::span<const double> values, DType dtype) {
    const auto near = Evaluation<double>(expression, values, false).run();
    if (near && is_certain(*near, dtype)) return near->high == 0 ? 0.0 : near->high;
    const WideExponents wide;
    {
        // Most values need no more bits, and take a third of the time.
        const Precision few(128);
        const auto value = Evaluation<Real>(expression, values, false).run();
        if (value && is_finite(value->low) && is_finite(value->high)) {
            const Interval<double> rounded{for_rounding_to(dtype, value->low),
                                           for_rounding_to(dtype, value->high)};
            const bool fits = std::fabs(rounded.low) < std::numeric_limits<double>::max() &&
                              std::fabs(rounded.high) < std::numeric_limits<double>::max();
            if (fits && is_certain(rounded, dtype) && rounded.high != 0) return rounded.high;
        }
    }
    const double result = ziv_loop(dtype, Midpoints::possible, [&]() -> Enclosure {
        const bool is_last = Precision::bits() >= most_bits_to_midpoint;
        const std::optional<Enclosure> enclosure = enclosure_of(expression, values, is_last);
        return enclosure ? *enclosure : Enclosure{0, std::numeric_limits<double>::infinity()};
    });
    if (std::isinf(result)) check_is_infinite(expression, values);
    return result;
}

Real real_value(const Expression& expression, std::span<const double> values) {
    const WideExponents wide;
    const Precision many(most_bits_to_midpoint);
    return enclosure_of(expression, values, true)->value;
}

}  // namespace pegen::numerics
