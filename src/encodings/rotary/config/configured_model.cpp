#include "encodings/rotary/config/configured_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "encodings/rotary/config/unrotated_models.h"

namespace pegen::encodings {
namespace {

bool has_heads(const Section& section) {
    constexpr std::array keys{"num_attention_heads", "n_head", "head_dim", "n_heads"};
    return std::ranges::any_of(keys, [&](const char* key) { return section.has(key); });
}

/// True if the section has keys about attention heads or rotary positions.
bool describes_heads(const Section& section) {
    return has_rotary_keys(section) || has_heads(section);
}

/// Adds the objects in the section, up to `depth` levels deep, that may be text models.
void add_models(const Section& section, int depth, std::vector<Section>& models) {
    for (const std::string& key : section.keys()) {
        const std::optional<Section> part = section.object_if_one(key);
        if (!part || !image_key(*part, part->text_if_one("model_type").value_or(key)).empty()) {
            continue;
        }
        if (has_heads(*part) && is_rotary(*part, part->text_if_one("model_type").value_or(""))) {
            models.push_back(*part);
        } else if (depth > 1) {
            add_models(*part, depth - 1, models);
        }
    }
}

/// Returns the section of the language model if the file describes several models; otherwise
/// `section`.
Section language_model(Section section) {
    for (const char* key : {"thinker_config", "text_config", "language_config", "llm_config"}) {
        const std::optional<Section> part = section.object(key, "hidden_size");
        if (!part) continue;
        const bool has_parts = part->has("text_config");
        if (has_parts || describes_heads(*part) || !describes_heads(section)) section = *part;
    }
    return section;
}

/// Returns the key that rope_parameters has for the group of this layer type.
std::string group_of(std::string_view model_type, std::string_view layer_type) {
    if (model_type != "deepseek_v4") return std::string(layer_type);
    if (layer_type == "sliding_attention") return "main";
    const bool is_compressed =
        layer_type == "compressed_sparse_attention" || layer_type == "heavily_compressed_attention";
    return is_compressed ? "compress" : std::string(layer_type);
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

std::string ConfiguredModel::type_of_layers() const {
    const std::optional<std::size_t> number = layer_number();
    if (!number) return layer_type;
    const std::vector<std::string> types = root.texts("layer_types");
    if (*number < types.size()) return types[*number];
    constexpr const char* key = "sliding_window_pattern";
    if (!types.empty() || !family || !root.has(key) || root.text_if_one(key)) return layer_type;
    const bool is_full = (*number + 1) % static_cast<std::size_t>(root.count(key).value()) == 0;
    return is_full ? "full_attention" : "sliding_attention";
}

std::optional<std::size_t> ConfiguredModel::layer_number() const {
    const bool is_number =
        !layer_type.empty() && layer_type.size() < 7 &&
        std::ranges::all_of(layer_type, [](char c) { return c >= '0' && c <= '9'; });
    return is_number ? std::optional(static_cast<std::size_t>(std::stoul(layer_type)))
                     : std::nullopt;
}

std::vector<ConfiguredModel> configured_models(const Section& file, std::string_view layer_type) {
    const Section language = language_model(file);
    const std::string of_file = file.text("model_type").value_or("");
    std::vector<Section> all, roots;
    add_models(file, 2, all);
    if (language.prefix.empty() && !has_heads(language)) roots = all;
    if (roots.empty()) roots.push_back(language);
    std::vector<std::string> others;
    for (const Section& part : all) {
        const auto is_read = [&](const Section& root) {
            return root.prefix.starts_with(part.prefix) || root.prefix.empty();
        };
        if (std::ranges::none_of(roots, is_read)) {
            others.push_back(part.prefix.substr(0, part.prefix.size() - 1));
        }
    }
    std::vector<ConfiguredModel> models;
    for (const Section& root : roots) {
        const std::string type = root.text("model_type").value_or(of_file);
        check_is_rotary(root, type);
        // If the file names no model type, only Meta's and Mistral's params.json have the key dim.
        const bool is_known = !type.empty() || root.has("dim");
        models.push_back({.file = file,
                          .others = others,
                          .root = root,
                          .type = type,
                          .family = is_known ? find_family(type) : nullptr,
                          .layer_type = group_of(type, layer_type)});
    }
    return models;
}

}  // namespace pegen::encodings
