#pragma once

#include <string>
#include <string_view>

namespace pegen {

/// Returns `text` as one line that a terminal shows and does not obey, whoever wrote it: control
/// characters, such as line breaks, and characters that turn the direction of text are written as
/// "\x0a". In a text that is not UTF-8, every byte beyond ASCII is written so.
std::string one_line(std::string_view text);

}  // namespace pegen
