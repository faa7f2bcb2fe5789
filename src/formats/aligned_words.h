#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.h"

namespace pegen {

/// Each element as NumPy's print() writes it among the others: as many digits as tell it from its
/// neighbours, at most eight after the point; all with an exponent if one is large, small or far
/// from another; padded to line up.
std::vector<std::string> aligned_words(std::span<const std::byte> elements, DType dtype);

/// The element as NumPy's print() writes an array of no axes: str() of its scalar.
std::string scalar_word(std::span<const std::byte> element, DType dtype);

}  // namespace pegen
