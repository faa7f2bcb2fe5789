#pragma once

#include <string>

namespace pegen::cli {

/// Returns the JSON Schema (draft 7) of manifests, generated from the specs of all encodings and
/// formats. Editors use it to complete and check manifests.
std::string manifest_schema();

}  // namespace pegen::cli
