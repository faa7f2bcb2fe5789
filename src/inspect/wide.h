#pragma once

namespace pegen {

/// Holds every integer of a table, their sums and their differences.
__extension__ using Wide = __int128;

}  // namespace pegen
