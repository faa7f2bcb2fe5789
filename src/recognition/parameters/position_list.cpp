#include "recognition/parameters/position_list.h"

#include <fmt/format.h>

#include <cmath>

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

}  // namespace pegen::recognition
