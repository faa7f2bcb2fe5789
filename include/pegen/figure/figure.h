#pragma once

#include <span>

#include "pegen/core/parameters.h"
#include "pegen/core/table.h"
#include "pegen/figure/image.h"

namespace pegen {

/// The options of a figure, such as --cmap and --title.
std::span<const ParameterSpec> figure_parameters();

/// The table as a heatmap with axes, ticks, labels, title and colour bar; or, with --no-axes or
/// --cell, the bare heatmap. Tables of more than two axes are drawn as rows x columns.
/// Asks the table only for the rows the picture needs.
/// Throws: UsageError if the picture would be too small or too large, or the limits are not apart.
Image draw_figure(const Table& table, const Parameters& parameters);

}  // namespace pegen
