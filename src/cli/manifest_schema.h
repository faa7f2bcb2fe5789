#pragma once

#include <string>

namespace pegen::cli {

/// The JSON Schema (draft 7) of manifests, made of the specs of all encodings and formats: an
/// editor completes and checks with it.
std::string manifest_schema();

}  // namespace pegen::cli
