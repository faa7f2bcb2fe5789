#pragma once

namespace pegen::numerics {

/// MPFR cannot go on without memory, and can be left neither by a return nor by an exception: it
/// calls `end` then, which ends the program. Without this call it aborts. For main.
void call_without_memory(void (*end)());

}  // namespace pegen::numerics
