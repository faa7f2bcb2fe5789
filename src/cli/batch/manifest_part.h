#pragma once

#include <string>
#include <string_view>

#include "cli/batch/typed_value.h"
#include "core/json.h"

namespace pegen::cli {

/// A part of a manifest and its place.
struct Part {
    std::string_view path;  ///< path of the manifest
    std::string place;      ///< "jobs[3]"; "" for the whole manifest
    const Json& json;

    /// Throws: FormatError, always: its message has the place and `failure`.
    [[noreturn]] void refuse(std::string_view failure) const;

    Part at(const std::string& key) const;
    Part at(std::size_t index) const;

    /// Throws: FormatError unless the part is an object. `example` is an object for the message.
    void check_object(std::string_view example) const;
    /// Throws: FormatError unless the part is an array.
    void check_array() const;
};

/// Reads a text, a number, true or false, or a list of such values. Throws: FormatError.
TypedValue typed_value(const Part& part);

}  // namespace pegen::cli
