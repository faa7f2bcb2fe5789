#include "core/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/number.h"

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

/// Returns the name as it is most often typed: in lower case, with '-' between its parts.
std::string typed(std::string_view name) {
    return lower_case(hyphenated(name.substr(std::min(name.find_first_not_of('-'), name.size()))));
}

/// Returns the only candidate that begins with the first three quarters of the word, "halves" for
/// "half"; "" if there is no such candidate, or several.
std::string_view akin(std::string_view wanted, const std::vector<std::string_view>& candidates) {
    constexpr std::size_t fewest_letters = 3;
    const std::string_view most =
        wanted.substr(0, std::max(fewest_letters, wanted.size() - wanted.size() / 4));
    std::string_view found;
    for (const std::string_view candidate : candidates) {
        if (!spelling(candidate).starts_with(most)) continue;
        if (!found.empty()) return "";
        found = candidate;
    }
    return found;
}

/// Returns the candidate of the smallest edit distance, or "" if no candidate resembles the word.
std::string_view nearest(std::string_view wanted, const std::vector<std::string_view>& candidates) {
    std::string_view found;
    int least = static_cast<int>(wanted.size() + 1) / 3 + 1;
    for (const std::string_view candidate : candidates) {
        const std::string letters = typed(candidate);
        const int distance = edit_distance(wanted, letters);
        // Few people mistype the first letter and another letter.
        const bool is_alike = distance < 2 || letters.front() == wanted.front();
        if (distance < least && is_alike) {
            least = distance;
            found = candidate;
        }
    }
    return found;
}

/// Returns "; did you mean 'a', 'b' or 'c'?"
std::string question(std::span<const std::string_view> names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool is_last = i + 1 == names.size();
        if (i > 0) text += is_last ? " or " : ", ";
        text += fmt::format("'{}'", names[i]);
    }
    return fmt::format("; did you mean {}?", text);
}

std::string_view text_of(std::string_view item) { return item; }
std::string text_of(std::int64_t item) { return std::to_string(item); }
std::string text_of(double item) { return shortest(item); }

template <class Item>
std::string joined_items(std::span<const Item> items, std::string_view between) {
    std::string text;
    for (const Item& item : items) {
        if (&item != &items.front()) text += between;
        text += text_of(item);
    }
    return text;
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

std::vector<std::string_view> fields_outside(std::string_view text, char separator) {
    std::vector<std::string_view> found;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')') --depth;
        if (text[i] != separator || depth > 0) continue;
        found.push_back(text.substr(begin, i - begin));
        begin = i + 1;
    }
    found.push_back(text.substr(begin));
    return found;
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

std::string joined(std::span<const std::string> items, std::string_view between) {
    return joined_items(items, between);
}

std::string joined(std::span<const std::string_view> items, std::string_view between) {
    return joined_items(items, between);
}

std::string joined(std::span<const std::int64_t> items, std::string_view between) {
    return joined_items(items, between);
}

std::string joined(std::span<const double> items, std::string_view between) {
    return joined_items(items, between);
}

bool has_word(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(' '), list.size());
        if (list.substr(0, end) == word) return !word.empty();
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

std::string hyphenated(std::string_view name) {
    std::string result(name);
    std::replace(result.begin(), result.end(), '_', '-');
    return result;
}

std::string lower_case(std::string_view text) {
    std::string letters(text);
    for (char& c : letters) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return letters;
}

std::string spelling(std::string_view name) {
    std::string letters;
    for (const char c : lower_case(name)) {
        if (c != '-' && c != '_') letters += c;
    }
    return letters;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
    constexpr std::size_t longest_typo = 64, most_shown = 3;
    const std::string wanted = spelling(word);
    if (wanted.size() > longest_typo) return "";
    std::vector<std::string_view> same, longer;
    for (const std::string_view candidate : candidates) {
        const std::string letters = spelling(candidate);
        if (letters == wanted) same.push_back(candidate);
        if (letters.starts_with(wanted)) longer.push_back(candidate);
    }
    if (!same.empty()) return question({&same.front(), 1});
    if (wanted.size() < 2) return "";
    if (!longer.empty() && longer.size() <= most_shown) return question(longer);
    std::string_view found = nearest(typed(word), candidates);
    if (found.empty()) found = akin(wanted, candidates);
    return found.empty() ? "" : question({&found, 1});
}

}  // namespace pegen
