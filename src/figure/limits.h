#pragma once

#include <limits>
#include <span>

#include "core/table.h"

namespace pegen {

/// The values that get the first and the last colour.
struct Limits {
    double low;
    double high;

    bool operator==(const Limits&) const = default;
};

/// Of no values.
inline constexpr Limits no_limits{std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity()};

/// The smallest and the largest finite value; no_limits where there is none.
Limits limits_of(std::span<const double> values);

/// Those of the values of both.
Limits merge(Limits a, Limits b);

/// The limits; 0 and 1 for no_limits.
Limits or_any(Limits limits);

/// The smallest and the largest finite value of the table; 0 and 1 where there is none. Reads the
/// table once, in blocks.
Limits value_limits(const Table& table);

/// Limits that can be told apart: both ends moved outwards by a tenth of their magnitude where they
/// are equal (or differ by rounding only); -0.1 and 0.1 where both are zero (or nearly: below
/// 1e-287).
Limits set_apart(Limits limits);

}  // namespace pegen
