#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pegen {

/// Splits `text` at each separator: "a,,b" -> {"a", "", "b"}. The result has one part more than
/// there are separators.
std::vector<std::string_view> fields(std::string_view text, char separator);

/// Splits `text` at each separator that is not in parentheses: "max(1,2),5" -> {"max(1,2)", "5"}.
std::vector<std::string_view> fields_outside(std::string_view text, char separator);

/// Returns the words of a list kept as one text: "sin cos" -> {"sin", "cos"}. Words are separated
/// by one or more separators.
std::vector<std::string_view> words(std::string_view list, char separator = ' ');

// Not of a string that ends before its parts are read.
template <std::same_as<std::string> Text>
void fields(Text&&, char) = delete;
template <std::same_as<std::string> Text>
void fields_outside(Text&&, char) = delete;
template <std::same_as<std::string> Text>
void words(Text&&, char = ' ') = delete;

/// Returns the items as one text, with `between` between each two: "a, b, c". Numbers are written
/// as shortest() writes them. By hand because each file that calls fmt::join compiles it anew, for
/// up to a second and a half.
std::string joined(std::span<const std::string> items, std::string_view between);
std::string joined(std::span<const std::string_view> items, std::string_view between);
std::string joined(std::span<const std::int64_t> items, std::string_view between);
std::string joined(std::span<const double> items, std::string_view between);

/// True if the list, kept as one text, has the word.
bool has_word(std::string_view list, std::string_view word);

/// Returns the text with the letters from A to Z in lower case.
std::string lower_case(std::string_view text);

/// Returns `name` with '-' in the place of each '_': users may type either.
std::string hyphenated(std::string_view name);

/// Returns the letters of a name in lower case, without '-' and '_'. Names that differ only in
/// these respects have the same spelling.
std::string spelling(std::string_view name);

/// Returns "; did you mean 'sinusoid'?" for the candidate that is spelled like `word`. Without such
/// a candidate, asks for up to three candidates that begin with the word; else for the nearest one,
/// if at most about a third of its letters has to change; else for the only one that begins with
/// most of the word. Returns "" if there is no candidate to ask for.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace pegen
