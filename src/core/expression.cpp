#include "core/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/double_double.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"

namespace pegen {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct Constant {
    std::string_view name;
    Operation operation;
    double value;
};

constexpr std::array constants{Constant{"pi", Operation::pi, std::numbers::pi},
                               Constant{"e", Operation::e, std::numbers::e}};

struct Function {
    std::string_view name;
    Operation operation;
    std::size_t operands;
};

constexpr std::array functions{
    Function{"sqrt", Operation::sqrt, 1},     Function{"exp", Operation::exp, 1},
    Function{"log", Operation::log, 1},       Function{"log2", Operation::log2, 1},
    Function{"sin", Operation::sin, 1},       Function{"cos", Operation::cos, 1},
    Function{"tanh", Operation::tanh, 1},     Function{"floor", Operation::floor, 1},
    Function{"ceil", Operation::ceil, 1},     Function{"abs", Operation::abs, 1},
    Function{"sign", Operation::sign, 1},     Function{"min", Operation::min, 2},
    Function{"max", Operation::max, 2},       Function{"clip", Operation::clip, 3},
    Function{"where", Operation::where, 3},   Function{"atan", Operation::atan, 1},
    Function{"ln", Operation::log, 1},        Function{"pow", Operation::power, 2},
    Function{"mod", Operation::remainder, 2}, Function{"minimum", Operation::min, 2},
    Function{"maximum", Operation::max, 2},   Function{"clamp", Operation::clip, 3},
};

constexpr std::array<std::string_view, 5> operator_words{"and", "or", "not", "if", "else"};

/// An operator between two operands. Longer symbols come before their beginnings.
struct Operator {
    std::string_view symbol;
    Operation operation;
    bool is_exchanged = false;  ///< the operands are
    bool is_negated = false;    ///< the result is
};

constexpr std::array comparisons{
    Operator{"<=", Operation::less_or_equal}, Operator{">=", Operation::less_or_equal, true},
    Operator{"==", Operation::equal},         Operator{"!=", Operation::equal, false, true},
    Operator{"<", Operation::less},           Operator{">", Operation::less, true},
};
constexpr std::array sums{Operator{"+", Operation::sum}, Operator{"-", Operation::difference}};
constexpr std::array products{
    Operator{"*", Operation::product}, Operator{"//", Operation::floor_quotient},
    Operator{"/", Operation::quotient}, Operator{"%", Operation::remainder}};

template <class Row, std::size_t size>
const Row* find(const std::array<Row, size>& rows, std::string_view name) {
    const auto found = std::ranges::find(rows, name, &Row::name);
    return found == rows.end() ? nullptr : &*found;
}

/// A reading of an expression from left to right. Each function reads one kind of operand, leaves
/// the text behind it, and returns the number of its last step.
class Reading {
  public:
    Reading(std::string_view expression, std::string_view what, std::string_view noun)
        : whole_(expression), what_(what), noun_(noun), rest_(expression) {}

    Expression run() {
        choice();
        if (!rest_.empty()) reject(fmt::format("'{}' after '{}'", rest_, read()));
        return {std::string(what_), std::string(whole_), std::move(steps_)};
    }

  private:
    using Step = std::size_t;

    [[noreturn]] void reject(std::string_view reason) const {
        throw UsageError(fmt::format("{} {}: not a {}: {}", what_, whole_, noun_, reason));
    }

    std::string_view read() const { return whole_.substr(0, whole_.size() - rest_.size()); }

    void skip_spaces() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    }

    bool takes(std::string_view symbol) {
        skip_spaces();
        if (!rest_.starts_with(symbol)) return false;
        rest_.remove_prefix(symbol.size());
        skip_spaces();
        return true;
    }

    /// Takes a word, but not the beginning of a longer one.
    bool takes_word(std::string_view word) {
        skip_spaces();
        return next_word() == word && takes(word);
    }

    std::string_view next_word() const {
        const auto is_of_word = [](char c) { return is_letter(c) || is_digit(c); };
        return {rest_.begin(), std::ranges::find_if_not(rest_, is_of_word)};
    }

    template <std::size_t size>
    const Operator* taken(const std::array<Operator, size>& operators) {
        const auto found =
            std::ranges::find_if(operators, [&](const Operator& o) { return takes(o.symbol); });
        return found == operators.end() ? nullptr : &*found;
    }

    Step add(ExpressionStep step) {
        // Whoever evaluates the steps calls himself for each operand.
        constexpr int most_within = 1000;
        int depth = 0;
        for (const Step operand : step.operands) depth = std::max(depth, depths_[operand] + 1);
        if (depth > most_within) reject("more than 1000 operations within each other");
        depths_.push_back(depth);
        steps_.push_back(std::move(step));
        return steps_.size() - 1;
    }
    Step add(Operation operation, std::vector<Step> operands) {
        return add({.operation = operation, .operands = std::move(operands)});
    }

    Step choice() {
        const Nesting nesting(*this);
        const Step value = alternative();
        if (!takes_word("if")) return value;
        const Step condition = alternative();
        if (!takes_word("else")) reject(fmt::format("an 'else' is missing after '{}'", read()));
        return add(Operation::where, {condition, value, choice()});
    }

    Step alternative() {
        Step value = conjunction();
        while (takes_word("or")) value = add(Operation::disjunction, {value, conjunction()});
        return value;
    }

    Step conjunction() {
        Step value = condition();
        while (takes_word("and")) value = add(Operation::conjunction, {value, condition()});
        return value;
    }

    Step condition() {
        const Nesting nesting(*this);
        if (takes_word("not")) return add(Operation::negation, {condition()});
        Step left = sum();
        const Operator* comparison = taken(comparisons);
        if (!comparison) return left;
        Step right = sum();
        Step all = compared(*comparison, left, right);
        while ((comparison = taken(comparisons))) {
            left = std::exchange(right, sum());
            all = add(Operation::conjunction, {all, compared(*comparison, left, right)});
        }
        return all;
    }

    Step compared(const Operator& comparison, Step left, Step right) {
        if (comparison.is_exchanged) std::swap(left, right);
        const Step result = add(comparison.operation, {left, right});
        return comparison.is_negated ? add(Operation::negation, {result}) : result;
    }

    Step sum() {
        Step value = product();
        while (const Operator* const next = taken(sums)) {
            value = add(next->operation, {value, product()});
        }
        return value;
    }

    Step product() {
        Step value = signed_power();
        while (const Operator* const next = taken(products)) {
            value = add(next->operation, {value, signed_power()});
        }
        return value;
    }

    Step signed_power() {
        const Nesting nesting(*this);
        if (takes("-")) return add(Operation::negative, {signed_power()});
        if (takes("+")) return signed_power();
        const Step base = operand();
        return takes("^") || takes("**") ? add(Operation::power, {base, signed_power()}) : base;
    }

    Step operand() {
        skip_spaces();
        if (rest_.empty()) reject("a number is missing at the end");
        if (takes("(")) return closed(choice());
        if (is_letter(rest_.front())) return named();
        double value = 0;
        const auto [end, error] = read_double(rest_, value);
        if (error == std::errc::result_out_of_range) reject("beyond the range of a double");
        if (error != std::errc()) reject(fmt::format("a number is missing before '{}'", rest_));
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return add({.operation = Operation::number, .number = value});
    }

    Step closed(Step value) {
        if (!takes(")")) reject("a ')' is missing");
        return value;
    }

    Step named() {
        const std::string_view name = next_word();
        const std::size_t begin = read().size();
        rest_.remove_prefix(name.size());
        if (const Function* const function = find(functions, name)) return call(*function);
        if (const Constant* const constant = find(constants, name)) {
            return add({.operation = constant->operation, .number = constant->value});
        }
        skip_spaces();
        if (rest_.starts_with('(')) {
            reject(
                fmt::format("there is no function {}{}", name, did_you_mean(name, common_names())));
        }
        return add({.operation = Operation::name, .name = std::string(name), .begin = begin});
    }

    Step call(const Function& function) {
        if (!takes("(")) reject(fmt::format("a '(' is missing after {}", function.name));
        std::vector<Step> operands{choice()};
        while (takes(",")) operands.push_back(choice());
        const bool is_min_or_max =
            function.operation == Operation::min || function.operation == Operation::max;
        if (operands.size() != function.operands && !(is_min_or_max && operands.size() > 2)) {
            reject(fmt::format("{} takes {} values, separated by commas", function.name,
                               function.operands));
        }
        if (is_min_or_max) {
            Step result = operands.front();
            for (std::size_t i = 1; i < operands.size(); ++i) {
                result = add(function.operation, {result, operands[i]});
            }
            return closed(result);
        }
        return closed(add(function.operation, std::move(operands)));
    }

    /// A level of parentheses and signs inside each other. Too many levels are rejected before the
    /// stack ends.
    class Nesting {
      public:
        explicit Nesting(Reading& reading) : depth_(reading.depth_) {
            constexpr int deepest = 400;
            if (++depth_ > deepest) reading.reject("too many parentheses and signs");
        }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;
        ~Nesting() { --depth_; }

      private:
        int& depth_;
    };

    std::string_view whole_;
    std::string_view what_;
    std::string_view noun_;
    std::string_view rest_;
    std::vector<ExpressionStep> steps_;
    std::vector<int> depths_;  ///< for each step, how many operations are within each other
    int depth_ = 0;
};

/// The value of an expression, each operation rounded to a double.
class Evaluation {
  public:
    Evaluation(const Expression& expression, const NumberOf& number_of)
        : expression_(expression), number_of_(number_of) {}

    double value_of(std::size_t number) const {
        const ExpressionStep& step = expression_.steps[number];
        const auto is_true = [&](std::size_t i) { return value_of(step.operands[i]) != 0; };
        // These look at no more operands than they need, as in Python.
        if (step.operation == Operation::conjunction) return is_true(0) && is_true(1);
        if (step.operation == Operation::disjunction) return is_true(0) || is_true(1);
        if (step.operation == Operation::where) return value_of(step.operands[is_true(0) ? 1 : 2]);
        std::vector<double> x;
        for (const std::size_t operand : step.operands) x.push_back(value_of(operand));
        switch (step.operation) {
            case Operation::number:
            case Operation::pi:
            case Operation::e:
                return step.number;
            case Operation::name:
                return value_of_name(step.name);
            case Operation::negative:
                return -x[0];
            case Operation::sum:
                return checked(x[0] + x[1]);
            case Operation::difference:
                return checked(x[0] - x[1]);
            case Operation::product:
                return product(x[0], x[1]);
            case Operation::quotient:
                return quotient(x[0], x[1]);
            case Operation::floor_quotient:
                return floor_quotient(x[0], x[1]);
            case Operation::remainder:
                return remainder(x[0], x[1]);
            case Operation::power:
                return power_of(x[0], x[1]);
            case Operation::less:
                return x[0] < x[1];
            case Operation::less_or_equal:
                return x[0] <= x[1];
            case Operation::equal:
                return x[0] == x[1];
            case Operation::negation:
                return x[0] == 0;
            case Operation::sqrt:
                return std::sqrt(at_least_0(x[0], "sqrt"));
            case Operation::exp:
                return checked(exponential(x[0]), false);
            case Operation::log:
                return logarithm_of(x[0]);
            case Operation::floor:
                return std::floor(x[0]);
            case Operation::ceil:
                return std::ceil(x[0]);
            case Operation::abs:
                return std::fabs(x[0]);
            case Operation::sign:
                return sign(x[0]);
            case Operation::min:
                return std::min(x[0], x[1]);
            case Operation::max:
                return std::max(x[0], x[1]);
            case Operation::clip:
                return std::min(std::max(x[0], x[1]), x[2]);
            case Operation::conjunction:
            case Operation::disjunction:
            case Operation::where:
            case Operation::log2:
            case Operation::sin:
            case Operation::cos:
            case Operation::tanh:
            case Operation::atan:
                break;
        }
        reject(
            fmt::format("{} is not for numbers of parameters",
                        std::ranges::find(functions, step.operation, &Function::operation)->name));
    }

  private:
    [[noreturn]] void reject(std::string_view reason) const {
        throw UsageError(
            fmt::format("{} {}: not a number: {}", expression_.what, expression_.text, reason));
    }

    double checked(double value, bool may_be_zero = true) const {
        if (!std::isfinite(value) || (value == 0 && !may_be_zero)) {
            reject("beyond the range of a double");
        }
        return value;
    }

    double product(double a, double b) const { return checked(a * b, a == 0 || b == 0); }

    double quotient(double a, double b) const {
        if (b == 0) reject("it divides by 0");
        return checked(a / b, a == 0);
    }

    double floor_quotient(double a, double b) const {
        return std::round(quotient(a - remainder(a, b), b));
    }

    double remainder(double a, double b) const {
        if (b == 0) reject("it divides by 0");
        const double rest = std::fmod(a, b);
        return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }

    double power_of(double base, double exponent) const {
        if (base < 0 && exponent != std::trunc(exponent)) {
            reject("a negative number has only whole powers");
        }
        if (base == 0 && exponent < 0) reject("it divides by 0");
        return checked(power(base, exponent), base == 0);
    }

    double at_least_0(double x, std::string_view function) const {
        if (x < 0) reject(fmt::format("there is no {} of {}", function, x));
        return x;
    }

    double logarithm_of(double x) const {
        if (x == 0) reject("there is no log of 0");
        return logarithm(at_least_0(x, "log"));
    }

    static double sign(double x) { return static_cast<double>(x > 0) - static_cast<double>(x < 0); }

    double value_of_name(const std::string& name) const {
        if (const std::optional<double> number = number_of_(name)) return *number;
        const std::string meant = did_you_mean(name, common_names());
        if (name == expression_.text) {
            throw UsageError(fmt::format("{} {}: not a number{}", expression_.what, name, meant));
        }
        reject(fmt::format("'{}' has no value here{}", name, meant));
    }

    const Expression& expression_;
    const NumberOf& number_of_;
};

}  // namespace

Expression parse_expression(std::string_view text, std::string_view what, std::string_view noun) {
    return Reading(text, what, noun).run();
}

bool is_expression(std::string_view text) {
    const std::string_view unsigned_text = text.starts_with('-') ? text.substr(1) : text;
    if (unsigned_text.empty()) return false;
    for (const std::string_view word : {" and ", " or ", " if "}) {
        if (unsigned_text.find(word) != unsigned_text.npos) return true;
    }
    if (is_letter(unsigned_text.front())) {
        // read_double reads nan and inf as numbers, so they are no names.
        const std::string name = spelling(unsigned_text);
        return name != "nan" && !name.starts_with("inf");
    }
    for (std::size_t i = 0; i < unsigned_text.size(); ++i) {
        const char c = unsigned_text[i];
        const bool is_exponent_sign =
            i > 0 && (unsigned_text[i - 1] == 'e' || unsigned_text[i - 1] == 'E');
        if (std::string_view("*/%^()<>=").find(c) != std::string_view::npos) return true;
        if ((c == '+' || c == '-') && i > 0 && !is_exponent_sign) return true;
    }
    return false;
}

std::vector<std::string_view> common_names() {
    std::vector<std::string_view> names{"pi"};
    for (const Function& function : functions) names.push_back(function.name);
    return names;
}

std::vector<std::string> names_in(std::string_view expression) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < expression.size();) {
        if (is_digit(expression[i]) || expression[i] == '.') {
            // The e of an exponent is no name.
            double value = 0;
            const std::string_view rest = expression.substr(i);
            const char* const after = read_double(rest, value).ptr;
            i += std::max<std::size_t>(1, static_cast<std::size_t>(after - rest.data()));
        } else if (is_letter(expression[i])) {
            std::size_t end = i;
            while (end < expression.size() &&
                   (is_letter(expression[end]) || is_digit(expression[end]))) {
                ++end;
            }
            std::string name(expression.substr(i, end - i));
            i = end;
            if (find(constants, name) || find(functions, name)) continue;
            if (std::ranges::find(operator_words, name) != operator_words.end()) continue;
            if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
        } else {
            ++i;
        }
    }
    return names;
}

double evaluate(std::string_view text, std::string_view what, const NumberOf& number_of) {
    const Expression expression = parse_expression(text, what, "number");
    return Evaluation(expression, number_of).value_of(expression.steps.size() - 1);
}

}  // namespace pegen
