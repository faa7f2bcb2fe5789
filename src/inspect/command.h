#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pegen {

/// The arguments of the shell's that make the table a file says it holds, such as "pe-gen sinusoid
/// --d 128": no more than is needed. `provenance` as provenance_json() makes it; members it does
/// not have are not looked at.  Throws: FormatError, for the file `path`, if it is none, or of an
/// encoding or parameters that this program does not know.
std::string command_of(std::string_view path, const nlohmann::ordered_json& provenance);

}  // namespace pegen
