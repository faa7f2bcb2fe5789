#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pegen {

/// Splits `text` at each separator: "a,,b" -> {"a", "", "b"}. There is always one part more than
/// there are separators.
std::vector<std::string_view> fields(std::string_view text, char separator);

/// Returns the words of a list kept as one text: "sin cos" -> {"sin", "cos"}. Words are separated
/// by one or more separators.
std::vector<std::string_view> words(std::string_view list, char separator = ' ');

/// Returns `name` with '-' in the place of each '_': users may type either.
std::string hyphenated(std::string_view name);

/// Returns "; did you mean 'sinusoid'?" for the candidate nearest to `word`, or "" if more than a
/// third of the word's letters would have to change.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace pegen
