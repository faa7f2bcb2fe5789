#pragma once

#include <string>

#include "core/parameters.h"
#include "core/shape.h"
#include "encodings/encoding.h"

namespace pegen {

/// Returns `parameters` with extents, such as len and d, that make the table `spec` of this shape,
/// or of this shape with additional axes of extent 1. Returns `parameters` unchanged if no extents
/// do. An extent that the user gave stays. Other extents are tried as they are, as each extent of
/// the shape, as the side of a square of that many points, and as half an extent. A table of images
/// gets 1, 2 or 5 rows in front (--prefix-rows) if only the remaining rows are those of a square.
Parameters fitted(const Encoding& encoding, const TableSpec& spec, const Parameters& parameters,
                  const Shape& shape);

/// Returns what fitted() changed of `others` to `parameters`, as options: " --len 50 --d 64".
std::string fitted_text(const Parameters& parameters, const Parameters& others);

}  // namespace pegen
