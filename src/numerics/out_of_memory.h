#pragma once

namespace pegen::numerics {

/// Sets the function that MPFR calls when malloc fails: `end`, which must end the program, since
/// MPFR allows neither a return nor an exception there. Without this call MPFR aborts. Meant for
/// main.
void call_without_memory(void (*end)());

}  // namespace pegen::numerics
