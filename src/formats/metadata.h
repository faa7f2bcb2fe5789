#pragma once

#include <nlohmann/json.hpp>

#include "pegen/core/table.h"

namespace pegen {

/// {"encoding": .., "preset": .., "table": .., "parameters": {..}}; without "preset" where there is
/// none. Parameters are in the order of their specs, defaults too; null stands for no value.
nlohmann::ordered_json provenance_json(const Provenance& provenance);

}  // namespace pegen
