#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "encodings/rotary/config/model_families.h"
#include "encodings/rotary/config/settings.h"

namespace pegen::encodings {

/// The model that a configuration is of, and the layers that are asked for.
struct ConfiguredModel {
    Section file;
    std::vector<std::string> others;      ///< places of other rotary models, which are not read
    Section root;                         ///< what the file says of the language model
    std::string type;                     ///< model_type; "" if there is none
    const ModelFamily* family = nullptr;  ///< nullptr if it is not known
    std::string layer_type;               ///< "" if the user chose none

    bool has_full_layers() const { return type_of_layers() == "full_attention"; }
    bool has_sliding_layers() const { return type_of_layers() == "sliding_attention"; }
    /// Returns the layer type; if a layer is asked for by its number, the one that layer_types or
    /// sliding_window_pattern gives it.
    std::string type_of_layers() const;
    /// Returns the index of the layer that is asked for; nothing if the layer type is a name.
    std::optional<std::size_t> layer_number() const;

    /// Returns a setting of the model's code for which the file is silent.
    ConfigSetting default_of(std::string_view parameter, std::string_view text) const;
};

/// Returns the model that speaks, or several if the file has them in objects of any name and none
/// of them is known to be the language model. Throws: FormatError if there is none with rotary
/// positions, with what it has instead, or if none is known to have them.
std::vector<ConfiguredModel> configured_models(const Section& file, std::string_view layer_type);

}  // namespace pegen::encodings
