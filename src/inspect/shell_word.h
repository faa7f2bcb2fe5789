#pragma once

#include <string>
#include <string_view>

namespace pegen {

/// `text` as one word on one line for a shell. What has control characters, or is no UTF-8, is in
/// $'...', which bash, zsh and ksh read, and POSIX of 2024.
std::string shell_word(std::string_view text);

}  // namespace pegen
