#pragma once

#include <nlohmann/json.hpp>

namespace pegen::testing {

/// True if a value satisfies a JSON Schema (draft 7). Knows the keywords that the schema of
/// manifests uses. `whole` is the schema that "$ref" refers to. Throws: std::invalid_argument for
/// an unknown keyword.
bool satisfies(const nlohmann::json& value, const nlohmann::json& schema,
               const nlohmann::json& whole);

}  // namespace pegen::testing
