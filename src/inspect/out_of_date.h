#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/table.h"
#include "formats/format.h"
#include "formats/up_to_date.h"

namespace pegen {

/// Compares two origins, JSON objects that figures, JSON files and archives carry, and names the
/// changes from the first to the second: "d: 64 -> 128; title: none -> 'MAE'". Returns "" if they
/// are the same. `before` is the origin in the file `path` and is not trusted.
/// Throws: FormatError if it is not a JSON object.
std::string changed_origin(std::string_view path, std::string_view before, std::string_view now);

/// Returns why the file `path` is out of date, from the file's own contents: "title: 'MAE' -> 'MAE,
/// new'", "shape (3, 4) -> (3, 8)", "row 17 differs", "byte 80 differs", "is no NPY file".
/// `standing` is the result of compare_with_file() for the file and the other arguments. Reads a
/// CSV file to its end, of other files a small part; nothing in them is trusted.
std::string why_out_of_date(std::string_view path, const Standing& standing,
                            std::span<const Table> tables, const Format& format,
                            const Parameters& parameters);

}  // namespace pegen
