#pragma once

#include <string>
#include <string_view>

namespace pegen::cli {

/// Says in words what rotary positions a model's configuration asks for: what was taken from which
/// key, the command without the file, pairing and layout, and what its family is known for.
/// Throws: as encodings::read_model_config, and UsageError for what rope refuses.
std::string config_description(std::string_view path, std::string_view layer_type);

}  // namespace pegen::cli
