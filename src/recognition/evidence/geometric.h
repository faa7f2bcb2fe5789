#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "recognition/evidence/simple_number.h"

// Angles of one position at frequencies in geometric progression: angle p = first * ratio^-p,
// p = 0, 1, ..., each known modulo 2 pi only. The fastest comes first.
namespace pegen::evidence {

/// A geometric progression of angles, unwrapped.
struct GeometricSeries {
    Measured first;      ///< the fastest angle, as it is: 100 is 100 radians
    Measured log_ratio;  ///< the natural logarithm of ratio, positive
};

/// Returns the progressions that the angles may be, the least turned ones first, `most` at most:
/// several if there are few angles. An angle whose error is infinite is passed over. Three angles
/// at least confirm a progression, two allow many, one or none allow none.
std::vector<GeometricSeries> geometric_series(std::span<const Measured> angles,
                                              std::size_t most = 8);

/// Returns the fastest angle of another position at the same frequencies; none if there is none.
/// Angles whose errors are infinite are passed over; up to a tenth of the others may be spoiled.
/// `most_turns` is how often the slowest may have turned.
std::optional<Measured> first_of_series(std::span<const Measured> angles, const Measured& log_ratio,
                                        std::int64_t most_turns = 1024);

/// The same, but up to `most` of them, the least turned first: where the ratio is a whole number,
/// some turns of the slowest angle are whole turns of all.
std::vector<Measured> firsts_of_series(std::span<const Measured> angles, const Measured& log_ratio,
                                       std::size_t most, std::int64_t most_turns = 1024);

}  // namespace pegen::evidence
