#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/table.h"
#include "files/archive.h"

namespace pegen {

/// The parts of FILE:NAME, which names an array in a file of several.
struct ArrayPath {
    std::string file;
    std::optional<std::string> name;
};

/// Splits a path at the first ':' that has an existing file, or "-", before it. If the whole path
/// is an existing file, there is no name.
ArrayPath array_path(std::string_view path);

/// An array in a file.
struct ArrayFile {
    std::string path;
    Table table;
};

/// Opens an array of an archive, or of the file that has only one; `name` may be left out if there
/// is only one array. Throws: as open_array().
ArrayFile array_in(const Archive& archive, const std::optional<std::string>& name = {});

/// Opens the array of a file that has only one: NPY, or a text of numbers or a table in JSON
/// (text_table.h). Throws: FormatError, which says what another file is; FileError.
StoredArray read_single(const std::shared_ptr<const InputFile>& file);

/// Opens an array: the only one of an NPY file, or the array that FILE:NAME names in what
/// open_archive() opens, which may be a folder; FILE is enough if there is only one. Pipes are read
/// too, and - is standard input. Throws: FileError; FormatError, also if there is no array of this
/// name.
ArrayFile open_array(std::string_view path);

/// Opens an array as open_array() does, but only in a regular file. Returns the table.
Table read_array(std::string_view path);

/// Returns the file. Throws: FormatError, with the remedy, if its array is not of floats. `what`
/// says what the elements are: "weights".
ArrayFile with_floats(ArrayFile file, std::string_view what);

/// Returns the file. Throws: FormatError, with the remedy, if its array is of truth values.
ArrayFile with_numbers(ArrayFile file, std::string_view what);

/// Checks elements `first`, first + 1, ... of the file's array, counted in C order. Throws:
/// FormatError, with the place, if one of them is not finite, or is an integer beyond 2^53, of
/// which a double is not exact.
void check_finite(const ArrayFile& file, std::span<const double> elements, std::int64_t first,
                  std::string_view what);

/// Reads all elements as doubles, in C order. Throws: FileError; as check_finite().
std::vector<double> finite_elements(const ArrayFile& file, std::string_view what);

/// Returns the member that is called `name`; or the only one whose name ends with `name` behind a
/// '.' or a '/'; or the only one that has `name` between two '.' or before the first, as wpe.weight
/// has wpe; or, without a name, the only member. `path` is the path of the archive. Throws:
/// FormatError, with the names that there are; also if the archive has no format.
const ArchiveMember& member_of(const Archive& archive, const std::optional<std::string>& name,
                               std::string_view path);

}  // namespace pegen
