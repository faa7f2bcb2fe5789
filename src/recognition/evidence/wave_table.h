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
    Measured start;  ///< that of the first row
    Measured step;
};

/// How the rows and pairs of a table may have been made.
struct WaveTable {
    Circle circle;
    /// The natural logarithm of the ratio of neighbouring frequencies; none if there is one pair.
    std::optional<Measured> log_ratio;
    std::optional<WaveSteps> steps;     ///< none if the rows are not at equal distances
    std::vector<Measured> positions{};  ///< of every row, if there are no steps
};

/// Returns what the table may be, the most likely first, a dozen at most; none if it is no table of
/// waves. `columns` are in the order of frequencies, the fastest first. `rows` follow each other.
/// Rows of zeros among them are passed over. `usual_log_ratios` are tried where the cells are too
/// few or too coarse to show theirs.
std::vector<WaveTable> wave_tables(const Sample& sample, std::span<const std::int64_t> rows,
                                   std::span<const WaveColumns> columns,
                                   std::span<const double> usual_log_ratios = {});

/// Returns the angles of the cells of a table, for Proposal::angle: row `first_row` of the array
/// has the first position. `pair_of_column` says which pair a column belongs to; -1: none.
std::function<double(std::int64_t, std::int64_t)> wave_angle(
    const WaveTable& table, std::int64_t first_row, std::vector<std::int64_t> pair_of_column);

}  // namespace pegen::evidence
