#pragma once

#include <string_view>

// What people ask for that pe-gen has under another name, or does not have.
namespace pegen::cli {

/// Returns what to say of a name of an encoding or a command that does not exist, in any spelling:
/// "rotary positions are the encoding rope". "" for one that is not known.
std::string_view hint_for_name(std::string_view name);

/// Returns what to say of a file format that is not written, by its extension or by the name of an
/// option: "pdf". "" for one that is not known.
std::string_view hint_for_format(std::string_view name);

}  // namespace pegen::cli
