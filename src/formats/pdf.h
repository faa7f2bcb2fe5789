#pragma once

#include "formats/format.h"

namespace pegen::formats {

/// The figure of the table as a PDF file, version 1.4, of one page of the figure's size in points;
/// its parameters are figure_parameters(). Texts are texts, in fonts that the file holds as far as
/// they are used; lines and curves are paths; heatmap and colour bar are images with one pixel for
/// each pixel of the PNG file and all colours of the map. If the table is generated, the entry
/// "pe-gen" of the document information is its provenance as JSON. The file has no date and no
/// identifier.
///
/// It is written by hand rather than by cairo or libharu, which write a date, embed fonts in the
/// way of their version, and would be linked with FreeType and more into a program that is one
/// static file.
extern const Format pdf;

}  // namespace pegen::formats
