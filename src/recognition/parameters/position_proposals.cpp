#include "recognition/parameters/position_proposals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "core/names.h"
#include "core/number.h"
#include "recognition/evidence/simple_number.h"

namespace pegen::recognition {
namespace {

/// Numbers of a list that one item of --positions can name: FROM:TO:STEPxTIMES, or a number.
struct Item {
    double from = 0;
    double to = 0;          ///< after the last number
    double step = 1;        ///< 0 for a single number
    std::size_t times = 1;  ///< how often each number stands in a row
    std::size_t count = 1;  ///< numbers in all
};

/// Returns the item that names as many numbers as possible from number `first` on.
Item item_at(const std::vector<double>& list, std::size_t first) {
    const auto end_of_equal = [&](std::size_t place) {
        const double number = list[place];
        while (place < list.size() && list[place] == number) ++place;
        return place;
    };
    const double from = list[first];
    std::size_t end = end_of_equal(first);
    const std::size_t times = end - first;
    const Item single{.from = from, .step = 0, .times = times, .count = times};
    const double step = end < list.size() ? list[end] - from : 0;
    double steps = 1;
    while (end < list.size() && list[end] == std::fma(step, steps, from) &&
           end_of_equal(end) == end + times) {
        end += times;
        ++steps;
    }
    constexpr double fewest = 3;
    const double to = std::fma(step, steps, from);
    if (steps < fewest || std::ceil((to - from) / step) != steps) return single;
    return {.from = from, .to = to, .step = step, .times = times, .count = end - first};
}

std::string text_of(const Item& item) {
    std::string text = shortest(item.from);
    if (item.step != 0) text += fmt::format(":{}", shortest(item.to));
    if (item.step != 0 && item.step != 1) text += fmt::format(":{}", shortest(item.step));
    return item.times > 1 ? fmt::format("{}x{}", text, item.times) : text;
}

double bits_of(const Item& item) {
    const auto bits = [](double number) { return 1 + evidence::bits_of_number(shortest(number)); };
    // A number alone counts twice, because it may explain two values of the array: a sine and a
    // cosine.
    if (item.count == 1) return 2 * bits(item.from);
    double sum = bits(item.from);
    if (item.step != 0) sum += bits(item.to);
    if (item.step != 0 && item.step != 1) sum += bits(item.step);
    return item.times > 1 ? sum + bits(static_cast<double>(item.times)) : sum;
}

}  // namespace

std::string position_list_text(const std::vector<double>& list) {
    constexpr std::size_t most_typed = 16, most_in_ranges = std::size_t{1} << 20;
    if (list.size() > most_in_ranges) return "";  // --positions refuses a longer one
    std::vector<std::string> items;
    if (list.size() <= most_typed) {
        for (const double position : list) items.push_back(shortest(position));
    }
    for (std::size_t place = 0; place < list.size() && list.size() > most_typed;) {
        if (items.size() == most_typed) return "";
        const Item item = item_at(list, place);
        items.push_back(text_of(item));
        place += item.count;
    }
    return joined(items, ",");
}

double position_list_bits(const std::vector<double>& list) {
    double bits = 0;
    for (std::size_t place = 0; place < list.size();) {
        const Item item = item_at(list, place);
        bits += bits_of(item);
        place += item.count;
    }
    return bits;
}

namespace {

using evidence::simple_numbers;
using evidence::WaveSteps;

/// The bits of naming a parameter.
constexpr double naming = 2;

/// The relative error of angles in float32 code.
constexpr double float32_share = 0x1p-21;

Measured quotient(const Measured& number, double divisor) {
    return {number.value / divisor, number.error / std::fabs(divisor)};
}

/// Returns the simplest numbers within the error, and one within the error of float32 code; only
/// the simplest number if it is as simple as 0 and 1.
std::vector<SimpleNumber> typed(const Measured& number, std::size_t most) {
    std::vector<SimpleNumber> numbers = simple_numbers(number, most);
    constexpr double very_simple = 3;
    if (!numbers.empty() && numbers.front().bits <= very_simple) return {numbers.front()};
    const Measured loose{number.value,
                         std::max(2 * number.error, float32_share * std::fabs(number.value))};
    for (SimpleNumber& more : simple_numbers(loose, 1)) {
        const bool is_new =
            std::ranges::find(numbers, more.value, &SimpleNumber::value) == numbers.end();
        if (is_new) numbers.push_back(std::move(more));
    }
    return numbers;
}

SimpleNumber factor(std::string text, double value) {
    return {.text = std::move(text), .value = value, .bits = 4};
}

/// Returns the factors of frequencies to try: usual factors, and the factors that make `unit` 1.
std::vector<SimpleNumber> factors(const Measured& unit) {
    std::vector<SimpleNumber> found{{.text = "1", .value = 1, .bits = 0},
                                    factor("pi", std::numbers::pi),
                                    factor("2*pi", 2 * std::numbers::pi),
                                    factor("1000", 1000),
                                    factor("pi/180", std::numbers::pi / 180)};
    const Measured size{std::fabs(unit.value), unit.error};
    if (!(size.value > size.error)) return found;
    for (SimpleNumber& number : typed(size, 3)) {
        const bool is_new =
            std::ranges::find(found, number.value, &SimpleNumber::value) == found.end();
        if (is_new && number.value > 0) found.push_back(std::move(number));
    }
    return found;
}

void set(PricedSettings& settings, std::string_view name, const SimpleNumber& number) {
    settings.settings.push_back({name, number.text});
    settings.bits += naming + number.bits;
}

PricedSettings with_factor(const SimpleNumber& factor) {
    PricedSettings settings;
    if (factor.value != 1) set(settings, "freq-scale", factor);
    return settings;
}

/// Returns the steps between `rows` positions as people type them. If none is simple, the step may
/// be a part of a simple length, as linspace(0, 1, 200) makes it: 1/199.
std::vector<SimpleNumber> typed_steps(const Measured& step, std::int64_t rows) {
    std::vector<SimpleNumber> found = typed(step, 2);
    constexpr double clearly = 6;  // bits
    for (const std::int64_t parts : {rows - 1, rows}) {
        if (parts < 2 || found.empty()) continue;
        const auto count = static_cast<double>(parts);
        const std::vector<SimpleNumber> lengths =
            simple_numbers({step.value * count, step.error * count}, 1);
        constexpr std::size_t longest = 6;  // digits that people type
        if (lengths.empty() || lengths.front().text.size() > longest) continue;
        const SimpleNumber& length = lengths.front();
        const double bits = length.bits + evidence::bits_of_number(fmt::format("{}", parts));
        const SimpleNumber part{fmt::format("{}/{}", length.text, parts), length.value / count,
                                bits};
        const bool is_of_one = length.value == 1 && found.front().text.size() > longest;
        if (is_of_one || bits + clearly < found.front().bits) found.insert(found.begin(), part);
    }
    return found;
}

void add_progressions(std::vector<PricedSettings>& found, const WaveSteps& steps, std::int64_t rows,
                      const SimpleNumber& factor, bool is_reversed) {
    PricedSettings common = with_factor(factor);
    common.settings.push_back({"len", fmt::format("{}", rows)});
    if (is_reversed) {
        common.settings.push_back({"reverse", "true"});
        common.bits += naming + 1;
    }
    const Measured measured = quotient(steps.step, factor.value);
    for (const SimpleNumber& step :
         factor.value == 1 ? typed_steps(measured, rows) : typed(measured, 2)) {
        for (const SimpleNumber& start : typed(quotient(steps.start, factor.value), 2)) {
            PricedSettings settings = common;
            if (start.value != 0) set(settings, "start", start);
            if (step.value != 1) set(settings, "step", step);
            found.push_back(std::move(settings));
        }
    }
}

void add_steps(std::vector<PricedSettings>& found, const WaveSteps& steps, std::int64_t rows) {
    const auto last = static_cast<double>(rows - 1);
    const WaveSteps reversed{
        {steps.start.value + last * steps.step.value, steps.start.error + last * steps.step.error},
        {-steps.step.value, steps.step.error}};
    for (const SimpleNumber& factor : factors(steps.step)) {
        add_progressions(found, steps, rows, factor, false);
        if (steps.step.value < 0) add_progressions(found, reversed, rows, factor, true);
    }
}

/// Returns the smallest absolute position other than 0; 1 if there is none.
Measured smallest(const std::vector<Measured>& positions) {
    Measured found{std::numeric_limits<double>::infinity(), 0};
    for (const Measured& position : positions) {
        const double size = std::fabs(position.value);
        if (size > 4 * position.error && size < found.value) found = {size, position.error};
    }
    return std::isfinite(found.value) ? found : Measured{1, 0};
}

/// Returns the common step of three or more numbers at equal distances; none if the distances
/// differ.
std::optional<double> common_step(const std::vector<SimpleNumber>& numbers) {
    if (numbers.size() < 3) return std::nullopt;
    const double step = numbers[1].value - numbers[0].value;
    for (std::size_t i = 2; i < numbers.size(); ++i) {
        if (numbers[i].value - numbers[i - 1].value != step) return std::nullopt;
    }
    return step;
}

/// Adds the settings for these positions: --start and --step if they are a progression, else
/// --positions.
void add_list(std::vector<PricedSettings>& found, const std::vector<SimpleNumber>& numbers,
              const SimpleNumber& factor) {
    PricedSettings settings = with_factor(factor);
    const std::optional<double> step = common_step(numbers);
    if (numbers.size() == 1 || step) {
        settings.settings.push_back({"len", fmt::format("{}", numbers.size())});
        if (numbers.front().value != 0) set(settings, "start", numbers.front());
        if (step && *step != 1) set(settings, "step", simple_numbers({*step, 0}, 1).front());
    } else {
        std::vector<std::string> texts;
        std::vector<double> values;
        for (const SimpleNumber& number : numbers) {
            texts.push_back(number.text);
            values.push_back(number.value);
        }
        settings.settings.push_back({"positions", joined(texts, ",")});
        settings.bits += naming + position_list_bits(values);
    }
    found.push_back(std::move(settings));
}

/// Returns the simplest number for each position in units of the factor, within the error or, if
/// `is_loose`, within the error of float32 code. None if a position is not finite, or if the
/// numbers are no progression and one of them is a fraction that is not allowed.
std::optional<std::vector<SimpleNumber>> listed(const std::vector<Measured>& positions,
                                                const SimpleNumber& factor, bool is_loose,
                                                ListOf allowed) {
    std::vector<SimpleNumber> numbers;
    bool is_progression = true, has_fraction = false;
    for (const Measured& position : positions) {
        const Measured number = quotient(position, factor.value);
        const double share = is_loose ? float32_share * std::fabs(number.value) : 0;
        std::vector<SimpleNumber> simple =
            simple_numbers({number.value, std::max(number.error, share)}, 1);
        if (simple.empty()) return {};
        numbers.push_back(std::move(simple.front()));
        has_fraction = has_fraction || numbers.back().value != std::rint(numbers.back().value);
        if (const std::size_t count = numbers.size(); count > 2) {
            is_progression =
                is_progression && numbers[count - 1].value - numbers[count - 2].value ==
                                      numbers[1].value - numbers[0].value;
        }
        if (allowed == ListOf::whole_numbers && has_fraction && !is_progression) return {};
    }
    // Two numbers are a list.
    const bool is_list = !is_progression || numbers.size() == 2;
    if (allowed == ListOf::whole_numbers && has_fraction && is_list) return {};
    return numbers;
}

void add_lists(std::vector<PricedSettings>& found, const std::vector<Measured>& positions,
               ListOf allowed) {
    for (const SimpleNumber& factor : factors(smallest(positions))) {
        for (const bool is_loose : {false, true}) {
            if (const auto numbers = listed(positions, factor, is_loose, allowed)) {
                add_list(found, *numbers, factor);
            }
        }
    }
}

}  // namespace

std::vector<PricedSettings> position_proposals(const evidence::WaveTable& table, std::int64_t rows,
                                               ListOf allowed) {
    constexpr std::size_t most = 6;
    std::vector<PricedSettings> found;
    if (table.steps) {
        add_steps(found, *table.steps, rows);
    } else {
        add_lists(found, table.positions, allowed);
    }
    std::ranges::stable_sort(found, {}, &PricedSettings::bits);
    if (found.size() > most) found.resize(most);
    return found;
}

}  // namespace pegen::recognition
