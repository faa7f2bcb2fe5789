#pragma once

#include <string>
#include <string_view>

namespace pegen {

/// The command, as one types it in a shell, that makes a file which says this of its origin, such
/// as "pe-gen sinusoid --d 128", without the name of the file: no more of it than is needed.
/// `provenance` is the JSON object that PNG and SVG files carry and JSON files begin with; members
/// that are nothing of its origin are not looked at. "" if it says that the origin is not known.
/// Throws: FormatError, for the file `path`, if it is none, or of an encoding or options that this
/// program does not know.
std::string command_of(std::string_view path, std::string_view provenance);

}  // namespace pegen
