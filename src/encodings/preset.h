#pragma once

#include <string_view>

#include "core/parameters.h"

namespace pegen {

struct Encoding;

/// A public code base's convention, as data: an encoding with some of its parameters set. It stands
/// in the list of its encoding.
struct PresetSpec {
    std::string_view name;
    std::string_view aliases = "";  ///< separated by spaces: other names of the same table
    std::string_view settings;      ///< as a user would type them: "--layout halves --reverse"
    std::string_view summary;       ///< one line, lower case, no final period
    std::string_view source;        ///< repository and file
    std::string_view note = "";     ///< what its users trip over
};

/// A preset and the encoding it is of: an entry of the registry.
struct Preset : PresetSpec {
    const Encoding* encoding;
};

/// Returns the encoding's defaults under the preset's settings.
Parameters parameters_of(const Preset& preset);

}  // namespace pegen
