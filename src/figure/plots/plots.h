#pragma once

#include "figure/plot.h"

namespace pegen::plots {

/// The values as colours: positions downwards, channels to the right.
extern const Plot heatmap;
/// Some channels as curves over the position.
extern const Plot waves;
/// The dot products of all pairs of positions, as a heatmap.
extern const Plot similarity;
/// The mean and the range of the dot products over the distance of the positions.
extern const Plot offsets;
/// The wavelengths of the encoding's pairs of channels, on a logarithmic axis.
extern const Plot wavelengths;
/// The values of a query over the distance of its keys.
extern const Plot steps;

}  // namespace pegen::plots
