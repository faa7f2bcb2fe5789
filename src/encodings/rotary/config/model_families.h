#pragma once

#include <span>
#include <string_view>

namespace pegen::encodings {

/// What the code of a model family does that its configuration does not say.
struct ModelFamily {
    std::string_view model_types;        ///< of config.json, separated by spaces
    std::string_view pairing;            ///< "half" or "interleaved": how its code pairs channels
    std::string_view note;               ///< a common mistake with these models
    std::string_view defaults = "";      ///< settings of its code if config.json does not give them
    std::string_view sliding_base = "";  ///< default base of layers with a sliding window
    std::string_view global_head_dim = "";  ///< default head size of layers with full attention
    std::string_view rotated_layers = "";   ///< the only layer type with positions; "": all layers
    bool sliding_is_unscaled = false;       ///< scaling does not apply to sliding layers
    bool has_unrotated_numbers = false;     ///< some layers by number: see read_unrotated_layers()
    /// The layers to which rope_scaling applies, with an attention factor of 1, by the prefix of
    /// the key of their base, such as "compress". "" if no such prefix selects layers.
    std::string_view scaled_group = "";
    bool needs_rope_keys = false;  ///< its code scales, or has layers that differ, by default
};

/// Returns all families.
std::span<const ModelFamily> all_families();

/// Returns the family of this model type; nullptr if it is unknown.
const ModelFamily* find_family(std::string_view model_type);

}  // namespace pegen::encodings
