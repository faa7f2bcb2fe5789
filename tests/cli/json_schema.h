#pragma once

#include <nlohmann/json.hpp>

namespace pegen::testing {

/// True if a value satisfies a JSON Schema (draft 7), of which the schema of manifests has the
/// keywords. `whole` is the schema that "$ref" refers to.
/// Throws: std::invalid_argument for a keyword that is not known here.
bool satisfies(const nlohmann::json& value, const nlohmann::json& schema,
               const nlohmann::json& whole);

}  // namespace pegen::testing
