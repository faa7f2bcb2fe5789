#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "numerics/channel_layout.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"

namespace pegen::evidence {

// Pairs of columns that hold the sine and the cosine of one angle lie on a circle.

/// The indices along the last axis at which the sine and the cosine of one angle are.
struct WaveColumns {
    std::int64_t sine;
    std::int64_t cosine;
};

/// The columns of the waves of a layout.
struct LayoutColumns {
    std::vector<WaveColumns> pairs;            ///< of frequencies 0, 1, ... with both functions
    std::vector<std::int64_t> pair_of_column;  ///< the frequency's number; -1 for a column of zeros
};

LayoutColumns columns_of(const numerics::ChannelLayout& layout);

/// Values of sines and cosines with their errors. Index: pair * rows + row.
struct WavePairs {
    std::int64_t rows = 0;
    std::int64_t pairs = 0;
    std::vector<double> sines{}, cosines{};
    std::vector<double> sine_errors{}, cosine_errors{};
};

/// Returns the cells of these rows and columns of an array of two axes. All rows must be in memory.
WavePairs pairs_of(const Sample& sample, std::span<const std::int64_t> rows,
                   std::span<const WaveColumns> columns);

/// The circle (sine - offset)^2 + (cosine - offset)^2 = radius^2.
struct Circle {
    Measured radius;
    Measured offset;  ///< exactly 0 unless the cells show another one
};

/// Returns the circle on which the cells of all pairs lie; none if less than `least_share` of the
/// cells lies on one. Cells of two zeros are not counted. If all cells are near each other they
/// show no offset, and the offset is 0.
std::optional<Circle> common_circle(const WavePairs& pairs, double least_share = 0.9);

/// Angles modulo 2 pi, with their errors. Index: pair * rows + row. An angle that is not known,
/// because its cell is not on the circle, has an infinite error.
struct Angles {
    std::int64_t rows = 0;
    std::int64_t pairs = 0;
    std::vector<double> values{};  ///< in [-pi, pi]
    std::vector<double> errors{};
};

Angles angles_of(const WavePairs& pairs, const Circle& circle);

/// Returns the angle in [-pi, pi] that differs from `angle` by whole turns.
double wrapped(double angle);

// Turning by equal steps: rows are at equal distances, and the angle of a pair advances by the same
// amount from each row to the next.

/// The straight line of angles: row n has the angle phase + n * advance, modulo 2 pi.
struct Turning {
    Measured advance;  ///< in [-pi, pi]
    Measured phase;    ///< in [-pi, pi], at row 0
    /// True if the angles are on a straight line within their errors; false if they scatter more,
    /// as they do in float32 code at high positions, and in lists of nearly equal distances.
    bool is_straight = true;
};

/// Returns how the angle of one pair advances, measured over all rows; up to a fifth of the rows
/// may be spoiled. None if there are fewer than 2 rows, or if the rows are not at equal distances,
/// which 2 rows alone cannot show.
/// Code in float32 has angles that are off by a few 2^-24 of themselves; the returned errors
/// include the scatter that is seen.
std::optional<Turning> turning_of(std::span<const double> angles, std::span<const double> errors);

/// Returns the turning of every pair; none if any pair has no turning.
std::optional<std::vector<Turning>> turnings_of(const Angles& angles);

}  // namespace pegen::evidence
