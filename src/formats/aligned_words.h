#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.h"

namespace pegen {

/// Writes each element as NumPy's print() does within an array: with as many digits as distinguish
/// it from its neighbours, at most eight after the point; all with an exponent if one is large,
/// small or of a very different size from another; padded to line up.
std::vector<std::string> aligned_words(std::span<const std::byte> elements, DType dtype);

/// Writes the element as NumPy's print() does for an array without axes: str() of its scalar.
std::string scalar_word(std::span<const std::byte> element, DType dtype);

}  // namespace pegen
