#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/table.h"

namespace pegen {

/// How far a value of table A may be from the value of table B. A value is within the tolerance if
///     |a - b| <= absolute + relative |b| + position |p| 2^-23
/// or, where `ulps` has a value, if at most that many floats lie between them. p is the position
/// that the value belongs to: 0 in rows before the first position. A value that is not finite is
/// within no tolerance of another value.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
    double position = 0;
    /// The axis along which p is counted. Without a value, it is the axis of kind position, of B or
    /// else of A; or else the first axis.
    std::optional<int> position_axis{};
    std::optional<std::uint64_t> ulps{};
};

/// The first place at which two tables are farthest apart.
struct Place {
    std::vector<std::int64_t> index;  ///< along each axis
    std::string a;                    ///< the shortest text that reads back as the value in A
    std::string b;
};

/// The differences between two tables of equal shape.
struct Difference {
    std::int64_t values = 0;
    std::int64_t differing = 0;  ///< number of differing values; NaN equals NaN, +0 equals -0
    std::int64_t beyond = 0;     ///< differing values that are not within the tolerance

    double largest = 0;  ///< |a - b|; infinity where only one of them is a finite number
    std::optional<Place> largest_place{};
    double largest_finite = 0;  ///< the largest finite |a - b|
    /// The largest |a - b| / (|p| 2^-23), with p as in Tolerance: the size of the differences
    /// relative to the error of float32 arithmetic. Infinity if values of position 0 differ.
    double float32_units = 0;

    /// The dtype whose floats largest_ulps counts: the narrower of the tables' floating dtypes, to
    /// which both values are rounded; has no value if neither table has floats.
    std::optional<DType> ulp_dtype{};
    std::uint64_t largest_ulps = 0;     ///< the most floats from one number to the other
    std::optional<Place> ulps_place{};  ///< no value if all differing pairs have a NaN
};

/// Compares integers with integers exactly, everything else as doubles, to which integers beyond
/// 2^53 are rounded. Reads both tables in tiles; the result does not depend on the number of
/// threads. Precondition: equal shapes; the position axis, if there is one, is an axis of the
/// tables.
/// Throws what reading the rows throws.
Difference difference_of(const Table& a, const Table& b, const Tolerance& tolerance,
                         const Progress& progress = ignore_progress);

/// Returns the table A - B, of float64, for figures; 0 where both values are the same number or
/// both NaN.
Table subtracted(const Table& a, const Table& b);

/// Returns a likely reason why two tables differ, as a sentence; "" if none is found. Reads only
/// some of the first rows.
std::string reason_of(const Table& a, const Table& b);

}  // namespace pegen
