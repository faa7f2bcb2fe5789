#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/table.h"

namespace pegen {

/// How a language writes numbers. In the words for those that are not finite, {} stands for the
/// type.
struct NumberWords {
    std::string_view nan, infinity, minus_infinity;
    std::string_view float_suffix = "";
    std::string_view unsigned_suffix = "";
    std::string_view lowest_int64 = "-9223372036854775808";
    std::string_view no = "false", yes = "true";
    bool has_only_doubles = false;
    bool is_hexadecimal = false;
};

/// Returns each element of a table, all of which are read, as a literal that reads back as the same
/// number. `type` is that of the elements.
std::vector<std::string> literals(const Table& table, const NumberWords& words,
                                  const std::string& type);

}  // namespace pegen
