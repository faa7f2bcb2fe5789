#pragma once

#include "encodings/rotary/config/settings.h"

// The parts of a configuration that say what changes the frequencies for longer contexts.
namespace pegen::encodings {

/// Returns this program's name of the scaling type that a block gives; "none" if it gives none.
/// Throws: FormatError if the type is not known.
std::string scaling_type(const Section& block);

/// Reads rope_scaling, or rope_parameters, which have the base, too.
/// Throws: FormatError for what is contradictory, unknown or missing, with the key.
void read_scaling(const Section& block, ConfigSettings& settings);

/// Changes what was read of `type: ntk` to what the code of Alibaba's GTE makes of it: the base
/// times the factor f, and all frequencies divided by f^(2/d).
void read_gte_ntk(const Section& block, ConfigSettings& settings);

/// Reads rotary of InternLM's first models: the base and a scaling type.
void read_rotary(const Section& root, ConfigSettings& settings);

/// Reads use_scaled_rope of Meta's params.json, whose numbers stand in Meta's code.
void read_scaled_rope(const Section& root, ConfigSettings& settings);

/// Reads yarn of Mistral's params.json.
void read_mistral_yarn(const Section& root, ConfigSettings& settings);

}  // namespace pegen::encodings
