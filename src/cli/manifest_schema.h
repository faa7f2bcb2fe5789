#pragma once

#include <string>

namespace pegen::cli {

/// The JSON Schema (draft 7) of manifests, made from the specs of all encodings and formats:
/// editors use it to complete and check manifests.
std::string manifest_schema();

}  // namespace pegen::cli
