#pragma once

// Do numbers of more digits show that code in float32 made them?
namespace pegen::evidence {

/// Returns true if within `error` of the value there is a number of float32 that shows itself: one
/// of more than 12 binary digits, where a value of more digits is near one only by chance, once in
/// a million or less. False where the error is too large to tell.
bool shows_float32(double value, double error);

}  // namespace pegen::evidence
