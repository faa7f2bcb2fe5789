#pragma once

#include <string>
#include <string_view>

namespace pegen {

/// Quotes `text` as one word on one line for a shell. Text that has control characters or is not
/// UTF-8 is quoted as $'...', which bash, zsh, ksh and POSIX 2024 understand.
std::string shell_word(std::string_view text);

}  // namespace pegen
