#pragma once

namespace pegen {

/// Wide enough for every integer of a table, and for their sums and differences.
__extension__ using Wide = __int128;

}  // namespace pegen
