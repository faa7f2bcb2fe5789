#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// The figure of the table as an SVG file of the size of the PNG; its parameters are
/// figure_parameters(). Texts are texts and lines are shapes; heatmap and colour bar are PNG images
/// with one pixel for each pixel of the PNG file and all colours of the map. If the table is
/// generated, <metadata id="pe-gen"> holds its provenance as JSON.
extern const Format svg;

}  // namespace pegen::formats
