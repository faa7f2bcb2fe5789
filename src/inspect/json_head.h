#pragma once

#include <string>
#include <string_view>

#include "core/dtype.h"
#include "core/shape.h"

namespace pegen {

/// What precedes the values in a JSON file of pe-gen.
struct JsonHead {
    Shape shape;
    DType dtype;
    std::string provenance;  ///< a JSON object like that in figures
};

/// Reads `start`, the first bytes of the file `path`. Throws: FormatError unless they contain all
/// that precedes the values.
JsonHead read_json_head(std::string_view path, std::string_view start);

}  // namespace pegen
