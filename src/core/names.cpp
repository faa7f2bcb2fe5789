#include "core/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pegen {
namespace {

/// Returns how many letters must be inserted, deleted, replaced or swapped with their neighbour to
/// turn `a` into `b`.
int edit_distance(std::string_view a, std::string_view b) {
    std::vector<int> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last.swap(last);
        last.swap(row);
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
    }
    return row.back();
}

}  // namespace

std::vector<std::string_view> fields(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::vector<std::string_view> words(std::string_view list, char separator) {
    std::vector<std::string_view> result;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(separator), list.size());
        if (end > 0) result.push_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return result;
}

std::string hyphenated(std::string_view name) {
    std::string result(name);
    std::replace(result.begin(), result.end(), '_', '-');
    return result;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
    constexpr std::size_t longest_typo = 64;
    if (word.size() > longest_typo) return "";
    std::string_view nearest;
    int least = static_cast<int>(word.size() + 2) / 3 + 1;
    for (const std::string_view candidate : candidates) {
        const int distance = edit_distance(word, candidate);
        if (distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

}  // namespace pegen
