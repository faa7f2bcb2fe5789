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
/// The bound of a rotary score over the distance.
extern const Plot decay;
/// The norm of each row.
extern const Plot norms;
/// Each channel as a picture on the grid whose points the rows are.
extern const Plot maps;
/// The cosine similarity of each patch with all others, on the grid of the patches.
extern const Plot patches;

}  // namespace pegen::plots
