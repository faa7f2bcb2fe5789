#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/table.h"

namespace pegen {

/// How far a value of table A may be from that of B. It is within the tolerance if
///     |a - b| <= absolute + relative |b| + position |p| 2^-23
/// or, where `ulps` has a value, if at most so many floats lie between them. p is the position that
/// the value belongs to: 0 in rows before the first position. A value that is not finite is within
/// no tolerance of another.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
    double position = 0;
    /// The axis that p is counted along. None: that of kind position, of B or else of A; or else
    /// the first.
    std::optional<int> position_axis{};
    std::optional<std::uint64_t> ulps{};
};

/// Where two tables are farthest apart: the first such place.
struct Place {
    std::vector<std::int64_t> index;  ///< along each axis
    std::string a;                    ///< the values, as the shortest text that reads back as them
    std::string b;
};

/// What separates two tables of equal shape.
struct Difference {
    std::int64_t values = 0;
    std::int64_t differing = 0;  ///< not the same number: NaN is NaN, +0 is -0
    std::int64_t beyond = 0;     ///< of these, those not within the tolerance

    double largest = 0;  ///< |a - b|; infinity where only one of them is a finite number
    std::optional<Place> largest_place{};
    double largest_finite = 0;  ///< the same without infinity
    /// The largest |a - b| / (|p| 2^-23), p as in Tolerance: how large the differences are beside
    /// those of float32 arithmetic. Infinity if values of position 0 differ.
    double float32_units = 0;

    /// The dtype whose floats the second measure counts: the narrower of the tables' floating
    /// dtypes, to which both values are rounded; none if neither table has floats.
    std::optional<DType> ulp_dtype{};
    std::uint64_t largest_ulps = 0;     ///< floats from one number to the other
    std::optional<Place> ulps_place{};  ///< none if one of any two values is NaN
};

/// Compares integers with integers exactly, everything else as doubles, to which integers beyond
/// 2^53 are rounded. Goes through both tables in tiles; the result does not depend on the number of
/// threads. Precondition: equal shapes; the position axis is one of theirs, if there is any.
/// Throws: what the rows throw.
Difference difference_of(const Table& a, const Table& b, const Tolerance& tolerance,
                         const Progress& progress = ignore_progress);

/// The table A - B, of float64, for figures; 0 where both values are the same number or both NaN.
Table subtracted(const Table& a, const Table& b);

/// A likely reason why two tables differ, in a sentence; "" if none is found. Reads some of the
/// first rows only.
std::string reason_of(const Table& a, const Table& b);

}  // namespace pegen
