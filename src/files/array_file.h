#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/table.h"
#include "files/archive.h"

namespace pegen {

/// The parts of FILE:NAME, which names an array in a file of several.
struct ArrayPath {
    std::string file;
    std::optional<std::string> name;
};

/// Splits a path at the first ':' that has a file, or "-", before it. A file that exists under the
/// whole path is one without a name.
ArrayPath array_path(std::string_view path);

/// An array in a file.
struct ArrayFile {
    std::string path;
    Table table;
};

/// Opens an array of an open file: `name` may be left out if it is the only one.
/// Throws: as open_array().
ArrayFile array_in(const std::shared_ptr<const InputFile>& file,
                   const std::optional<std::string>& name = {});

/// Throws: FormatError, which says what the file is, unless it begins as an NPY file does;
/// FileError.
void check_holds_array(const InputFile& file);

/// Opens an array: the one in an NPY file, or in an NPZ or safetensors file the one that FILE:NAME
/// names; or FILE, if there is only one. Pipes are read too, and - is standard input.
/// Throws: FileError; FormatError, also if there is no array of this name.
ArrayFile open_array(std::string_view path);

/// The same for regular files only. Returns the table.
Table read_array(std::string_view path);

/// Returns the member that is called `name`, or the only one. `path` is that of the file.
/// Throws: FormatError, with the names that there are; also if the archive has no format.
const ArchiveMember& member_of(const Archive& archive, const std::optional<std::string>& name,
                               std::string_view path);

}  // namespace pegen
