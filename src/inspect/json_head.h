#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "pegen/core/shape.h"

namespace pegen {

/// What a JSON file of pe-gen's says before its values.
struct JsonHead {
    Shape shape;
    std::string dtype;
    nlohmann::ordered_json provenance;  ///< as provenance_json() makes it
};

/// `start` is how the file `path` begins. Throws: FormatError unless it has everything that stands
/// before the values.
JsonHead read_json_head(std::string_view path, std::string_view start);

}  // namespace pegen
