#pragma once

#include <string_view>

#include "core/parameters.h"
#include "encodings/encoding.h"
#include "encodings/preset.h"

namespace pegen::cli {

/// What can be asked for by name: an encoding, or a preset of one.
struct Subject {
    const Encoding* encoding;
    const Preset* preset;  ///< nullptr for the encoding itself

    std::string_view name() const { return preset ? preset->name : encoding->name; }
    /// The encoding's parameters at their defaults, the preset's settings over them.
    Parameters defaults() const;
};

/// The encoding or preset of this name; '_' stands for '-'.
/// Throws: UsageError with the nearest known name, commands included.
Subject find_subject(std::string_view name);

}  // namespace pegen::cli
