#include "cli/batch/varied_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "numerics/real.h"

namespace pegen::cli {
namespace {

std::string text_of(const Part& part, std::string_view kinds) {
    const Json& json = part.json;
    if (json.is_string()) return json.get<std::string>();
    if (json.is_boolean()) return json.get<bool>() ? "true" : "false";
    if (json.is_number()) return typed_number(json);
    part.refuse(fmt::format("must be {}", kinds));
}

}  // namespace

void Part::refuse(std::string_view failure) const {
    throw FormatError(path,
                      place.empty() ? std::string(failure) : fmt::format("{}: {}", place, failure));
}

Part Part::at(const std::string& key) const {
    return {path, place.empty() ? key : fmt::format("{}.{}", place, key), json[key]};
}

Part Part::at(std::size_t index) const {
    return {path, fmt::format("{}[{}]", place, index), json[index]};
}

void Part::check_object(std::string_view example) const {
    if (!json.is_object()) refuse(fmt::format("must be an object, {}", example));
}

void Part::check_array() const {
    if (!json.is_array()) refuse("must be an array, [...]");
}

TypedValue typed_value(const Part& part) {
    constexpr std::string_view kinds = "a text, a number, true or false";
    if (!part.json.is_array() || part.json.empty()) {
        return {text_of(part, fmt::format("{}, or a list of these", kinds)), part.json.is_string()};
    }
    TypedValue list{"", false};
    for (std::size_t i = 0; i < part.json.size(); ++i) {
        list.items.push_back(text_of(part.at(i), kinds));
    }
    list.text = joined(list.items, ",");
    return list;
}

namespace {

using numerics::Real;

/// The number digits * 10^exponent.
struct Decimal {
    std::int64_t digits;
    int exponent;
};

void check_number(const Part& part) {
    if (!part.json.is_number()) part.refuse("must be a number");
}

[[noreturn]] void refuse_digits(const Part& part) {
    part.refuse("its numbers are more than 18 digits apart");
}

/// Returns the decimal as the manifest shows it, without trailing zeros.
Decimal decimal_of(const Part& part) {
    check_number(part);
    const std::string text = typed_value(part).text;
    const std::size_t mantissa = std::min(text.find('e'), text.size());
    const std::size_t point = std::min(text.find('.'), mantissa);
    std::string digits = text.substr(0, mantissa);
    Decimal decimal{0, 0};
    if (point < mantissa) {
        digits.erase(point, 1);
        decimal.exponent = -static_cast<int>(mantissa - point - 1);
    }
    if (mantissa < text.size()) {
        const char* const begin = text.data() + mantissa + 1;
        int exponent = 0;
        std::from_chars(*begin == '+' ? begin + 1 : begin, text.data() + text.size(), exponent);
        decimal.exponent += exponent;
    }
    const char* const end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, decimal.digits).ec != std::errc()) refuse_digits(part);
    for (; decimal.digits != 0 && decimal.digits % 10 == 0; ++decimal.exponent) {
        decimal.digits /= 10;
    }
    return decimal.digits == 0 ? Decimal{0, 0} : decimal;
}

/// Returns the integer by which 10^exponent is multiplied to give the decimal.
/// Throws: FormatError if it is too large.
std::int64_t digits_at(int exponent, Decimal decimal, const Part& part) {
    for (; decimal.digits != 0 && decimal.exponent > exponent; --decimal.exponent) {
        if (__builtin_mul_overflow(decimal.digits, 10, &decimal.digits)) refuse_digits(part);
    }
    return decimal.digits;
}

/// Returns the value in the form in which it is typed: a whole number without a decimal point.
std::string typed(double value) {
    const bool is_whole = std::fabs(value) <= 0x1p53 && value == std::trunc(value);
    return is_whole ? fmt::format("{}", static_cast<std::int64_t>(value)) : shortest(value);
}

/// Returns digits * 10^exponent as it is typed, rounded once to a double unless the exponent is 0.
std::string typed(std::int64_t digits, int exponent) {
    if (exponent == 0) return fmt::format("{}", digits);
    return typed(parse_real(fmt::format("{}e{}", digits, exponent), "the value"));
}

[[noreturn]] void refuse_count(const Part& part) {
    part.refuse(fmt::format("sweeps over more than {} jobs", most_jobs));
}

SweepValues steps(const Part& part) {
    constexpr std::array<std::string_view, 3> known{"from", "to", "step"};
    for (const auto& [key, value] : part.json.items()) {
        if (std::ranges::count(known, key) > 0) continue;
        part.at(key).refuse(
            fmt::format("unknown key{}", did_you_mean(key, {known.begin(), known.end()})));
    }
    for (const char* key : {"from", "to"}) {
        if (!part.json.contains(key)) part.refuse(fmt::format("needs \"{}\": a number", key));
    }
    const Decimal from = decimal_of(part.at("from")), to = decimal_of(part.at("to"));
    const Decimal step = part.json.contains("step") ? decimal_of(part.at("step")) : Decimal{1, 0};
    if (step.digits == 0) part.at("step").refuse("must not be 0");
    // The unit is at most 1, so that whole numbers stay whole.
    const int unit = std::min({from.exponent, to.exponent, step.exponent, 0});
    const std::int64_t first = digits_at(unit, from, part), last = digits_at(unit, to, part),
                       width = digits_at(unit, step, part);
    std::int64_t distance = 0;
    if (__builtin_sub_overflow(last, first, &distance)) refuse_digits(part);
    if (distance != 0 && (distance < 0) != (width < 0)) {
        part.refuse("is empty: \"step\" leads away from \"to\"");
    }
    const auto count = static_cast<std::uint64_t>(distance / width) + 1;
    if (count > most_jobs) refuse_count(part);
    return {static_cast<std::size_t>(count), [=](std::size_t i) {
                return TypedValue{typed(first + static_cast<std::int64_t>(i) * width, unit), false};
            }};
}

/// A function that returns the value at a fraction `share` of the way from `first` to `last`.
using Between = Real (*)(const Real& first, const Real& last, const Real& share);

Real linear(const Real& first, const Real& last, const Real& share) {
    return first + (last - first) * share;
}

Real logarithmic(const Real& first, const Real& last, const Real& share) {
    return pow(Real(10), linear(first, last, share));
}

Real geometric(const Real& first, const Real& last, const Real& share) {
    return first * pow(last / first, share);
}

/// A kind of range, with its name in NumPy.
struct Spacing {
    std::string_view name;
    Between between;
    bool is_of_ratios;  ///< both ends must be above 0
    bool has_zeros;
    /// Precision in bits. With it, a 0 between decimals of any size is exactly 0 after rounding.
    mpfr_prec_t bits;
};

constexpr std::array spacings{
    Spacing{"linspace", linear, false, true, 4096},
    Spacing{"logspace", logarithmic, false, false, numerics::Precision::usual},
    Spacing{"geomspace", geometric, true, false, numerics::Precision::usual},
};

/// Returns the decimal that the manifest shows, in the current Precision.
Real real_of(const Part& part) {
    const Decimal decimal = decimal_of(part);
    constexpr std::int64_t half = 1'000'000'000;  // split: a double cannot hold every int64
    const Real digits = Real(static_cast<double>(decimal.digits / half)) * Real(half) +
                        Real(static_cast<double>(decimal.digits % half));
    const Real power = pow(Real(10), Real(std::abs(decimal.exponent)));
    return decimal.exponent < 0 ? digits / power : digits * power;
}

SweepValues spaced(const Part& part, const Spacing& spacing) {
    if (!part.json.is_array() || part.json.size() != 3) part.refuse("must be [first, last, count]");
    const numerics::Precision precision(spacing.bits);
    const Real first = real_of(part.at(0)), last = real_of(part.at(1));
    const Part number = part.at(2);
    const bool is_count = number.json.is_number_unsigned() && number.json.get<std::uint64_t>() > 0;
    if (!is_count) number.refuse("must be a count of values, at least 1");
    if (number.json.get<std::uint64_t>() > most_jobs) refuse_count(part);
    const Real zero(0);
    if (spacing.is_of_ratios && !(zero < first && zero < last)) {
        part.refuse("must begin and end above 0");
    }
    const auto count = number.json.get<std::size_t>();
    const auto gaps = static_cast<double>(std::max<std::size_t>(count, 2) - 1);
    const auto at = [=](std::size_t i) {
        const numerics::Precision precision_of_caller(spacing.bits);
        const Real share = Real(static_cast<double>(i)) / Real(gaps);
        return numerics::nearest_double(spacing.between(first, last, share));
    };
    for (const double end : {at(0), at(count - 1)}) {
        if (std::isfinite(end) && (end != 0 || spacing.has_zeros)) continue;
        part.refuse("ends beyond the range of a double");
    }
    return {count, [=](std::size_t i) { return TypedValue{typed(at(i)), false}; }};
}

SweepValues listed(const Part& part) {
    if (part.json.empty()) part.refuse("needs at least one value");
    return {part.json.size(), [part](std::size_t i) { return typed_value(part.at(i)); }};
}

SweepValues range(const Part& part) {
    const auto& members = part.json;
    for (const Spacing& spacing : spacings) {
        const std::string name(spacing.name);
        if (!members.contains(name)) continue;
        if (members.size() > 1) part.refuse(fmt::format("\"{}\" stands alone", name));
        return spaced(part.at(name), spacing);
    }
    return steps(part);
}

/// Returns the fraction of 1 that a random number makes; it is neither 0 nor 1.
Real fraction(std::uint64_t number) {
    return {(static_cast<double>(number >> 12) + 0.5) * 0x1p-52};
}

/// A distribution with two numbers, [a, b], and the random fractions u and v.
struct DistributionKind {
    std::string_view name;
    Real (*value)(const Real& a, const Real& b, const Real& u, const Real& v);
    bool is_whole;
    bool is_of_ratios;  ///< both numbers must be above 0
    mpfr_prec_t bits = numerics::Precision::usual;
};

Real normal(const Real& mean, const Real& std, const Real& u, const Real& v) {
    return mean + std * sqrt(Real(-2) * log(u)) * cos(Real(2) * numerics::pi() * v);
}

constexpr std::array kinds{
    DistributionKind{
        "uniform",
        [](const Real& a, const Real& b, const Real& u, const Real&) { return linear(a, b, u); },
        false, false, spacings.front().bits},
    DistributionKind{
        "loguniform",
        [](const Real& a, const Real& b, const Real& u, const Real&) { return geometric(a, b, u); },
        false, true},
    DistributionKind{"normal", normal, false, false},
    DistributionKind{"integers",
                     [](const Real& a, const Real& b, const Real& u, const Real&) {
                         return floor(linear(a, b + Real(1), u));
                     },
                     true, false},
    DistributionKind{"logintegers",
                     [](const Real& a, const Real& b, const Real& u, const Real&) {
                         return floor(geometric(a, b + Real(1), u));
                     },
                     true, true},
};

/// Throws: FormatError if the distribution has no such numbers.
void check_numbers(const Part& part, const DistributionKind& kind) {
    const Real a = real_of(part.at(0)), b = real_of(part.at(1));
    const Real most(0x1p53);
    if (kind.is_whole) {
        for (std::size_t i = 0; i < 2; ++i) {
            const Real number = real_of(part.at(i));
            if (number == floor(number) && !(most < abs(number))) continue;
            part.at(i).refuse("must be a whole number from -2^53 to 2^53");
        }
    }
    if (kind.is_of_ratios && !(Real(0) < a)) part.refuse("must begin above 0");
    if (kind.value == normal) {
        if (!(Real(0) < b)) part.at(1).refuse("must be above 0: it is the standard deviation");
    } else if (b < a) {
        part.refuse("must end above its beginning: [low, high]");
    }
}

Distribution of_numbers(const Part& part, const DistributionKind& kind) {
    constexpr std::size_t longest = 24;  // of the shortest text of a double
    if (!part.json.is_array() || part.json.size() != 2) {
        part.refuse(kind.value == normal ? "must be [mean, std]" : "must be [low, high]");
    }
    const numerics::Precision precision(kind.bits);
    check_numbers(part, kind);
    return {longest, [kind, a = real_of(part.at(0)), b = real_of(part.at(1))](
                         std::uint64_t first, std::uint64_t second) {
                const numerics::Precision precision_of_caller(kind.bits);
                return TypedValue{typed(numerics::nearest_double(
                                      kind.value(a, b, fraction(first), fraction(second)))),
                                  false};
            }};
}

Distribution choice(const Part& part) {
    const SweepValues values = sweep_values(part);
    std::vector<TypedValue> all;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < values.count; ++i) {
        all.push_back(values.at(i));
        longest = std::max(longest, all.back().text.size());
    }
    return {longest, [all = std::move(all)](std::uint64_t number, std::uint64_t) {
                const Real place = Real(static_cast<double>(all.size())) * fraction(number);
                return all[static_cast<std::size_t>(numerics::nearest_double(floor(place)))];
            }};
}

constexpr std::string_view choice_name = "choice";

}  // namespace

std::vector<std::string_view> distribution_names() {
    std::vector<std::string_view> names;
    for (const DistributionKind& kind : kinds) names.push_back(kind.name);
    return names;
}

Distribution distribution(const Part& part) {
    if (part.json.size() == 1) {
        const auto& [name, value] = part.json.items().front();
        if (name == choice_name) return choice(part.at(name));
        const auto kind = std::ranges::find(kinds, name, &DistributionKind::name);
        if (kind != kinds.end()) return of_numbers(part.at(name), *kind);
    }
    std::vector<std::string_view> names = distribution_names();
    names.push_back(choice_name);
    part.refuse(
        fmt::format("must be a value, or a distribution: one of {}, as in "
                    "{{\"loguniform\": [100, 1e6]}}",
                    joined(names, ", ")));
}

std::vector<std::string_view> spacing_names() {
    std::vector<std::string_view> names;
    for (const Spacing& spacing : spacings) names.push_back(spacing.name);
    return names;
}

SweepValues sweep_values(const Part& part) {
    if (part.json.is_object()) return range(part);
    if (!part.json.is_array()) {
        part.refuse("must be an array, [...], or a range, {\"from\": 0, \"to\": 9}");
    }
    return listed(part);
}

}  // namespace pegen::cli
