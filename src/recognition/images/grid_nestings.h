#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/images/grid_layout.h"
#include "recognition/evidence/circle.h"
#include "recognition/evidence/point_grid.h"

namespace pegen::recognition {

/// A nesting and the parameters that make it.
struct ProposedNesting {
    encodings::GridNesting nesting;
    std::string split;
    std::string odd;
};

/// Returns the columns of the sines and cosines of an axis, the fastest first. If a sine or cosine
/// lies beyond the last channel, its pair is left out.
std::vector<evidence::WaveColumns> wave_columns(const encodings::GridNesting& nesting, char axis);

/// Returns the nestings that agree with the axis on which each column depends, the simplest first,
/// without repetitions. `names` are the names of the grid's axes, slowest first: "yx", "tyx".
std::vector<ProposedNesting> nestings_of(const evidence::PointGrid& grid, std::string_view names);

}  // namespace pegen::recognition
