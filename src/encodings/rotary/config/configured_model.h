#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "encodings/rotary/config/model_families.h"
#include "encodings/rotary/config/settings.h"

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

}  // namespace pegen::encodings
