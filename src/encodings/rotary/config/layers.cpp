#include "encodings/rotary/config/layers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/error.h"

namespace pegen::encodings {
namespace {

/// Keys of the base that layers with a sliding window have for themselves.
constexpr std::array sliding_base_keys{"rope_local_base_freq", "local_rope_theta"};

/// Returns the layer types that have an object each in rope_parameters; none if it is one itself.
std::vector<std::string> layer_types_in(const Section& parameters) {
    std::vector<std::string> types;
    bool has_values = false, has_attention = false;
    for (const std::string& key : parameters.keys()) {
        if (parameters.object_if_one(key)) {
            types.push_back(key);
            has_attention = has_attention || key.ends_with("attention");
        } else {
            has_values = has_values || parameters.has(key);
        }
    }
    return has_attention || !has_values ? types : std::vector<std::string>{};
}

[[noreturn]] void refuse_unrotated(const ConfiguredModel& model, std::string_view key) {
    model.root.refuse(key,
                      fmt::format("layers of type {} have no rotary positions", model.layer_type));
}

RopeBlock block_of_layers(const ConfiguredModel& model, const Section& parameters,
                          const std::vector<std::string>& types) {
    const std::string choices = fmt::format("{}", fmt::join(types, ", "));
    if (model.layer_type.empty()) {
        const bool is_same = std::ranges::all_of(types, [&](const std::string& type) {
            return parameters.has_same(type, parameters, types.front());
        });
        if (is_same && types.size() == parameters.keys().size()) {
            return {parameters.object(types.front())};
        }
        model.root.refuse(
            "rope_parameters",
            fmt::format("is for each layer type; choose one with --layer-type: {}", choices));
    }
    if (parameters.is_null(model.layer_type)) refuse_unrotated(model, "rope_parameters");
    if (const auto block = parameters.object_if_one(model.layer_type)) return {block, true};
    model.root.refuse("rope_parameters",
                      fmt::format("has no layer type {}; it has {}", model.layer_type, choices));
}

/// Applies the base that layers with a sliding window have by a key of its own. Returns true if the
/// file has such a key.
bool read_sliding_base(const ConfiguredModel& model, ConfigSettings& settings) {
    const Section& root = model.root;
    const bool has_one_base = root.is_null("local_rope_theta");
    if (!model.has_sliding_layers() || has_one_base) {
        settings.take_instead(root, "global_rope_theta", "base");
    }
    bool is_there = false;
    for (const char* key : sliding_base_keys) {
        if (!root.has(key)) continue;
        is_there = true;
        if (model.has_sliding_layers()) {
            settings.ignore_setting("scaling", ", of --layer-type full_attention");
            settings.take_instead(root, key, "base");
        } else {
            settings.ignore(root, key, ", of --layer-type sliding_attention");
        }
    }
    return is_there;
}

/// Applies what layers with a sliding window have by the model's code.
void apply_sliding_defaults(const ConfiguredModel& model, ConfigSettings& settings) {
    settings.ignore_setting("scaling", ", of --layer-type full_attention");
    const bool has_one_base = model.root.is_null("local_rope_theta");
    if (model.family->sliding_base.empty() || has_one_base) return;
    settings.set(model.default_of("base", model.family->sliding_base));
}

/// Returns the one layer type with rotary positions; "" if all have them.
std::string_view rotated_layers(const ConfiguredModel& model) {
    const bool has_no_window = model.root.is_null("sliding_window");
    return model.family && !has_no_window ? model.family->rotated_layers : "";
}

bool has_plain_sliding_layers(const ConfiguredModel& model) {
    return model.family && model.family->sliding_is_unscaled;
}

/// Throws: FormatError if it is not known which positions layers of the type have.
void check_layer_type(const ConfiguredModel& model) {
    const Section& root = model.root;
    const bool is_usual = model.has_full_layers() || model.has_sliding_layers();
    const bool is_of_family =
        (is_usual && has_plain_sliding_layers(model)) || model.layer_type == rotated_layers(model);
    if (!root.has("layer_types") && !is_of_family) {
        throw FormatError(
            root.path,
            fmt::format("has no layer types, and --layer-type {} was given", model.layer_type));
    }
    if (root.has("layer_types") && !root.lists("layer_types", model.layer_type)) {
        root.refuse("layer_types", fmt::format("there is no {}", model.layer_type));
    }
    if (!model.family) {
        root.refuse("layer_types",
                    "which of them have which positions is not known for this model");
    }
}

}  // namespace

RopeBlock rope_block(const ConfiguredModel& model) {
    const auto old = model.root.object("rope_scaling"), now = model.root.object("rope_parameters");
    if (now && old) {
        for (const std::string& key : old->keys()) {
            if (key == "type" || !now->has(key) || now->has_same(key, *old, key)) continue;
            model.root.refuse("rope_parameters",
                              fmt::format("{} contradicts rope_scaling; remove one of them", key));
        }
    }
    const std::vector<std::string> types = now ? layer_types_in(*now) : std::vector<std::string>{};
    if (!types.empty()) return block_of_layers(model, *now, types);
    if (model.family && !model.family->global_head_dim.empty()) {
        model.root.refuse("rope_parameters",
                          "needs an object for each layer type, full_attention and "
                          "sliding_attention");
    }
    return {now ? now : old};
}

std::string read_layers(const ConfiguredModel& model, const RopeBlock& block,
                        ConfigSettings& settings) {
    const bool has_own_base = read_sliding_base(model, settings);
    const std::string_view rotated = rotated_layers(model);
    if (model.has_full_layers() && !rotated.empty()) refuse_unrotated(model, "layer_types");
    const bool is_usual = model.has_full_layers() || model.has_sliding_layers();
    const bool is_settled = block.is_of_layers || (has_own_base && is_usual);
    if (!model.layer_type.empty() && !is_settled) check_layer_type(model);
    if (block.is_of_layers || has_own_base) return "";
    if (model.has_sliding_layers() && has_plain_sliding_layers(model)) {
        apply_sliding_defaults(model, settings);
    }
    if (model.layer_type.empty() && !rotated.empty()) {
        return fmt::format("only layers of type {} have rotary positions", rotated);
    }
    if (model.family && model.root.has("no_rope_layers")) {
        settings.mark(model.root, "no_rope_layers");
        return "layers with a 0 in no_rope_layers have no rotary positions";
    }
    if (!model.layer_type.empty()) return "";
    const bool differ = has_plain_sliding_layers(model) &&
                        (settings.find("scaling") || !model.family->sliding_base.empty());
    return differ ? "layers with a sliding window differ: --layer-type sliding_attention" : "";
}

}  // namespace pegen::encodings
