#pragma once

#include <string>
#include <string_view>

#include "core/parameters.h"
#include "encodings/encoding.h"

namespace pegen {

/// Returns the title of figures of a table: TableSpec::title with the values of the parameters, and
/// behind these the extents of the axes that it does not name: "Grid (d_model=8, height=3, width=4,
/// depth=2)". Extents of 1 are left out, and a number of keys that is that of the queries. A table
/// with Plan::is_before_mask is "before a causal mask". A preset's name comes first: "whisper:
/// Positional Encoding (d_model=8, max_len=4)".
std::string title_of(const TableSpec& spec, const Plan& plan, std::string_view preset);

}  // namespace pegen
