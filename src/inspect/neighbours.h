#pragma once

#include <vector>

#include "encodings/encoding.h"

namespace pegen {

/// A preset of the same encoding as another preset, and the parameters that it sets differently.
struct Neighbour {
    const Preset* preset;
    std::vector<Parameters::Entry> settings;  ///< empty: both make the same table
};

/// Returns the presets that differ from `preset` in no parameter, in one, or in one and in extents.
std::vector<Neighbour> neighbours_of(const Preset& preset);

}  // namespace pegen
