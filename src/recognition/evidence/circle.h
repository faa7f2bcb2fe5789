#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"

// Pairs of columns that hold the sine and the cosine of one angle lie on a circle.
namespace pegen::evidence {

/// The indices of the last axis that hold the sine and the cosine of one angle.
struct WaveColumns {
    std::int64_t sine;
    std::int64_t cosine;
};

/// Values of sines and cosines with their errors. Index: pair * rows + row.
struct WavePairs {
    std::int64_t rows = 0;
    std::int64_t pairs = 0;
    std::vector<double> sines{}, cosines{};
    std::vector<double> sine_errors{}, cosine_errors{};
};

/// Returns these rows and columns of an array of two axes. All rows must be in memory.
WavePairs pairs_of(const Sample& sample, std::span<const std::int64_t> rows,
                   std::span<const WaveColumns> columns);

/// (sine - offset)^2 + (cosine - offset)^2 = radius^2
struct Circle {
    Measured radius;
    Measured offset;  ///< exactly 0 unless the cells say otherwise
};

/// Returns the circle on which the cells of all pairs lie; none if less than this share does.
/// Cells of two zeros do not count, and cells all near each other show no offset: it is 0 then.
std::optional<Circle> common_circle(const WavePairs& pairs, double least_share = 0.9);

/// Angles modulo 2 pi, with their errors. Index: pair * rows + row. The error of an angle that is
/// not known, of a cell beside the circle, is infinite.
struct Angles {
    std::int64_t rows = 0;
    std::int64_t pairs = 0;
    std::vector<double> values{};  ///< in [-pi, pi]
    std::vector<double> errors{};
};

Angles angles_of(const WavePairs& pairs, const Circle& circle);

/// Returns the angle that differs from this one by whole turns and is in [-pi, pi].
double wrapped(double angle);

}  // namespace pegen::evidence
