#pragma once

#include <string_view>

#include "core/parameters.h"
#include "encodings/encoding.h"

namespace pegen {

/// A public code base's convention: an encoding with some of its parameters set. As data.
struct Preset {
    std::string_view name;
    std::string_view aliases = "";  ///< separated by spaces: others of the same table
    const Encoding* encoding;
    std::string_view settings;   ///< as a user would type them: "--layout halves --denom-shift 2"
    std::string_view summary;    ///< one line, lower case, no final period
    std::string_view source;     ///< repository and file
    std::string_view note = "";  ///< what its users trip over
};

/// The encoding's defaults under the preset's settings.
Parameters parameters_of(const Preset& preset);

}  // namespace pegen
