#pragma once

#include <optional>
#include <string>

#include "cli/explore/asked.h"
#include "cli/subject.h"
#include "core/table.h"
#include "files/archive.h"
#include "files/array_file.h"
#include "http/message.h"

namespace pegen::cli {

/// Opens the file in the body of a request; the field "named" of the query is its name in messages.
/// The archive has no format if it is a file of one array, such as NPY. Throws: FormatError.
Archive file_archive(const http::Request& request);

/// Returns the array of the file in the body of a request; the field "array" of the query names one
/// of several. Throws: UsageError if the file has several arrays and none is named; FormatError.
ArrayFile file_array(const http::Request& request);

/// One of the two tables of a comparison.
struct Side {
    std::string name;
    std::optional<Subject> subject;  ///< empty for a file
    Table table;
};

struct Sides {
    Asked asked;  ///< the request for the first table, with the size of the comparison
    Side first, other;
};

/// Returns the requested table and the table to compare it with; nothing if there is no other
/// table. If the request has a body, the other table is the file in it, and the requested table
/// takes the extents of the file's array unless the user set them. Otherwise `asked.beside` has the
/// name and the options of another encoding. The other encoding takes the extents of the first
/// table and the parameters that the user set for it, if it has parameters of these names. Its own
/// options override them.
/// Throws: UsageError, also for words that name files; FormatError; GivenUp.
std::optional<Sides> sides_of(const Asked& asked, const http::Request& request);

}  // namespace pegen::cli
