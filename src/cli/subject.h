#pragma once

#include <string_view>

#include "core/parameters.h"
#include "encodings/encoding.h"
#include "encodings/preset.h"

namespace pegen::cli {

/// An encoding, or a preset of one.
struct Subject {
    const Encoding* encoding;
    const Preset* preset;  ///< nullptr for the encoding itself

    std::string_view name() const { return preset ? preset->name : encoding->name; }
    /// The defaults of the encoding, overridden by the settings of the preset.
    Parameters defaults() const;
};

/// Finds the encoding or preset of this name; '_' stands for '-'.
/// Throws: UsageError with the nearest known name, commands included.
Subject find_subject(std::string_view name);

}  // namespace pegen::cli
