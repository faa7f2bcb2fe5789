#pragma once

#include <span>
#include <string_view>

#include "core/parameters.h"
#include "encodings/encoding.h"
#include "encodings/preset.h"

namespace pegen::cli {

/// An encoding, a preset of one, or a mechanism.
struct Subject {
    const Encoding* encoding;
    const Preset* preset;  ///< nullptr for the encoding itself

    std::string_view name() const { return preset ? preset->name : encoding->name; }
    /// The defaults of the encoding, overridden by the settings of the preset.
    Parameters defaults() const;
};

/// Finds the encoding, preset or mechanism of this name, "sinusoid" or "attention shaw"; '_' stands
/// for '-'. Throws: UsageError with the nearest known name, commands included.
Subject find_subject(std::string_view name);

/// True if `name` can only be the name of a file, where a command takes either: it is that of no
/// encoding or preset, and there is such a file, or it has a '.' or a '/', or is standard input.
bool names_file(std::string_view name);

/// True if `name`, where a command takes a file, is that of an encoding or a preset, and there is
/// no such file.
bool names_encoding(std::string_view name);

/// Finds the mechanism "attention NAME". Throws: UsageError with the nearest known name.
Subject find_mechanism(std::string_view name);

/// A subject, and the arguments behind its name.
struct NamedArguments {
    Subject subject;
    std::span<const std::string_view> rest;
};

/// Finds what the first argument names, or the first two: "attention shaw".
/// Throws: UsageError, as find_subject. Precondition: there is an argument.
NamedArguments named_arguments(std::span<const std::string_view> arguments);

}  // namespace pegen::cli
