#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pegen {

/// The parts of `text` between separators: as many as there are separators, and one more.
std::vector<std::string_view> fields(std::string_view text, char separator);

/// The words of a list kept as one text: "sin cos" -> {"sin", "cos"}.
std::vector<std::string_view> words(std::string_view list, char separator = ' ');

/// As users may type a name: '_' stands for '-'.
std::string hyphenated(std::string_view name);

/// "; did you mean 'sinusoid'?" for the candidate nearest to `word`, or "" where none is near:
/// more than a third of its letters would have to change.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace pegen
