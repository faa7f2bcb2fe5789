#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Numbers and formulas as people write them: "2*pi/12", "1/sqrt(d)", "exp(-abs(q - k)/8)".
namespace pegen {

/// What a step of an expression does with the values of its operands. Comparisons, `and`, `or` and
/// `not` return 1 or 0. Quotients rounded down and remainders are Python's: -7 // 2 is -4, and a
/// remainder has the sign of the divisor.
enum class Operation : std::uint8_t {
    number,
    name,
    pi,
    e,
    negative,
    sum,
    difference,
    product,
    quotient,
    floor_quotient,
    remainder,
    power,
    less,
    less_or_equal,
    equal,
    conjunction,
    disjunction,
    negation,
    sqrt,
    exp,
    log,
    log2,
    sin,
    cos,
    tanh,
    atan,
    floor,
    ceil,
    abs,
    sign,
    min,
    max,
    clip,
    where,  ///< the second operand if the first is not 0, otherwise the third
};

/// A step of an expression.
struct ExpressionStep {
    Operation operation;
    double number = 0;                    ///< the value of a number
    std::string name{};                   ///< the name of a value
    std::vector<std::size_t> operands{};  ///< the numbers of earlier steps
    std::size_t begin = 0;                ///< the place of a name in the text
};

/// An expression whose steps follow their operands; the last one is the whole.
struct Expression {
    std::string what;  ///< names the value in messages: "--base"
    std::string text;
    std::vector<ExpressionStep> steps;
};

/// Reads sums, products, quotients (/ and //), remainders (%), powers (^ or **) and comparisons,
/// with `and`, `or`, `not`, `a if c else b`, parentheses, pi, e, the functions of Operation, and
/// names, with Python's precedences: -2^2 is -4, 2^3^2 is 2^9. `noun` says what the expression is,
/// "number" or "formula". Throws: UsageError, "what text: not a number: reason".
Expression parse_expression(std::string_view text, std::string_view what, std::string_view noun);

/// True if the text is more than one number: if it has an operator or a parenthesis, or is a name.
bool is_expression(std::string_view text);

/// Returns the names in an expression, each once, except names of constants and functions: "d" of
/// "1/sqrt(d)".
std::vector<std::string> names_in(std::string_view expression);

/// Returns the names that every expression may have, of pi and of functions, for suggestions.
std::vector<std::string_view> common_names();

/// A function that returns the value of a name; nothing for an unknown name.
using NumberOf = std::function<std::optional<double>(std::string_view name)>;

/// Evaluates an expression of names that `number_of` knows. Each operation is rounded to a double,
/// to the same bits on every machine; log2, sin, cos, tanh and atan, of which doubles promise no
/// bits, are refused. Throws: as parse_expression; UsageError if a name has no value, for a
/// division by zero, a result that is too large for a double, or so small that it would become 0.
double evaluate(std::string_view text, std::string_view what, const NumberOf& number_of);

}  // namespace pegen
