#pragma once

namespace pegen {

/// An integer type wide enough for every integer of a table, and for sums and differences of them.
__extension__ using Wide = __int128;

}  // namespace pegen
