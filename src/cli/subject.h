#pragma once

#include <span>
#include <string_view>

#include "core/parameters.h"
#include "encodings/encoding.h"

namespace pegen::cli {

/// An encoding, a preset of an encoding, or a mechanism.
struct Subject {
    const Encoding* encoding;
    const Preset* preset;  ///< nullptr for the encoding itself

    std::string_view name() const { return preset ? preset->name : encoding->name; }
    /// Returns the defaults of the encoding, overridden by the settings of the preset.
    Parameters defaults() const;
};

/// Finds the encoding, preset or mechanism with this name: "sinusoid", "attention shaw". '_' counts
/// as '-'.
/// Throws: UsageError with the nearest known name, which may be a command.
Subject find_subject(std::string_view name);

/// Returns find_subject() of the name as a user types it, in which capitals count as small letters
/// if only these are a name. Throws: as find_subject().
Subject typed_subject(std::string_view name);

/// True if `name` must be a file, where a command takes a file or an encoding: no encoding or
/// preset has this name, and a file has it, or the name contains '.' or '/', or it is standard
/// input.
bool names_file(std::string_view name);

/// True if `name` is an encoding or a preset and there is no file of this name. For commands that
/// take only files.
bool names_encoding(std::string_view name);

/// Finds the mechanism "attention NAME". Throws: UsageError with the nearest known name.
Subject find_mechanism(std::string_view name);

/// A subject, and the arguments after its name.
struct NamedArguments {
    Subject subject;
    std::span<const std::string_view> rest;
};

/// Finds the subject that the first argument names, or the first two, as in "attention shaw".
/// Throws: UsageError, as find_subject(). Precondition: there is an argument.
NamedArguments named_arguments(std::span<const std::string_view> arguments);

}  // namespace pegen::cli
