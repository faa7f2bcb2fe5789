#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "recognition/evidence/simple_number.h"

// Angles of one position at frequencies in geometric progression: angle p = first * ratio^-p, p =
// 0, 1, ..., each known modulo 2 pi only. The fastest angle comes first.
namespace pegen::evidence {

/// A geometric progression of angles, unwrapped.
struct GeometricSeries {
    Measured first;      ///< the fastest angle, not wrapped: 100 is 100 radians
    Measured log_ratio;  ///< the natural logarithm of ratio, positive
};

/// Returns the progressions that the angles may form, the least turned first, at most `most`:
/// several if there are few angles. Skips angles whose errors are infinite. At least three angles
/// confirm a progression; two angles allow many, fewer angles allow none.
std::vector<GeometricSeries> geometric_series(std::span<const Measured> angles,
                                              std::size_t most = 8);

/// Returns the fastest angle of another position at the same frequencies; none if the angles fit no
/// position. Skips angles whose errors are infinite; up to a tenth of the other angles may be
/// spoiled. `most_turns` is the largest number of turns that the slowest angle may have made.
std::optional<Measured> first_of_series(std::span<const Measured> angles, const Measured& log_ratio,
                                        std::int64_t most_turns = 1024);

/// Returns up to `most` fastest angles of another position, the least turned first; otherwise like
/// first_of_series(). There are several where the ratio is a whole number: then some turns of the
/// slowest angle are whole turns of all angles.
std::vector<Measured> firsts_of_series(std::span<const Measured> angles, const Measured& log_ratio,
                                       std::size_t most, std::int64_t most_turns = 1024);

}  // namespace pegen::evidence
