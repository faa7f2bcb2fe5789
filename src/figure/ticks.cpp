#include "figure/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pegen {
namespace {

constexpr std::string_view minus_sign = "\u2212";

/// mantissa * 10^exponent, exactly.
struct Decimal {
    std::int64_t mantissa;
    int exponent;
};

double power_of_ten(int exponent) { return std::pow(10.0, exponent); }

double value_of(Decimal decimal) {
    const auto mantissa = static_cast<double>(decimal.mantissa);
    // A power of ten up to 10^22 is exact, its inverse is not: so this is rounded once.
    return decimal.exponent < 0 ? mantissa / power_of_ten(-decimal.exponent)
                                : mantissa * power_of_ten(decimal.exponent);
}

/// 1, 2, 2.5 and 5, as tenths.
constexpr std::array<std::int64_t, 4> step_tenths{10, 20, 25, 50};

/// A step between ticks: step_tenths[place] * 10^exponent tenths.
struct Step {
    std::size_t place;
    int exponent;

    Decimal decimal() const { return {step_tenths[place], exponent - 1}; }
    double value() const { return value_of(decimal()); }
    Step smaller() const {
        return place > 0 ? Step{place - 1, exponent} : Step{step_tenths.size() - 1, exponent - 1};
    }
    bool is_whole() const { return exponent > 0 || step_tenths[place] % 10 == 0; }
    Step larger() const {
        return place + 1 < step_tenths.size() ? Step{place + 1, exponent} : Step{0, exponent + 1};
    }
};

/// The smallest step not below `width`, but for rounding.
Step step_from(double width) {
    constexpr double rounding = 1e-12;
    Step step{0, static_cast<int>(std::floor(std::log10(width)))};
    while (step.value() < width * (1 - rounding)) step = step.larger();
    return step;
}

std::vector<Decimal> multiples_inside(Limits limits, Step step) {
    // A tick a hair outside is on the edge as far as pixels can show.
    constexpr double hair = 1e-10;
    const double width = step.value();
    const double slack = hair * (limits.high / width - limits.low / width);
    const auto first = static_cast<std::int64_t>(std::ceil(limits.low / width - slack));
    const auto last = static_cast<std::int64_t>(std::floor(limits.high / width + slack));
    std::vector<Decimal> multiples;
    for (std::int64_t k = first; k <= last; ++k) {
        multiples.push_back({k * step.decimal().mantissa, step.decimal().exponent});
    }
    return multiples;
}

/// The same decimals with the largest exponent that keeps all of them whole.
std::vector<Decimal> without_common_zeros(std::vector<Decimal> decimals) {
    const auto ends_in_zero = [](Decimal d) { return d.mantissa % 10 == 0; };
    const auto is_zero = [](Decimal d) { return d.mantissa == 0; };
    if (std::all_of(decimals.begin(), decimals.end(), is_zero)) {
        return std::vector<Decimal>(decimals.size(), {0, 0});
    }
    while (std::all_of(decimals.begin(), decimals.end(), ends_in_zero)) {
        for (Decimal& decimal : decimals) decimal = {decimal.mantissa / 10, decimal.exponent + 1};
    }
    return decimals;
}

/// The decimal exponent of the largest of them: 2 for 250.
int order_of_magnitude(const std::vector<Decimal>& decimals) {
    int order = std::numeric_limits<int>::min();
    for (const Decimal& decimal : decimals) {
        if (decimal.mantissa == 0) continue;
        const auto digits = static_cast<int>(fmt::formatted_size("{}", std::abs(decimal.mantissa)));
        order = std::max(order, digits - 1 + decimal.exponent);
    }
    return order == std::numeric_limits<int>::min() ? 0 : order;
}

/// All digits of the decimal, with a point where it has a fraction.
std::string in_digits(Decimal decimal) {
    std::string digits = fmt::format("{}", std::abs(decimal.mantissa));
    if (decimal.exponent > 0 && decimal.mantissa != 0) {
        digits.append(static_cast<std::size_t>(decimal.exponent), '0');
    }
    if (decimal.exponent < 0) {
        const auto fraction = static_cast<std::size_t>(-decimal.exponent);
        digits = fmt::format("{:0>{}}", digits, fraction + 1);
        const std::string_view all = digits;
        const std::size_t whole = all.size() - fraction;
        digits = fmt::format("{}.{}", all.substr(0, whole), all.substr(whole));
    }
    return fmt::format("{}{}", decimal.mantissa < 0 ? minus_sign : "", digits);
}

std::string superscript(int number) {
    constexpr std::array<std::string_view, 10> digits{"\u2070", "\u00b9", "\u00b2", "\u00b3",
                                                      "\u2074", "\u2075", "\u2076", "\u2077",
                                                      "\u2078", "\u2079"};
    std::string text = number < 0 ? "\u207b" : "";
    for (const char digit : fmt::format("{}", std::abs(number))) {
        text += digits[static_cast<std::size_t>(digit - '0')];
    }
    return text;
}

std::vector<Tick> labelled(std::vector<Decimal> decimals, int exponent) {
    std::vector<Tick> ticks;
    for (const Decimal& decimal : without_common_zeros(std::move(decimals))) {
        std::string label = in_digits({decimal.mantissa, decimal.exponent - exponent});
        if (exponent != 0) {
            label += fmt::format("e{}{}", exponent < 0 ? minus_sign : "", std::abs(exponent));
        }
        ticks.push_back({value_of(decimal), std::move(label)});
    }
    return ticks;
}

std::size_t longest_label(const std::vector<Tick>& ticks) {
    std::size_t longest = 0;
    for (const Tick& tick : ticks) longest = std::max(longest, tick.label.size());
    return longest;
}

}  // namespace

std::vector<Tick> value_ticks(Limits limits, int intervals) {
    const double magnitude = std::max(std::fabs(limits.low), std::fabs(limits.high));
    // Doubles beside the limits are further apart than finer steps.
    constexpr double resolution = 0x1p-50;
    const double width =
        std::max(limits.high / intervals - limits.low / intervals, magnitude * resolution);
    Step step = step_from(width);
    std::vector<Decimal> decimals = multiples_inside(limits, step);
    // Among four smaller steps one is less than half as wide as the limits are apart.
    for (int tries = 0; decimals.size() < 2 && tries < 4; ++tries) {
        step = step.smaller();
        decimals = multiples_inside(limits, step);
    }
    const int order = order_of_magnitude(decimals);
    std::vector<Tick> in_full = labelled(decimals, 0);
    if (order > -5 && order < 6) return in_full;
    std::vector<Tick> with_exponent = labelled(std::move(decimals), order);
    return longest_label(with_exponent) < longest_label(in_full) ? with_exponent : in_full;
}

std::vector<Tick> index_ticks(Limits limits, int intervals) {
    const Limits whole{std::ceil(limits.low), std::floor(limits.high)};
    Step step = step_from(std::max(1.0, (limits.high - limits.low) / intervals));
    if (!step.is_whole()) step = step.larger();
    std::vector<Decimal> decimals = multiples_inside(whole, step);
    while (decimals.size() < 2 && step.value() > 1) {
        do {
            step = step.smaller();
        } while (!step.is_whole());
        decimals = multiples_inside(whole, step);
    }
    return labelled(std::move(decimals), 0);
}

std::vector<Tick> power_ticks(Limits limits, int intervals) {
    constexpr double hair = 1e-10;
    const double lowest = std::log10(limits.low), highest = std::log10(limits.high);
    const int first = static_cast<int>(std::ceil(lowest - hair));
    const int last = static_cast<int>(std::floor(highest + hair));
    if (last <= first) return value_ticks(limits, intervals);
    const int step = std::max(1, (last - first + intervals - 1) / intervals);
    std::vector<Tick> ticks;
    for (int exponent = first - 1; exponent <= last; ++exponent) {
        const bool is_major = exponent >= first && exponent % step == 0;
        if (is_major)
            ticks.push_back({power_of_ten(exponent), fmt::format("10{}", superscript(exponent))});
        if (step > 1) continue;
        for (int multiple = 2; multiple < 10; ++multiple) {
            const double value = multiple * power_of_ten(exponent);
            if (value < limits.low || value > limits.high) continue;
            ticks.push_back({.value = value, .label = "", .is_minor = true});
        }
    }
    return ticks;
}

}  // namespace pegen
