#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/evidence/spacing.h"
#include "recognition/images/grid_nestings.h"

namespace pegen::recognition {

/// What the columns of an axis show. Angles are in radians.
struct MeasuredAxis {
    std::int64_t channels = 0;                         ///< of the axis
    std::vector<evidence::Measured> phases{};          ///< of index 0, by frequency
    std::optional<evidence::Measured> advance = {};    ///< of the fastest; none of one index
    std::optional<evidence::Measured> log_ratio = {};  ///< of neighbouring frequencies
};

struct MeasuredLine {
    evidence::Measured radius;
    MeasuredAxis axis;
};

/// Returns what the waves at equally spaced positions show, `axis` completed; none if they are on
/// no circle, or if their frequencies are in no geometric progression.
std::optional<MeasuredLine> measured_line(MeasuredAxis axis, const evidence::WavePairs& pairs,
                                          const evidence::Sample& sample);

struct MeasuredGrid {
    evidence::Measured radius;
    std::vector<MeasuredAxis> axes;  ///< as the axes of the PointGrid
};

/// Returns what the grid shows if its columns are nested like this; none if they are not.
std::optional<MeasuredGrid> measured_grid(const evidence::Sample& sample,
                                          const evidence::PointGrid& grid, std::string_view names,
                                          const encodings::GridNesting& nesting);

/// The frequencies of all axes: base^(-2k / (channels - shift)).
struct GridSpacing {
    double shift;
    std::vector<double> bases;  ///< as the axes of the PointGrid
};

/// Returns the spacings that all axes allow, the simplest first.
std::vector<GridSpacing> grid_spacings(const MeasuredGrid& grid);

/// Returns the angle of the fastest frequency at index 0 of the axis; none if no position gives
/// its phases.
std::optional<evidence::Measured> start_of(const MeasuredAxis& axis, double base, double shift);

}  // namespace pegen::recognition
