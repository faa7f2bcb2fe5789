#pragma once

#include <string>

#include "core/parameters.h"
#include "encodings/encoding.h"
#include "encodings/rotary/config/model_config.h"

// Reports of what a model's configuration did to the parameters of rope, as text.
namespace pegen::encodings {

/// Returns one line: the values taken from the configuration, those that the user's options
/// replaced, and the keys without effect. `resolved` has the parameters of all settings.
std::string sources(const ModelConfig& config, const Parameters& resolved);

/// Returns one line: the values taken from the configuration, by its own keys, the values that the
/// user's options replaced, and the keys without effect on the `resolved` parameters.
std::string summary(const ModelConfig& config, const Parameters& resolved);

/// Returns the summary for `pe-gen describe`, with the notes on the family of models.
FileDescription description(const ModelConfig& config, const Parameters& resolved);

}  // namespace pegen::encodings
