#pragma once

#include <optional>
#include <string>

#include "cli/explore/asked.h"
#include "cli/explore/bounds.h"
#include "cli/subject.h"
#include "core/table.h"
#include "http/message.h"

namespace pegen::cli {

/// The name of the file in the body of a request, by the field "named" of its query: "the file"
/// without one.
std::string file_name(const http::Request& request);

/// The array of the file in the body of a request: an NPY file, or an NPZ or safetensors file with
/// one array. Throws: UsageError if there are several; FormatError, also for any other file.
Table file_table(const http::Request& request);

/// One of two tables that are shown beside each other.
struct Side {
    std::string name;
    std::optional<Subject> subject;  ///< none: a file
    Table table;
};

struct Sides {
    Asked asked;  ///< the first, of the size in which they are compared
    Side first, other;
};

/// Finds what the asked table is compared with; nothing if it stands alone. A body is a file: the
/// asked table gets the extents of its array, as far as the user left them open. Otherwise
/// `asked.beside` has the words of an encoding, which gets the extents of the first and what the
/// user changed there, as far as it has such parameters, and then its own settings.
/// Throws: UsageError, also for words that name files; FormatError; GivenUp.
std::optional<Sides> sides_of(const Asked& asked, const http::Request& request);

}  // namespace pegen::cli
