#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pegen::trials {

/// A question in one line, and its answer in some lines.
struct Answer {
    std::string question;
    std::string text;
};

/// Compares answers with tests/recognition/identify/answers/NAME.txt, word for word. Returns the
/// answers that differ, with the stored ones; "" if no answer differs. Also finds changes that a
/// judgement allows: in alternatives, notes, places. With PEGEN_WRITE_ANSWERS in the environment,
/// writes the file, so that a diff of the file shows the changes.
std::string changed_answers(std::string_view name, const std::vector<Answer>& answers);

/// Does the same with one answer of a file that several tests share, in the order of the questions.
std::string changed_answer(std::string_view name, const Answer& answer);

}  // namespace pegen::trials
