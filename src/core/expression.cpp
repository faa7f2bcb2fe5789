#include "core/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/names.h"
#include "core/powers.h"

namespace pegen {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct Constant {
    std::string_view name;
    double value;
};

constexpr std::array constants{Constant{"pi", std::numbers::pi}, Constant{"e", std::numbers::e}};

struct FunctionOfOne {
    std::string_view name;
    double (*value)(double);
    double least;  ///< the smallest argument; excluded if least_is_open
    bool least_is_open;
    bool has_zeros;  ///< the result can be 0; otherwise a 0 was too small for a double
};

constexpr double everything = -HUGE_VAL;
constexpr std::array functions{
    FunctionOfOne{"sqrt", [](double x) { return std::sqrt(x); }, 0, false, true},
    FunctionOfOne{"exp", exponential, everything, false, false},
    FunctionOfOne{"log", logarithm, 0, true, true},
    FunctionOfOne{"floor", [](double x) { return std::floor(x); }, everything, false, true},
    FunctionOfOne{"ceil", [](double x) { return std::ceil(x); }, everything, false, true},
};

template <class Row, std::size_t size>
const Row* find(const std::array<Row, size>& rows, std::string_view name) {
    const auto found = std::ranges::find(rows, name, &Row::name);
    return found == rows.end() ? nullptr : &*found;
}

/// An evaluation of an expression from left to right. Each function reads one kind of operand and
/// leaves the text behind it.
class Evaluation {
  public:
    Evaluation(std::string_view expression, std::string_view what, const NumberOf& number_of)
        : whole_(expression), what_(what), number_of_(number_of), rest_(expression) {}

    double run() {
        const double value = sum();
        if (!rest_.empty()) reject(fmt::format("'{}' after '{}'", rest_, read()));
        return value;
    }

  private:
    [[noreturn]] void reject(std::string_view reason) const {
        throw UsageError(fmt::format("{} {}: not a number: {}", what_, whole_, reason));
    }

    std::string_view read() const { return whole_.substr(0, whole_.size() - rest_.size()); }

    void skip_spaces() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    }

    bool takes(std::string_view symbol) {
        skip_spaces();
        if (!rest_.starts_with(symbol)) return false;
        rest_.remove_prefix(symbol.size());
        skip_spaces();
        return true;
    }

    double checked(double value, bool may_be_zero = true) const {
        if (!std::isfinite(value) || (value == 0 && !may_be_zero)) {
            reject("beyond the range of a double");
        }
        return value;
    }

    double sum() {
        const Nesting nesting(*this);
        double value = product();
        for (;;) {
            if (takes("+")) {
                value = checked(value + product());
            } else if (takes("-")) {
                value = checked(value - product());
            } else {
                return value;
            }
        }
    }

    double product() {
        double value = signed_power();
        for (;;) {
            skip_spaces();
            if (!rest_.starts_with("**") && takes("*")) {
                const double factor = signed_power();
                value = checked(value * factor, value == 0 || factor == 0);
            } else if (takes("/")) {
                const double divisor = signed_power();
                if (divisor == 0) reject("it divides by 0");
                value = checked(value / divisor, value == 0);
            } else {
                return value;
            }
        }
    }

    double signed_power() {
        const Nesting nesting(*this);
        if (takes("-")) return -signed_power();
        if (takes("+")) return signed_power();
        const double base = operand();
        return takes("^") || takes("**") ? power_of(base, signed_power()) : base;
    }

    double power_of(double base, double exponent) const {
        if (base < 0 && exponent != std::trunc(exponent)) {
            reject("a negative number has only whole powers");
        }
        if (base == 0 && exponent < 0) reject("it divides by 0");
        return checked(power(base, exponent), base == 0);
    }

    double operand() {
        skip_spaces();
        if (rest_.empty()) reject("a number is missing at the end");
        if (takes("(")) return closed(sum());
        if (is_letter(rest_.front())) return named();
        double value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error == std::errc::result_out_of_range) reject("beyond the range of a double");
        if (error != std::errc()) reject(fmt::format("a number is missing before '{}'", rest_));
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }

    double closed(double value) {
        if (!takes(")")) reject("a ')' is missing");
        return value;
    }

    double named() {
        const auto is_of_name = [](char c) { return is_letter(c) || is_digit(c); };
        const auto end = std::ranges::find_if_not(rest_, is_of_name);
        const std::string_view name(rest_.begin(), end);
        rest_.remove_prefix(name.size());
        if (const FunctionOfOne* const function = find(functions, name)) {
            if (!takes("(")) reject(fmt::format("a '(' is missing after {}", name));
            const double argument = closed(sum());
            if (argument < function->least ||
                (function->least_is_open && argument == function->least)) {
                reject(fmt::format("there is no {} of {}", name, argument));
            }
            return checked(function->value(argument), function->has_zeros);
        }
        if (const Constant* const constant = find(constants, name)) return constant->value;
        if (const std::optional<double> number = number_of_(name)) return *number;
        const std::string meant = did_you_mean(name, common_names());
        if (name == whole_)
            throw UsageError(fmt::format("{} {}: not a number{}", what_, name, meant));
        reject(fmt::format("'{}' has no value here{}", name, meant));
    }

    /// A level of parentheses and signs inside each other. Too many levels are rejected before the
    /// stack ends.
    class Nesting {
      public:
        explicit Nesting(Evaluation& evaluation) : depth_(evaluation.depth_) {
            constexpr int deepest = 200;
            if (++depth_ > deepest) evaluation.reject("too many parentheses and signs");
        }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;
        ~Nesting() { --depth_; }

      private:
        int& depth_;
    };

    std::string_view whole_;
    std::string_view what_;
    const NumberOf& number_of_;
    std::string_view rest_;
    int depth_ = 0;
};

}  // namespace

bool is_expression(std::string_view text) {
    const std::string_view unsigned_text = text.starts_with('-') ? text.substr(1) : text;
    if (unsigned_text.empty()) return false;
    if (is_letter(unsigned_text.front())) {
        // from_chars reads nan and inf as numbers, so they are no names.
        const std::string name = spelling(unsigned_text);
        return name != "nan" && !name.starts_with("inf");
    }
    for (std::size_t i = 0; i < unsigned_text.size(); ++i) {
        const char c = unsigned_text[i];
        const bool is_exponent_sign =
            i > 0 && (unsigned_text[i - 1] == 'e' || unsigned_text[i - 1] == 'E');
        if (std::string_view("*/^()").find(c) != std::string_view::npos) return true;
        if ((c == '+' || c == '-') && i > 0 && !is_exponent_sign) return true;
    }
    return false;
}

std::vector<std::string_view> common_names() {
    std::vector<std::string_view> names{"pi"};
    for (const FunctionOfOne& function : functions) names.push_back(function.name);
    return names;
}

std::vector<std::string> names_in(std::string_view expression) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < expression.size();) {
        if (is_digit(expression[i]) || expression[i] == '.') {
            // The e of an exponent is no name.
            double value = 0;
            const char* const begin = expression.data() + i;
            const char* const end = expression.data() + expression.size();
            const char* const after = std::from_chars(begin, end, value).ptr;
            i += std::max<std::size_t>(1, static_cast<std::size_t>(after - begin));
        } else if (is_letter(expression[i])) {
            std::size_t end = i;
            while (end < expression.size() &&
                   (is_letter(expression[end]) || is_digit(expression[end]))) {
                ++end;
            }
            std::string name(expression.substr(i, end - i));
            i = end;
            if (find(constants, name) || find(functions, name)) continue;
            if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
        } else {
            ++i;
        }
    }
    return names;
}

double evaluate(std::string_view expression, std::string_view what, const NumberOf& number_of) {
    return Evaluation(expression, what, number_of).run();
}

}  // namespace pegen
