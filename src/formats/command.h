#pragma once

#include <string>
#include <string_view>

#include "encodings/encoding.h"

namespace pegen {

/// Quotes `text` as one word on one line for a shell. Text that has control characters or is not
/// UTF-8 is quoted as $'...', which bash, zsh, ksh and POSIX 2024 understand.
std::string shell_word(std::string_view text);

/// Returns a command that makes a file of this provenance, without options that are not needed and
/// without the name of the file, quoted for a shell: "pe-gen sinusoid --d 128". Returns "" if the
/// provenance says that the origin is not known. `provenance` is the JSON object that PNG, SVG
/// and PDF files carry and that JSON files begin with; members that do not describe the origin are
/// ignored. Throws: FormatError, for the file `path`, if it is not such an object, or names an
/// encoding or options that this program does not know.
std::string command_of(std::string_view path, std::string_view provenance);

/// Returns the path as one types it for the file of this provenance: of an archive whose arrays
/// have chosen names, "a.npz:rope.{table}".
std::string path_with_arrays(std::string_view path, std::string_view provenance);

/// Returns the command that makes the encoding's first table, as the file of the description asks
/// for it, without the file.
std::string command_of(const Encoding& encoding, const FileDescription& description);

}  // namespace pegen
