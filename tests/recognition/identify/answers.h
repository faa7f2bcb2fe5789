#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pegen::trials {

/// What was asked, in a line, and what was answered, in some.
struct Answer {
    std::string question;
    std::string text;
};

/// Compares answers with tests/recognition/identify/answers/NAME.txt, word for word, and returns
/// those that are others than there, with what is there; "" if none is. Sees what a judgement
/// allows for: other alternatives, notes, places. With PEGEN_WRITE_ANSWERS in the environment,
/// writes the file: what has changed is in its diff.
std::string changed_answers(std::string_view name, const std::vector<Answer>& answers);

}  // namespace pegen::trials
