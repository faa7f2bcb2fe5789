#include "encodings/rotary/config/configured_model.h"

#include <fmt/format.h>

#include "encodings/rotary/config/unrotated_models.h"

namespace pegen::encodings {
namespace {

/// Returns the part of the language model, if the file has one of several models.
Section language_model(Section section) {
    for (const char* key : {"thinker_config", "text_config", "language_config", "llm_config"}) {
        for (const char* heads : {"num_attention_heads", "n_head", "head_dim", "n_heads"}) {
            if (section.has(heads)) return section;
        }
        if (const auto nested = section.object(key)) section = *nested;
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
    const std::string type = root.word("model_type");
    check_is_rotary(root, type);
    // Of what names no model, only Meta's and Mistral's params.json have this key.
    const bool is_known = !type.empty() || root.has("dim");
    return {.root = root,
            .type = type,
            .family = is_known ? find_family(type) : nullptr,
            .layer_type = std::string(layer_type)};
}

}  // namespace pegen::encodings
