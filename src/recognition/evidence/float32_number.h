#pragma once

// Tests whether numbers with more digits were computed by code in float32.
namespace pegen::evidence {

/// True if a number of float32 with more than 12 binary digits is within `error` of the value. A
/// value with more digits is so near to such a number by chance only, once in a million or less.
/// False if the error is too large to tell.
bool shows_float32(double value, double error);

}  // namespace pegen::evidence
