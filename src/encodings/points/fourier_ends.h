#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "evidence/simple_number.h"

namespace pegen::encodings {

/// The first and the last coordinate of an axis, as angles.
struct Ends {
    evidence::Measured first, last;
};

/// Returns the ends of `extent` equally spaced places, of which the leading ones are known.
Ends ends_of(const std::vector<evidence::Measured>& places, std::int64_t extent);

/// Returns what --coords may be for all axes, if `factor` makes angles of coordinates.
std::vector<std::string> coords_of(const std::vector<Ends>& ends,
                                   const std::vector<std::int64_t>& extents, double factor);

}  // namespace pegen::encodings
