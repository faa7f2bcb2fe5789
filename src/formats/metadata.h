#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "pegen/core/table.h"

namespace pegen {

/// What a generated table is: {"encoding": ..., "preset": ..., "table": ..., "parameters": {...}},
/// defaults too. "preset" is there only if the table was asked for by one. For a table read from a
/// file, encoding and table are null and parameters is {}.
nlohmann::ordered_json provenance_json(const Provenance& provenance);

/// The same in one line of ASCII; "" for a table read from a file.
std::string provenance_text(const Provenance& provenance);

}  // namespace pegen
