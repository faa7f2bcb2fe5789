#pragma once

#include <optional>
#include <string>

#include "encodings/rotary/config/configured_model.h"

// The rotary positions of models whose layers differ in them.
namespace pegen::encodings {

/// The part of a configuration that describes the rotary positions of some layers.
struct RopeBlock {
    std::optional<Section> section;  ///< rope_parameters, rope_scaling, or an object in them
    bool is_of_layers = false;       ///< the part is for the requested layer type alone
};

/// Returns the part for the requested layers. Throws: FormatError for contradictions, and if there
/// are several parts and --layer-type does not choose one.
RopeBlock rope_block(const ConfiguredModel& model, ConfigSettings& settings);

/// Takes the value of a key, which is one number, a list with a number for each layer, or an object
/// with a number for each layer type. --layer-type chooses among several numbers. Throws:
/// FormatError, naming the choices, if --layer-type chooses none.
void take_of_layers(const ConfiguredModel& model, std::string_view key, std::string_view parameter,
                    ConfigSettings& settings);

/// Applies the settings of the requested layers that are outside their block. Returns a note on the
/// other layers, or "". Throws: FormatError if the model has no layers of the requested type.
std::string read_layers(const ConfiguredModel& model, const RopeBlock& block,
                        ConfigSettings& settings);

}  // namespace pegen::encodings
