#include "recognition/parameters/position_list.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "core/names.h"
#include "core/number.h"

namespace pegen::recognition {
namespace {

/// Returns the numbers from number `first` on that one item of a list can name, FROM:TO:STEPxTIMES,
/// and how many numbers they are.
std::pair<std::string, std::size_t> item_at(const std::vector<double>& list, std::size_t first) {
    const auto end_of_equal = [&](std::size_t place) {
        const double number = list[place];
        while (place < list.size() && list[place] == number) ++place;
        return place;
    };
    const double from = list[first];
    std::size_t end = end_of_equal(first);
    const std::size_t times = end - first;
    const std::string repeated = times > 1 ? fmt::format("x{}", times) : "";
    const double step = end < list.size() ? list[end] - from : 0;
    double count = 1;
    while (end < list.size() && list[end] == std::fma(step, count, from) &&
           end_of_equal(end) == end + times) {
        end += times;
        ++count;
    }
    constexpr double fewest = 3;
    const double to = std::fma(step, count, from);
    if (count < fewest || std::ceil((to - from) / step) != count)
        return {shortest(from) + repeated, times};
    const std::string by = step == 1 ? "" : fmt::format(":{}", shortest(step));
    return {fmt::format("{}:{}{}{}", shortest(from), shortest(to), by, repeated), end - first};
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
        auto [item, count] = item_at(list, place);
        items.push_back(std::move(item));
        place += count;
    }
    return joined(items, ",");
}

}  // namespace pegen::recognition
