#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// The figure of the table as an SVG file of the size of the PNG; its parameters are
/// figure_parameters(). Texts are texts, lines shapes; heatmap and colour bar are PNG images of one
/// pixel for each of the PNG's, with all colours of the map. Of a generated table the file carries
/// the provenance, as JSON in <metadata id="pe-gen">.
extern const Format svg;

}  // namespace pegen::formats
