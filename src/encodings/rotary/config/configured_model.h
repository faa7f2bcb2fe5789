#pragma once

#include <string>
#include <string_view>

#include "encodings/rotary/config/model_families.h"
#include "encodings/rotary/config/settings.h"

namespace pegen::encodings {

/// The model that a configuration is of, and the layers that are asked for.
struct ConfiguredModel {
    Section file;
    Section root;                         ///< what the file says of the language model
    std::string type;                     ///< model_type; "" if there is none
    const ModelFamily* family = nullptr;  ///< nullptr if it is not known
    std::string layer_type;               ///< "" if the user chose none

    bool has_full_layers() const { return layer_type == "full_attention"; }
    bool has_sliding_layers() const { return layer_type == "sliding_attention"; }

    /// Returns a setting of the model's code for which the file is silent.
    ConfigSetting default_of(std::string_view parameter, std::string_view text) const;
};

/// Throws: FormatError if the model has no rotary positions, with what it has instead, or is not
/// known to have them.
ConfiguredModel configured_model(const Section& file, std::string_view layer_type);

}  // namespace pegen::encodings
