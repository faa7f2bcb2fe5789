#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "recognition/evidence/simple_number.h"

namespace pegen::evidence {

/// Returns the `count` numbers first, first + step, ...
inline std::vector<std::int64_t> progression(std::int64_t first, std::int64_t step,
                                             std::int64_t count) {
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = 0; i < count; ++i) numbers.push_back(first + i * step);
    return numbers;
}

/// The spacing of frequencies as code defines it: ratio of neighbours = base^(step / (width -
/// shift)).
struct Spacing {
    SimpleNumber base;
    SimpleNumber shift;
    double bits;  ///< price of both numbers
};

/// Returns the base exp(4), to which 10000 turns where its logarithm to base 10 is taken for the
/// natural one.
SimpleNumber base_of_log10();

/// Returns the spacings that have the ratio whose natural logarithm is given: simple bases for the
/// usual shifts, and 10000 for other whole shifts; cheapest first, at most `most`.
std::vector<Spacing> spacings(const Measured& log_ratio, double step, double width,
                              std::size_t most = 8);

// Angles of one position at frequencies in geometric progression: angle p = first * ratio^-p, p =
// 0, 1, ..., each known modulo 2 pi only. The fastest angle comes first.

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
