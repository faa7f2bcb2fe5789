#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "encodings/rotary/frequency_settings.h"
#include "encodings/rotary/grid_blocks.h"

namespace pegen::encodings {

/// What an array shows of the pairs of a grid's axes.
struct ShownPairs {
    Blocks blocks;
    std::vector<double> extents;  ///< of each block's axis; empty where coordinates do not matter
    std::function<bool(std::int64_t pair, double frequency)> may_turn;
    bool is_noisy;  ///< only the most usual numbers are tried, for any would fit
};

/// Settings of rope-grid, and the frequencies that they make.
struct GridSpectrum {
    RopeSettings settings;
    std::vector<double> frequencies;  ///< of each pair, in radians per coordinate
};

/// Returns the spectra made of usual numbers with which all pairs may turn, the cheapest first, a
/// few at most. Numbers are tried one by one, so pairs may turn by any angle from point to point.
std::vector<GridSpectrum> usual_spectra(const ShownPairs& shown);

}  // namespace pegen::encodings
