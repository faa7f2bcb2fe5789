#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "recognition/evidence/circle.h"
#include "recognition/evidence/simple_number.h"

// A table of sines and cosines: the angle of a cell is its row's position times its pair's
// frequency. Positions are measured in radians of the fastest pair, because only the product is
// seen.
namespace pegen::evidence {

/// Positions at equal distances, in radians of the fastest pair.
struct WaveSteps {
    Measured start;  ///< position of the first row
    Measured step;
};

/// A way in which the rows and pairs of a table may have been made.
struct WaveTable {
    Circle circle;
    /// The natural logarithm of the ratio of neighbouring frequencies; none if there is one pair.
    std::optional<Measured> log_ratio;
    std::optional<WaveSteps> steps;     ///< none if the rows are not at equal distances
    std::vector<Measured> positions{};  ///< positions of every row, if there are no steps
};

/// Returns the ways in which the table may have been made, the most likely first, at most a dozen;
/// none if it is no table of waves. `columns` are in the order of frequencies, the fastest first.
/// `rows` are consecutive; rows of zeros among them are skipped.
std::vector<WaveTable> wave_tables(const Sample& sample, std::span<const std::int64_t> rows,
                                   std::span<const WaveColumns> columns);

/// Returns a function for Proposal::angle that gives the angles of a table's cells. Row `first_row`
/// of the array has the first position. `pair_of_column` holds the pair of each column, or -1 for a
/// column of no pair.
std::function<double(std::int64_t, std::int64_t)> wave_angle(
    const WaveTable& table, std::int64_t first_row, std::vector<std::int64_t> pair_of_column);

}  // namespace pegen::evidence
