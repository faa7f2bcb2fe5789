#pragma once

#include <string>
#include <string_view>

#include "core/parameters.h"
#include "encodings/encoding.h"

namespace pegen {

/// Returns the title of a figure of the table: TableSpec::title with the values of the parameters
/// filled in, followed by the extents of the axes that the title does not name: "Grid (d_model=8,
/// height=3, width=4, depth=2)". Leaves out extents of 1, and the number of keys if it equals the
/// number of queries. Adds "before a causal mask" for Plan::is_before_mask,
/// except for shares, which are made behind the mask. Begins with the name of
/// a preset: "whisper: Positional Encoding (d_model=8, max_len=4)".
std::string title_of(const TableSpec& spec, const Plan& plan, std::string_view preset);

}  // namespace pegen
