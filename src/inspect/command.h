#pragma once

#include <string>
#include <string_view>

namespace pegen {

/// Returns the shortest command that makes a file of this provenance, quoted for a shell and
/// without the name of the file, such as "pe-gen sinusoid --d 128"; "" if the provenance says that
/// the origin is not known. `provenance` is the JSON object that PNG and SVG files carry and that
/// JSON files begin with; members that do not describe the origin are ignored. Throws: FormatError,
/// for the file `path`, if it is not such an object, or names an encoding or options that this
/// program does not know.
std::string command_of(std::string_view path, std::string_view provenance);

}  // namespace pegen
