#pragma once

#include <string>
#include <string_view>

#include "core/shape.h"

namespace pegen {

/// What a JSON file of pe-gen's says before its values.
struct JsonHead {
    Shape shape;
    std::string dtype;
    std::string provenance;  ///< of the table: an object as figures carry it
};

/// `start` is how the file `path` begins. Throws: FormatError unless it has everything that stands
/// before the values.
JsonHead read_json_head(std::string_view path, std::string_view start);

}  // namespace pegen
