#pragma once

#include <string>

#include "core/parameters.h"
#include "encodings/file_description.h"
#include "encodings/rotary/config/model_config.h"

// What a model's configuration did to the parameters of rope, in words.
namespace pegen::encodings {

/// Returns one line: what was taken from the configuration, by its own keys, what the user's
/// options replaced, and what has no effect on `resolved` parameters.
std::string summary(const ModelConfig& config, const Parameters& resolved);

/// Returns the same for `pe-gen describe`, with what is to be known of the family of models.
FileDescription description(const ModelConfig& config, const Parameters& resolved);

}  // namespace pegen::encodings
