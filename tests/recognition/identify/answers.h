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
/// answers that differ, with the stored ones, and the stored answers whose question is asked no
/// more; "" if there are none. Also finds changes that a judgement allows: in alternatives, notes,
/// places. A question that is not stored is left out, so that a new encoding changes nothing. With
/// PEGEN_WRITE_ANSWERS in the environment, writes the file, so that a diff of the file shows the
/// changes.
std::string changed_answers(std::string_view name, const std::vector<Answer>& answers);

/// Does the same with one answer of a file that several tests share, in the order of the questions.
std::string changed_answer(std::string_view name, const Answer& answer);

/// True for a share of one in `parts` of the names, whatever other names there are.
bool is_sampled(std::string_view name, unsigned parts);

}  // namespace pegen::trials
