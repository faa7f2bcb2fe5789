#pragma once

#include <string_view>

namespace pegen::encodings {

/// What the code of a family of models does that its configuration does not say.
struct ModelFamily {
    std::string_view model_types;        ///< of config.json, separated by spaces
    std::string_view pairing;            ///< "half" or "interleaved": how its code pairs channels
    std::string_view note;               ///< what people get wrong
    std::string_view defaults = "";      ///< settings its code has if config.json is silent
    std::string_view sliding_base = "";  ///< likewise, of layers with a sliding window
    std::string_view global_head_dim = "";  ///< likewise, the size of a head with full attention
    std::string_view rotated_layers = "";   ///< the one layer type with positions; "": all have
    bool sliding_is_unscaled = false;       ///< layers with a sliding window have no scaling
    bool has_unrotated_numbers = false;     ///< every fourth layer or as no_rope_layers says
    /// The layers that rope_scaling is of, with an attention factor of 1, by the word before the
    /// key of their base; "": it is not of single layers by such a word.
    std::string_view scaled_group = "";
    bool needs_rope_keys = false;  ///< its code scales, or has layers that differ, if it is silent
};

/// Returns nullptr if the family is not known.
const ModelFamily* find_family(std::string_view model_type);

}  // namespace pegen::encodings
