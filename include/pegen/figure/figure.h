#pragma once

#include <span>

#include "pegen/core/parameters.h"
#include "pegen/core/table.h"
#include "pegen/figure/image.h"

namespace pegen {

/// The options of a figure, such as --cmap and --title.
std::span<const ParameterSpec> figure_parameters();

/// The table as a heatmap with axes, ticks, labels, title and colour bar (lay_out()); or, with
/// --no-axes or --cell, the bare heatmap. Rows of the table run downwards, its last axis to the
/// right; the leading axes of a table of more than two are one axis. --transpose swaps both.
/// Without text parameters, title and labels are the table's. NaN and infinities are drawn white.
/// Asks the table for its rows in blocks: memory does not grow with its length.
/// Throws: UsageError if the picture would be too small or too large, vmin is not below vmax, the
/// table is empty, or a text cannot be drawn; what load_font() throws for --font.
Image draw_figure(const Table& table, const Parameters& parameters);

}  // namespace pegen
