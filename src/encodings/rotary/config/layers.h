#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/rotary/config/model_families.h"
#include "encodings/rotary/config/section.h"

namespace pegen::encodings {

/// The model that a configuration describes, and the layers that the user requested.
struct ConfiguredModel {
    Section file;
    std::vector<std::string> others;      ///< places of other rotary models, which are not read
    Section root;                         ///< the section of the language model
    std::string type;                     ///< model_type; "" if there is none
    const ModelFamily* family = nullptr;  ///< nullptr if the family is unknown
    std::string layer_type;               ///< "" if the user gave none

    bool has_full_layers() const { return type_of_layers() == "full_attention"; }
    bool has_sliding_layers() const { return type_of_layers() == "sliding_attention"; }
    /// Returns the layer type. For a layer requested by number, returns the type that layer_types
    /// or sliding_window_pattern gives to it.
    std::string type_of_layers() const;
    /// Returns the index of the requested layer; nothing if the layer type is a name.
    std::optional<std::size_t> layer_number() const;

    /// Returns a setting with the default of the model's code, for a parameter that the file does
    /// not give.
    ConfigSetting default_of(std::string_view parameter, std::string_view text) const;
};

/// Returns the language model of the configuration. Returns several models if the file has them in
/// objects of any name and none is known to be the language model. Throws: FormatError if no model
/// has rotary positions, naming the positions it has instead, or if none is known to have them.
std::vector<ConfiguredModel> configured_models(const Section& file, std::string_view layer_type);

// The rotary positions of models whose layers differ in them.

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
