#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/table.h"
#include "formats/format.h"
#include "formats/up_to_date.h"

namespace pegen {

/// Returns why the file `path` is out of date, from the file's own contents: "title: 'MAE' -> 'MAE,
/// new'", "shape (3, 4) -> (3, 8)", "row 17 differs", "byte 80 differs", "is no NPY file".
/// `standing` is the result of compare_with_file() for the file and the other arguments. Reads a
/// CSV file to its end, of other files a small part; nothing in them is trusted.
std::string why_out_of_date(std::string_view path, const Standing& standing,
                            std::span<const Table> tables, const Format& format,
                            const Parameters& parameters);

}  // namespace pegen
