#pragma once

#include <span>

#include "evidence/simple_number.h"

namespace pegen::encodings {

/// Returns the positive numbers that code has as factors and frequencies, some thousand, the
/// cheapest first: whole numbers, halves, powers of two, numbers of two or three digits.
std::span<const evidence::SimpleNumber> usual_numbers();

}  // namespace pegen::encodings
