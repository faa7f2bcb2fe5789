#pragma once

#include <cstdint>
#include <string_view>

#include "core/axis.h"
#include "core/table.h"

// The choice of a range of indices along an axis, FROM:TO.
namespace pegen {

/// Reads a range among `extent` indices as Python's slice with both, one or no end: "2:8", ":-1".
/// Throws: UsageError, naming `option`, unless it has such a form and an index in it.
RowRange parse_range(std::string_view text, std::int64_t extent, std::string_view option);

/// Returns the axis of the indices in `range`. It keeps names, as of heads, and positions that are
/// a progression; others it counts from 0.
Axis part_of(const Axis& axis, RowRange range);

}  // namespace pegen
