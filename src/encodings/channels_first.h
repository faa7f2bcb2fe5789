#pragma once

#include "encodings/encoding.h"

namespace pegen {

/// Returns the plan of the transposed table, if its parameters have encodings::view_parameter with
/// the value channels-first and the channels are the last of two axes. The table is kept in memory.
/// Throws: UsageError if it has more than 2^28 values.
Plan with_channels_first(Plan plan);

}  // namespace pegen
