#pragma once

#include <optional>

#include "encodings/rotary/config/model_config.h"

namespace pegen::encodings {

/// Returns what the configuration that the parameters name says about the positions of mrope: d,
/// base, sections, order, layout and frame-step. Returns nothing if they name none. Throws: as
/// config_of; FormatError if the frequencies are scaled, or neither the file nor the code of the
/// model's family gives the sections.
std::optional<ModelConfig> mrope_config_of(const Parameters& parameters);

}  // namespace pegen::encodings
