#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/table.h"
#include "recognition/evidence/sample.h"
#include "recognition/identify.h"

namespace pegen::recognition {

/// Returns the candidates that the encodings propose for the array. Calls `progress` with 0 and 0
/// for each encoding.
std::vector<Candidate> recognized(const Sample& array, const Progress& progress = ignore_progress);

/// Returns a candidate for every table of every encoding and preset that has the shape of the array
/// when its extents are fitted.
std::vector<Candidate> fitted_presets(const Sample& array);

/// Finds what fitted_presets() does, for arrays of a few shapes: extents are fitted once for each
/// shape.
class FittedPresets {
  public:
    std::vector<Candidate> of(const Sample& array);

  private:
    std::map<std::vector<std::int64_t>, std::vector<Candidate>> known_;  ///< by extents
};

/// Returns a candidate for every table of the encodings' defaults, with each of their layouts, that
/// has the shape of the array when its extents are fitted.
std::vector<Candidate> fitted_layouts(const Sample& array);

/// Returns candidates for the tables of images whose rows are tokens, with every height and width
/// that give as many tokens as the array has rows, if neither is more than 16 times the other.
std::vector<Candidate> fitted_images(const Sample& array);

/// Returns a candidate, without angles, for every table of every encoding and preset that has
/// prefix + grid[0] grid[1] rows and `d` columns: of an image with this grid, or, if its width is
/// 1, of a sequence. Tables of drawn numbers are left out.
std::vector<Candidate> fitted_originals(std::int64_t prefix,
                                        const std::array<std::int64_t, 2>& grid, std::int64_t d);

/// A table that was brought to another size: a table of an encoding, and what was done to it.
struct ResizedTable {
    Table original;       ///< in the dtype of the array
    Agreement agreement;  ///< of the resized table and the array
    std::string how;      ///< as Identification::resized
};

/// Finds a table of an encoding or a preset that is the array once a code base has resized it, see
/// rows/resized.h: of a square image for an array (rows, d) of prefix rows and points, or for one
/// of (height, width, d), or of a usual length. Reads a few rows of arrays that are no such table.
/// Throws: what the array's rows and `progress` throw.
std::optional<ResizedTable> find_resized(const Sample& array, const Progress& progress);

}  // namespace pegen::recognition
