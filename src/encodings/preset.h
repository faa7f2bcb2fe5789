#pragma once

#include <string_view>

#include "core/parameters.h"

namespace pegen {

struct Encoding;

/// A convention of a public code base, as data: an encoding with some of its parameters set. Each
/// encoding lists its presets.
struct PresetSpec {
    std::string_view name;
    std::string_view aliases = "";  ///< other names, separated by spaces
    std::string_view settings;      ///< as a user would type them: "--layout halves --reverse"
    std::string_view summary;       ///< one line, lower case, no final period
    std::string_view source;        ///< repository and file
    std::string_view note = "";     ///< common pitfalls for its users
    std::string_view figure = "";   ///< options of its figure, typed like `settings`
};

/// A preset with its encoding: an entry of the registry.
struct Preset : PresetSpec {
    const Encoding* encoding;
};

/// Returns the encoding's defaults under the preset's settings.
Parameters parameters_of(const Preset& preset);

}  // namespace pegen
