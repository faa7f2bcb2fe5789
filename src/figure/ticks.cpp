#include "figure/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace pegen {
namespace {

/// Steps are quotients by powers of ten, which end here.
constexpr double widest_step = 1e308;

/// The exact number mantissa * 10^exponent.
struct ScaledInteger {
    std::int64_t mantissa;
    int exponent;
};

double power_of_ten(int exponent) { return std::pow(10.0, exponent); }

double value_of(ScaledInteger number) {
    const auto mantissa = static_cast<double>(number.mantissa);
    // Powers of ten up to 10^22 are exact but their inverses are not: dividing rounds only once.
    return number.exponent < 0 ? mantissa / power_of_ten(-number.exponent)
                               : mantissa * power_of_ten(number.exponent);
}

/// The steps 1, 2, 2.5 and 5, in tenths.
constexpr std::array<std::int64_t, 4> step_tenths{10, 20, 25, 50};

/// A step between ticks: step_tenths[place] * 10^exponent tenths.
struct Step {
    std::size_t place;
    int exponent;

    ScaledInteger scaled() const { return {step_tenths[place], exponent - 1}; }
    double value() const { return value_of(scaled()); }
    Step smaller() const {
        return place > 0 ? Step{place - 1, exponent} : Step{step_tenths.size() - 1, exponent - 1};
    }
    bool is_whole() const { return exponent > 0 || step_tenths[place] % 10 == 0; }
    Step larger() const {
        return place + 1 < step_tenths.size() ? Step{place + 1, exponent} : Step{0, exponent + 1};
    }
};

/// Returns the smallest step that is not below `width`, apart from rounding.
Step step_from(double width) {
    constexpr double rounding = 1e-12;
    Step step{0, static_cast<int>(std::floor(std::log10(width)))};
    while (step.value() < width * (1 - rounding)) step = step.larger();
    return step;
}

std::vector<ScaledInteger> multiples_inside(Limits limits, Step step) {
    // A tick that is outside by less than pixels can show counts as inside.
    constexpr double hair = 1e-10;
    const double width = step.value();
    const double slack = hair * (limits.high / width - limits.low / width);
    const auto first = static_cast<std::int64_t>(std::ceil(limits.low / width - slack));
    const auto last = static_cast<std::int64_t>(std::floor(limits.high / width + slack));
    std::vector<ScaledInteger> multiples;
    for (std::int64_t k = first; k <= last; ++k) {
        multiples.push_back({k * step.scaled().mantissa, step.scaled().exponent});
    }
    return multiples;
}

/// Returns the same numbers with the largest exponent that keeps all of them whole.
std::vector<ScaledInteger> without_common_zeros(std::vector<ScaledInteger> numbers) {
    const auto ends_in_zero = [](ScaledInteger d) { return d.mantissa % 10 == 0; };
    const auto is_zero = [](ScaledInteger d) { return d.mantissa == 0; };
    if (std::all_of(numbers.begin(), numbers.end(), is_zero)) {
        return std::vector<ScaledInteger>(numbers.size(), {0, 0});
    }
    while (std::all_of(numbers.begin(), numbers.end(), ends_in_zero)) {
        for (ScaledInteger& number : numbers) number = {number.mantissa / 10, number.exponent + 1};
    }
    return numbers;
}

/// Returns the decimal exponent of the largest number: 2 for 250.
int order_of_magnitude(const std::vector<ScaledInteger>& numbers) {
    int order = std::numeric_limits<int>::min();
    for (const ScaledInteger& number : numbers) {
        if (number.mantissa == 0) continue;
        const auto digits = static_cast<int>(fmt::formatted_size("{}", std::abs(number.mantissa)));
        order = std::max(order, digits - 1 + number.exponent);
    }
    return order == std::numeric_limits<int>::min() ? 0 : order;
}

/// Returns all digits of the number, with a point if it has a fraction.
std::string in_digits(ScaledInteger number) {
    std::string digits = fmt::format("{}", std::abs(number.mantissa));
    if (number.exponent > 0 && number.mantissa != 0) {
        digits.append(number.exponent, '0');
    }
    if (number.exponent < 0) {
        const std::size_t fraction = -number.exponent;
        digits = fmt::format("{:0>{}}", digits, fraction + 1);
        const std::string_view all = digits;
        const std::size_t whole = all.size() - fraction;
        digits = fmt::format("{}.{}", all.substr(0, whole), all.substr(whole));
    }
    return fmt::format("{}{}", number.mantissa < 0 ? minus_sign : "", digits);
}

std::string superscript(int number) {
    constexpr std::array<std::string_view, 10> digits{"\u2070", "\u00b9", "\u00b2", "\u00b3",
                                                      "\u2074", "\u2075", "\u2076", "\u2077",
                                                      "\u2078", "\u2079"};
    std::string text = number < 0 ? "\u207b" : "";
    for (const char digit : fmt::format("{}", std::abs(number))) {
        text += digits[digit - '0'];
    }
    return text;
}

std::vector<Tick> ticks_with(std::vector<ScaledInteger> numbers, int exponent) {
    std::vector<Tick> ticks;
    for (const ScaledInteger& number : without_common_zeros(std::move(numbers))) {
        Tick tick{value_of(number), in_digits({number.mantissa, number.exponent - exponent})};
        if (exponent != 0) {
            tick.digits = tick.label;
            tick.exponent = exponent;
            tick.label += fmt::format("e{}{}", exponent < 0 ? minus_sign : "", std::abs(exponent));
        }
        ticks.push_back(std::move(tick));
    }
    return ticks;
}

std::size_t longest(const std::vector<Tick>& ticks, std::string Tick::*text) {
    std::size_t most = 0;
    for (const Tick& tick : ticks) most = std::max(most, (tick.*text).size());
    return most;
}

/// Returns ticks with labels in full; with an exponent if the numbers are small or large and that
/// makes the labels shorter.
std::vector<Tick> ticks_in_short(std::vector<ScaledInteger> numbers) {
    const int order = order_of_magnitude(numbers);
    std::vector<Tick> in_full = ticks_with(numbers, 0);
    if (order > -5 && order < 6) return in_full;
    std::vector<Tick> with_exponent = ticks_with(std::move(numbers), order);
    const std::size_t of_full = longest(in_full, &Tick::label);
    if (longest(with_exponent, &Tick::digits) >= of_full) return in_full;
    if (longest(with_exponent, &Tick::label) < of_full) return with_exponent;
    for (std::size_t i = 0; i < in_full.size(); ++i) with_exponent[i].label = in_full[i].label;
    return with_exponent;
}

/// Returns the shortest decimal that reads back as the same double.
ScaledInteger scaled(double value) {
    std::array<char, 32> text;
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
    std::string digits(text.data(), end.ptr);
    const std::size_t e = digits.find('e');
    int exponent = std::stoi(digits.substr(e + 1));
    digits.resize(e);
    if (const std::size_t point = digits.find('.'); point != std::string::npos) {
        digits.erase(point, 1);
        exponent -= static_cast<int>(digits.size() - point);
    }
    return {std::stoll(digits), exponent};
}

/// Returns the same numbers with one exponent; nothing if a mantissa would have more than 18
/// digits.
std::optional<std::vector<ScaledInteger>> with_one_exponent(std::vector<ScaledInteger> numbers) {
    int least = std::numeric_limits<int>::max();
    for (const ScaledInteger& number : numbers) {
        if (number.mantissa != 0) least = std::min(least, number.exponent);
    }
    for (ScaledInteger& number : numbers) {
        if (number.mantissa == 0) number.exponent = least;
        constexpr std::int64_t most = 1'000'000'000'000'000'000;
        for (; number.exponent > least; --number.exponent) {
            if (std::abs(number.mantissa) >= most / 10) return std::nullopt;
            number.mantissa *= 10;
        }
    }
    return numbers;
}

}  // namespace

std::vector<Tick> value_ticks(Limits limits, int intervals) {
    const double magnitude = std::max(std::fabs(limits.low), std::fabs(limits.high));
    // With finer steps, neighbouring ticks could be the same double.
    constexpr double resolution = 0x1p-50;
    constexpr double finest = 1e-300;
    const double width = std::clamp(limits.high / intervals - limits.low / intervals,
                                    std::max(magnitude * resolution, finest), widest_step);
    Step step = step_from(width);
    std::vector<ScaledInteger> numbers = multiples_inside(limits, step);
    // One of four smaller steps is less than half as wide as the limits are apart.
    for (int tries = 0; numbers.size() < 2 && tries < 4; ++tries) {
        step = step.smaller();
        numbers = multiples_inside(limits, step);
    }
    return ticks_in_short(std::move(numbers));
}

std::vector<Tick> index_ticks(Limits limits, int intervals) {
    const Limits whole{std::ceil(limits.low), std::floor(limits.high)};
    Step step =
        step_from(std::clamp(limits.high / intervals - limits.low / intervals, 1.0, widest_step));
    if (!step.is_whole()) step = step.larger();
    std::vector<ScaledInteger> numbers = multiples_inside(whole, step);
    while (numbers.size() < 2 && step.value() > 1) {
        do {
            step = step.smaller();
        } while (!step.is_whole());
        numbers = multiples_inside(whole, step);
    }
    return ticks_with(std::move(numbers), 0);
}

std::vector<Tick> ticks_at(std::span<const double> values) {
    if (values.empty()) return {};
    std::vector<ScaledInteger> numbers;
    for (const double value : values) numbers.push_back(scaled(value));
    if (const auto aligned = with_one_exponent(numbers)) {
        constexpr int most_digits = 18;
        const bool are_whole = aligned->front().exponent >= 0;
        return are_whole && order_of_magnitude(*aligned) < most_digits ? ticks_with(*aligned, 0)
                                                                       : ticks_in_short(*aligned);
    }
    std::vector<Tick> ticks;
    for (const ScaledInteger& number : numbers) {
        ticks.push_back(ticks_in_short({number}).front());
    }
    return ticks;
}

std::string power_of_ten_text(int exponent) { return "10" + superscript(exponent); }

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
        if (is_major) ticks.push_back({power_of_ten(exponent), power_of_ten_text(exponent)});
        if (step > 1) continue;
        for (int multiple = 2; multiple < 10; ++multiple) {
            const double value = multiple * power_of_ten(exponent);
            if (value < limits.low || value > limits.high) continue;
            ticks.push_back({.value = value, .label = "", .is_minor = true});
        }
    }
    return ticks;
}

std::vector<Tick> symlog_ticks(Limits limits, double threshold, int intervals) {
    constexpr double hair = 1e-10;
    const int first = static_cast<int>(std::lround(std::log10(threshold)));
    const double largest = std::max(-limits.low, limits.high);
    const int last = static_cast<int>(std::floor(std::log10(largest) + hair));
    for (int step = 1; first + step <= last + 1; ++step) {
        std::vector<Tick> ticks;
        const auto add = [&](double value, std::string label) {
            const double slack = hair * std::fabs(value);
            if (value < limits.low - slack || value > limits.high + slack) return;
            ticks.push_back({value, std::move(label)});
        };
        for (int exponent = last; exponent >= first; --exponent) {
            if ((last - exponent) % step != 0) continue;
            add(-power_of_ten(exponent),
                fmt::format("{}{}", minus_sign, power_of_ten_text(exponent)));
        }
        add(0, "0");
        for (int exponent = first; exponent <= last; ++exponent) {
            if ((last - exponent) % step != 0) continue;
            add(power_of_ten(exponent), power_of_ten_text(exponent));
        }
        if (ticks.size() < 2) break;
        if (std::ssize(ticks) - 1 <= intervals) return ticks;
    }
    return value_ticks(limits, intervals);
}

}  // namespace pegen
