#include "encodings/rotary/config/configured_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "encodings/rotary/config/unrotated_models.h"

namespace pegen::encodings {
namespace {

/// True if the section speaks of heads or of rotary positions.
bool describes_heads(const Section& section) {
    constexpr std::array keys{"num_attention_heads", "n_head", "head_dim", "n_heads"};
    return has_rotary_keys(section) ||
           std::ranges::any_of(keys, [&](const char* key) { return section.has(key); });
}

/// Returns the part of the language model, if the file has one of several models.
Section language_model(Section section) {
    for (const char* key : {"thinker_config", "text_config", "language_config", "llm_config"}) {
        const std::optional<Section> part = section.object(key, "hidden_size");
        if (!part) continue;
        const bool has_parts = part->has("text_config");
        if (has_parts || describes_heads(*part) || !describes_heads(section)) section = *part;
    }
    return section;
}

}  // namespace

ConfigSetting ConfiguredModel::default_of(std::string_view parameter, std::string_view text) const {
    const std::string nameless = root.has("hidden_dim") ? "Mistral's code" : "Meta's code";
    return {.parameter = std::string(parameter),
            .text = std::string(text),
            .source = fmt::format("default of {}: {} {}", type.empty() ? nameless : type, parameter,
                                  text),
            .is_default = true};
}

ConfiguredModel configured_model(const Section& file, std::string_view layer_type) {
    const Section root = language_model(file);
    const std::string of_file = file.text("model_type").value_or("");
    const std::string type = root.text("model_type").value_or(of_file);
    check_is_rotary(root, type);
    // Of what names no model, only Meta's and Mistral's params.json have this key.
    const bool is_known = !type.empty() || root.has("dim");
    return {.file = file,
            .root = root,
            .type = type,
            .family = is_known ? find_family(type) : nullptr,
            .layer_type = std::string(layer_type)};
}

}  // namespace pegen::encodings
