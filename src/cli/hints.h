#pragma once

#include <string_view>

// Hints for names that users look for and that pe-gen has under another name or does not have.
namespace pegen::cli {

/// Returns a hint for an unknown name of an encoding or a command, in any spelling: "rotary
/// positions are the encoding rope". Returns "" if there is no hint.
std::string_view hint_for_name(std::string_view name);

/// Returns a hint for a file format that pe-gen does not write. `name` is an extension or the name
/// of an option: "pdf". Returns "" if there is no hint.
std::string_view hint_for_format(std::string_view name);

}  // namespace pegen::cli
