#pragma once

#include "encodings/rotary/config/section.h"

// The parts of a configuration that change the frequencies for longer contexts.
namespace pegen::encodings {

/// Returns this program's name for the scaling type that a block gives; "none" if it gives none.
/// Throws: FormatError if the type is unknown.
std::string scaling_type(const Section& block);

/// Reads rope_scaling, or rope_parameters, which also contains the base. Throws: FormatError,
/// naming the key, for contradictory, unknown or missing values.
void read_scaling(const Section& block, ConfigSettings& settings);

/// Changes the settings read for `type: ntk` to match the code of Alibaba's GTE, which multiplies
/// the base by the factor f and divides all frequencies by f^(2/d).
void read_gte_ntk(const Section& block, ConfigSettings& settings);

/// Reads the key rotary of InternLM's first models: the base and a scaling type.
void read_rotary(const Section& root, ConfigSettings& settings);

/// Reads use_scaled_rope of Meta's params.json. The numbers of this scaling are in Meta's code.
void read_scaled_rope(const Section& root, ConfigSettings& settings);

/// Reads the key yarn of Mistral's params.json.
void read_mistral_yarn(const Section& root, ConfigSettings& settings);

}  // namespace pegen::encodings
