#pragma once

#include <charconv>
#include <string_view>

namespace pegen {

/// Reads a double at the beginning of `text`, as std::from_chars does, which libc++ has for
/// integers alone: correctly rounded, in any locale; neither spaces nor a plus sign come first.
/// `value` stays as it is if there is no number (invalid_argument), or none that a double is near
/// (result_out_of_range).
std::from_chars_result read_double(std::string_view text, double& value);

}  // namespace pegen
