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
    using std::exp, std::log, std::log2, std::sin, std::cos, std::tanh, std::sqrt;
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
bool is_whole(double a) { return std::floor(a) == a; }
bool is_whole(const Real& a) { return mpfr_integer_p(a.get()) != 0; }

/// The evaluation of an expression in intervals whose ends are doubles or Reals. Functions return
/// nothing where the value depends on which of the numbers in an interval is the exact one.
template <class Number>
class Evaluation {
  public:
    using Value = Interval<Number>;

    /// If `takes_for_equal`, numbers that overlap are equal, and there is always a value.
    Evaluation(const Expression& expression, std::span<const double> values, bool takes_for_equal)
        : expression_(expression), values_(values), takes_for_equal_(takes_for_equal) {}

    std::optional<Value> run() const { return value_of(expression_.steps.size() - 1); }

  private:
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

    /// Returns nothing where more bits may help, and says that there is no value where they do not.
    std::optional<Value> none_yet(bool is_certain, std::string_view reason) const {
        return is_certain || takes_for_equal_ ? none(reason) : std::nullopt;
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
        if (is_nan(value->low) || is_nan(value->high)) return none("it is not a number");
        // A point that is infinite comes from operands that are; other values were too large.
        return value->is_point() ? value : none("it is too large");
    }

    /// Returns whether the number is not 0.
    std::optional<bool> truth(const Value& a) const {
        if (Number(0) < a.low || a.high < Number(0)) return true;
        if (a.is_point() || takes_for_equal_) return false;
        return {};
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
                if (a.high < Number(0)) return none("there is no square root of a negative number");
                if (a.low < Number(0)) return increasing(Operation::sqrt, {0, a.high});
                return increasing(step.operation, a);
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

    /// Returns the sine or cosine, which changes by no more than its angle does.
    static Value wave(Operation operation, const Value& a) {
        const Value of_low = around_function(operation, a.low);
        if (a.is_point()) return of_low;
        const Number change = sum(point(a.high), negative(point(a.low))).high;
        return sum(of_low, {-change, change});
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

    std::optional<Value> power(const Value& a, const Value& b) const {
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
            return none_yet(a.high < Number(0), "a negative number has only whole powers");
        }
        return of_corners(a, b, to_the_power);
    }

    std::optional<bool> is_less(const Value& a, const Value& b) const {
        if (a.high < b.low) return true;
        if (!(a.low < b.high) || takes_for_equal_) return false;
        return {};
    }

    std::optional<bool> is_equal(const Value& a, const Value& b) const {
        if (a.high < b.low || b.high < a.low) return false;
        if ((a.is_point() && b.is_point()) || takes_for_equal_) return true;
        return {};
    }

    static std::optional<bool> opposite(std::optional<bool> truth) {
        return truth ? std::optional(!*truth) : std::nullopt;
    }

    /// Returns the value of floor or ceil.
    template <class Step>
    std::optional<Value> step_of(const Value& a, Step step) const {
        Number low = step(a.low), high = step(a.high);
        if (low == high) return point(std::move(low));
        if (!takes_for_equal_) return {};
        // The interval is taken for the whole number in it.
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
    bool takes_for_equal_;
};

Enclosure enclosure_of(Interval<Real> value) {
    if (value.is_point()) return {value.low == 0.0 ? Real(0) : std::move(value.low), 0};
    Real error = value.high - value.low;
    return {(value.low + value.high) / 2, std::move(error)};
}

}  // namespace

double exact_value(const Expression& expression, std::span<const double> values, DType dtype) {
    const auto near = Evaluation<double>(expression, values, false).run();
    if (near && near->is_point()) return near->low == 0 ? 0.0 : near->low;
    if (near && are_rounded_alike(near->low, near->high, dtype)) return near->high;
    {
        // Most values need no more, and take a third of the time.
        const Precision few(128);
        const auto value = Evaluation<Real>(expression, values, false).run();
        if (value) {
            const double low = for_rounding_to(dtype, value->low);
            const double high = for_rounding_to(dtype, value->high);
            if (!(low == 0) && are_rounded_alike(low, high, dtype)) return high;
        }
    }
    return ziv_loop(dtype, Midpoints::possible, [&]() -> Enclosure {
        const bool is_last = Precision::bits() >= most_bits_to_midpoint;
        auto value = Evaluation<Real>(expression, values, is_last).run();
        if (value) return enclosure_of(std::move(*value));
        return {0, std::numeric_limits<double>::infinity()};
    });
}

Real real_value(const Expression& expression, std::span<const double> values) {
    return enclosure_of(*Evaluation<Real>(expression, values, true).run()).value;
}

}  // namespace pegen::numerics
