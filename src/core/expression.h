#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Numbers as people write them: "2*pi/12", "10000^(2/16)", "1/sqrt(d)".
namespace pegen {

/// True if the text is more than one number: if it has an operator or a parenthesis, or is a name.
bool is_expression(std::string_view text);

/// Returns the names in an expression, each once, except names of constants and functions: "d" of
/// "1/sqrt(d)".
std::vector<std::string> names_in(std::string_view expression);

/// Returns the names that every expression may have, of pi and of functions, for suggestions.
std::vector<std::string_view> common_names();

/// A function that returns the value of a name; nothing for an unknown name.
using NumberOf = std::function<std::optional<double>(std::string_view name)>;

/// Evaluates sums, products, quotients and powers (^ or **), with parentheses, pi, e, sqrt, exp,
/// log, floor and ceil, and the names that `number_of` knows. Each operation is rounded to a
/// double, in the order of Python, which has the same precedences: -2^2 is -4, 2^3^2 is 2^9. `what`
/// names the value in messages: "--base". Throws: UsageError with the reason: what is missing or
/// unknown, a division by zero, a result that is too large for a double, or so small that it would
/// become 0.
double evaluate(std::string_view expression, std::string_view what, const NumberOf& number_of);

}  // namespace pegen
