#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/table.h"
#include "formats/format.h"
#include "formats/up_to_date.h"

namespace pegen {

/// Says why the file `path` is out of date, from what the file tells of itself: "title: 'MAE' ->
/// 'MAE, new'", "shape (3, 4) -> (3, 8)", "row 17 differs", "byte 80 differs", "is no NPY file".
/// `standing` is what compare_with_file() found of the file and of the other arguments. Reads a
/// CSV file to its end, of other files a small part; nothing in them is trusted.
std::string why_out_of_date(std::string_view path, const Standing& standing,
                            std::span<const Table> tables, const Format& format,
                            const Parameters& parameters);

}  // namespace pegen
