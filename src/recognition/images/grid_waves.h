#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/images/grid_layout.h"
#include "recognition/evidence/circle.h"
#include "recognition/evidence/geometric.h"
#include "recognition/evidence/point_grid.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"

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

/// Measurements from the columns of an axis. Angles are in radians.
struct MeasuredAxis {
    std::int64_t channels = 0;               ///< number of channels of the axis
    std::vector<Measured> phases{};          ///< at index 0, one for each frequency
    std::optional<Measured> advance = {};    ///< of the fastest wave; none for one index
    std::optional<Measured> log_ratio = {};  ///< of neighbouring frequencies
};

struct MeasuredLine {
    Measured radius;
    MeasuredAxis axis;
};

/// Returns the measurements of waves at equally spaced positions, as a completed `axis`; none if
/// the values are not on a circle, or if the frequencies are not a geometric progression.
std::optional<MeasuredLine> measured_line(MeasuredAxis axis, const evidence::WavePairs& pairs,
                                          const Sample& sample);

struct MeasuredGrid {
    Measured radius;
    std::vector<MeasuredAxis> axes;  ///< in the order of the PointGrid's axes
};

/// Returns the measurements of the grid if its columns have this nesting; none if the values
/// contradict it.
std::optional<MeasuredGrid> measured_grid(const Sample& sample, const evidence::PointGrid& grid,
                                          std::string_view names,
                                          const encodings::GridNesting& nesting);

/// The frequencies of all axes: base^(-2k / (channels - shift)).
struct GridSpacing {
    double shift;
    std::vector<double> bases;  ///< in the order of the PointGrid's axes
};

/// Returns the spacings that agree with all axes, the simplest first.
std::vector<GridSpacing> grid_spacings(const MeasuredGrid& grid);

/// Returns the angle of the fastest frequency at index 0 of the axis; none if no position explains
/// the phases.
std::optional<Measured> start_of(const MeasuredAxis& axis, double base, double shift);

}  // namespace pegen::recognition
