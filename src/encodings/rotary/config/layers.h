#pragma once

#include <optional>
#include <string>

#include "encodings/rotary/config/configured_model.h"

// Layers of one model that differ in their rotary positions.
namespace pegen::encodings {

/// What a configuration says of the rotary positions of some layers.
struct RopeBlock {
    std::optional<Section> section;  ///< rope_parameters, rope_scaling, or one of several in them
    bool is_of_layers = false;       ///< of the layer type that was asked for
};

/// Returns what the layers that were asked for have. Throws: FormatError for contradictions, and if
/// one of several must be chosen by --layer-type.
RopeBlock rope_block(const ConfiguredModel& model, ConfigSettings& settings);

/// Takes the value of a key, which may be one number, or one for each layer: a list, or an object
/// by layer type. Of several, --layer-type chooses. Throws: FormatError if it chooses none, with
/// the choices.
void take_of_layers(const ConfiguredModel& model, std::string_view key, std::string_view parameter,
                    ConfigSettings& settings);

/// Applies what the layers that were asked for have for themselves, besides their block. Returns
/// what is to be known of the other layers, or "". Throws: FormatError if there are none of that
/// type.
std::string read_layers(const ConfiguredModel& model, const RopeBlock& block,
                        ConfigSettings& settings);

}  // namespace pegen::encodings
