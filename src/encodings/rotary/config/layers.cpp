#include "encodings/rotary/config/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/rotary/config/scaling.h"
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

namespace {

/// The keys for the base of layers with a sliding window.
constexpr std::array sliding_base_keys{"rope_local_base_freq", "local_rope_theta"};

/// Returns the layer types that have an object of their own in rope_parameters; nothing if
/// rope_parameters is a single object for all layers.
std::vector<std::string> layer_types_in(const Section& parameters) {
    std::vector<std::string> types;
    for (const std::string& key : parameters.keys()) {
        if (parameters.object_if_one(key)) types.push_back(key);
    }
    return types;
}

[[noreturn]] void refuse_open(const Section& section, std::string_view key,
                              std::string_view failure, const std::vector<std::string>& choices) {
    section.refuse(key,
                   fmt::format("{}; choose with --layer-type: {}", failure, joined(choices, ", ")));
}

[[noreturn]] void refuse_unrotated(const ConfiguredModel& model, std::string_view key) {
    model.root.refuse(
        key, model.layer_number()
                 ? fmt::format("layer {} has no rotary positions", model.layer_type)
                 : fmt::format("layers of type {} have no rotary positions", model.layer_type));
}

RopeBlock block_of_layers(const ConfiguredModel& model, std::string_view name,
                          const Section& parameters, const std::vector<std::string>& types) {
    const std::string choices = joined(types, ", ");
    if (model.layer_type.empty()) {
        const bool is_same = std::ranges::all_of(types, [&](const std::string& type) {
            return parameters.has_same(type, parameters, types.front());
        });
        if (is_same && types.size() == parameters.keys().size()) {
            return {parameters.object(types.front())};
        }
        model.root.refuse(
            name, fmt::format("is for each layer type; choose one with --layer-type: {}", choices));
    }
    const std::string type = model.type_of_layers();
    if (parameters.is_null(type)) refuse_unrotated(model, name);
    if (const auto block = parameters.object_if_one(type)) return {block, true};
    model.root.refuse(name,
                      fmt::format("has no layer type {}; it has {}", model.layer_type, choices));
}

bool has_plain_sliding_layers(const ConfiguredModel& model) {
    return model.family && model.family->sliding_is_unscaled;
}

double base_in(const ConfigSettings& settings) {
    const ConfigSetting* base = settings.find("base");
    return base ? parse_real(base->text, "") : 10000;
}

void set_of_layers(const ConfiguredModel& model, std::string_view key, std::string_view parameter,
                   const std::string& value, ConfigSettings& settings) {
    if (parameter == "base" && value == "0") refuse_unrotated(model, key);
    settings.mark(model.root, key);
    settings.choose_layers();
    settings.set({.parameter = std::string(parameter),
                  .text = value,
                  .source = fmt::format("{} {}, of --layer-type {}", model.root.place(key), value,
                                        model.layer_type)});
}

/// Checks that a list with an entry for each of `count` layers has layer `number`. Throws:
/// FormatError.
void check_listed(const ConfiguredModel& model, std::string_view key, std::size_t number,
                  std::size_t count) {
    if (number < count) return;
    model.root.refuse(key, fmt::format("has the layers 0 to {}, and --layer-type {} was given",
                                       count - 1, model.layer_type));
}

/// Takes the value of the requested layers from a list with a number for each layer.
void take_from_list(const ConfiguredModel& model, std::string_view key, std::string_view parameter,
                    ConfigSettings& settings) {
    const std::vector<std::string> values = model.root.items(key);
    std::vector<std::string> types = model.root.texts("layer_types");
    if (const auto number = model.layer_number()) {
        check_listed(model, key, *number, values.size());
        return set_of_layers(model, key, parameter, values[*number], settings);
    }
    std::set<std::string> of_type;
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i] == model.layer_type) of_type.insert(values[i]);
    }
    if (of_type.size() == 1) {
        return set_of_layers(model, key, parameter, *of_type.begin(), settings);
    }
    const std::string numbers = fmt::format("the number of a layer, 0 to {}", values.size() - 1);
    std::set<std::string> names(types.begin(), types.end());
    std::vector<std::string> choices(names.begin(), names.end());
    if (!of_type.empty()) choices.clear();
    choices.push_back(numbers);
    refuse_open(model.root, key, "differs between layers", choices);
}

/// A base with a key of its own, for some of the layers.
struct LayerBase {
    std::string key;
    std::string prefix;  ///< the prefix of the key: "swa_"
    std::string layers;  ///< the layer type of these layers
};

/// Returns the bases that apply to some layers only, recognized by the prefixes of their keys.
std::vector<LayerBase> layer_bases(const Section& root) {
    constexpr std::array ends{"rope_theta", "rope_base", "rotary_base", "rotary_emb_base",
                              "rope_base_freq"};
    constexpr std::string_view sliding = "swa sliding sliding_window window local rope_local";
    constexpr std::string_view full = "full global full_attention";
    // Prefixes of towers and heads beside the text layers, of lists, and of keys that other
    // functions read.
    constexpr std::string_view others =
        "vision visual image video audio speech memory_attention index indexer mtp layer layers "
        "local global rope_local";
    std::vector<LayerBase> result;
    for (const std::string& key : root.keys()) {
        for (const std::string_view end : ends) {
            if (!key.ends_with(fmt::format("_{}", end)) || !root.has(key) || root.is_list(key)) {
                continue;
            }
            const std::string prefix = key.substr(0, key.size() - end.size() - 1);
            const auto is_in = [&](std::string_view list) { return has_word(list, prefix); };
            if (is_in(others)) break;
            const std::string layers = is_in(sliding) ? "sliding_attention"
                                       : is_in(full)  ? "full_attention"
                                                      : prefix;
            result.push_back({key, prefix + "_", layers});
            break;
        }
    }
    return result;
}

/// Returns the layer type of the layers without a base of their own.
std::string layers_without(const std::vector<LayerBase>& bases) {
    const std::string& first = bases.front().layers;
    if (first == "sliding_attention") return "full_attention";
    if (first == "full_attention") return "sliding_attention";
    return "main";
}

/// Returns the layer group to which the model's code applies rope_scaling; "" if it has none.
std::string_view scaled_group(const ConfiguredModel& model) {
    return model.family ? model.family->scaled_group : "";
}

/// Drops the scaling unless it is known to apply to the layers. Throws: FormatError if it is not
/// known to which layers of this model it applies.
void check_scaling_of(const ConfiguredModel& model, const std::string& layers,
                      ConfigSettings& settings) {
    const std::string_view scaled = scaled_group(model);
    if (!settings.find("scaling") || scaled == layers) return;
    if (!scaled.empty()) {
        settings.ignore_setting("scaling", fmt::format(", of --layer-type {}", scaled));
    } else if (has_plain_sliding_layers(model)) {
        if (layers == "sliding_attention") {
            settings.ignore_setting("scaling", ", of --layer-type full_attention");
        }
    } else {
        model.root.refuse("rope_scaling",
                          "which layers it is of is not known for this model; give rope_parameters "
                          "with an object for each layer type");
    }
}

/// Applies the base that has a key of its own for the requested layers. Throws: FormatError if
/// --layer-type does not settle which layers are requested.
void read_layer_bases(const ConfiguredModel& model, ConfigSettings& settings) {
    const Section& root = model.root;
    const std::vector<LayerBase> bases = layer_bases(root);
    if (bases.empty()) return;
    const bool is_one = std::ranges::all_of(
        bases, [&](const LayerBase& own) { return root.number(own.key) == base_in(settings); });
    const std::string rest = layers_without(bases);
    std::vector<std::string> choices{rest};
    for (const LayerBase& own : bases) choices.push_back(own.layers);
    if (is_one && !settings.find("scaling")) {
        for (const LayerBase& own : bases) settings.mark(root, own.key);
        if (std::ranges::find(choices, model.layer_type) != choices.end()) settings.choose_layers();
        return;
    }
    if (model.layer_type.empty()) {
        refuse_open(root, bases.front().key, "is the base of some layers only", choices);
    }
    const auto own = std::ranges::find(bases, model.layer_type, &LayerBase::layers);
    if (own == bases.end() && model.layer_type != rest) {
        refuse_open(root, bases.front().key,
                    fmt::format("there is no layer type {}", model.layer_type), choices);
    }
    check_scaling_of(model, model.layer_type, settings);
    settings.choose_layers();
    for (const LayerBase& other : bases) {
        if (other.layers != model.layer_type) {
            settings.ignore(root, other.key, fmt::format(", of --layer-type {}", other.layers));
        }
        for (const auto& [key, parameter] :
             {std::pair{"head_dim", "d"}, {"partial_rotary_factor", "partial-rotary-factor"}}) {
            const std::string name = other.prefix + key;
            if (other.layers == model.layer_type) {
                settings.take_instead(root, name, parameter);
            } else {
                settings.mark(root, name);
            }
        }
    }
    if (own == bases.end()) return;
    settings.take_instead(root, own->key, "base");
    const ConfigSetting* scaling = settings.find("scaling");
    if (own->layers == scaled_group(model) && scaling && scaling->text == "yarn" &&
        !settings.find("attention-factor")) {
        settings.set(model.default_of("attention-factor", "1"));
    }
}

/// Drops the scaling for layers whose type yarn_only_types does not list.
void read_scaled_types(const ConfiguredModel& model, ConfigSettings& settings) {
    constexpr const char* key = "yarn_only_types";
    if (!model.root.is_list(key)) return;
    settings.mark(model.root, key);
    if (!settings.find("scaling")) return;
    if (model.layer_type.empty()) {
        refuse_open(model.root, key, "only some layers are scaled",
                    {"full_attention", "sliding_attention"});
    }
    settings.choose_layers();
    if (!model.root.lists(key, model.type_of_layers())) {
        settings.ignore_setting("scaling", ", which yarn_only_types has for other layers");
    }
}

/// Applies the base for layers with a sliding window if it has a key of its own. Returns true if
/// the file has such a key.
bool read_sliding_base(const ConfiguredModel& model, ConfigSettings& settings) {
    const Section& root = model.root;
    const bool has_one_base = root.is_null("local_rope_theta");
    if (!model.has_sliding_layers() || has_one_base) {
        settings.take_instead(root, "global_rope_theta", "base");
    } else if (root.has("global_rope_theta")) {
        settings.ignore(root, "global_rope_theta", ", of --layer-type full_attention");
    }
    bool is_there = false;
    for (const char* key : sliding_base_keys) {
        if (!root.has(key)) continue;
        is_there = true;
        if (!has_plain_sliding_layers(model)) {
            const bool differs = root.number(key) != base_in(settings);
            if (model.layer_type.empty() && differs) {
                refuse_open(root, key, "is the base of some layers only",
                            {"full_attention", "sliding_attention"});
            }
            if (!model.layer_type.empty()) check_scaling_of(model, model.layer_type, settings);
        }
        if (model.has_sliding_layers()) {
            settings.ignore_setting("scaling", ", of --layer-type full_attention");
            settings.take_instead(root, key, "base");
        } else {
            settings.ignore(root, key, ", of --layer-type sliding_attention");
        }
    }
    return is_there;
}

/// Applies the settings that the model's code has for layers with a sliding window.
void apply_sliding_defaults(const ConfiguredModel& model, ConfigSettings& settings) {
    settings.ignore_setting("scaling", ", of --layer-type full_attention");
    const bool has_one_base = model.root.is_null("local_rope_theta");
    if (model.family->sliding_base.empty() || has_one_base) return;
    settings.set(model.default_of("base", model.family->sliding_base));
}

/// Returns the only layer type with rotary positions; "" if all layers have them.
std::string_view rotated_layers(const ConfiguredModel& model) {
    // EXAONE 4 rotates all layers if it has no window; other models decide by the layer type alone.
    const bool has_no_window =
        model.type.starts_with("exaone") && model.root.is_null("sliding_window");
    return model.family && !has_no_window ? model.family->rotated_layers : "";
}

/// Reads which layers have no rotary positions by their number, as in SmolLM3 and Llama 4. Returns
/// true if the model has such layers. Throws: FormatError if the requested layer, or every layer,
/// has no rotary positions.
bool read_unrotated_layers(const ConfiguredModel& model, ConfigSettings& settings) {
    constexpr const char* key = "no_rope_layers";
    constexpr const char* interval_key = "no_rope_layer_interval";
    const Section& root = model.root;
    if (!model.family || !model.family->has_unrotated_numbers) return false;
    settings.mark(root, key);
    settings.mark(root, interval_key);
    const std::vector<std::string> rotates = root.items(key);
    if (!rotates.empty() && std::ranges::count(rotates, "0") == std::ssize(rotates)) {
        root.refuse(key, "is 0 for every layer: the model has no rotary positions");
    }
    const std::optional<std::int64_t> interval = root.count(interval_key);
    if (rotates.empty() && interval == 1) {
        root.refuse(interval_key, "1: the model has no rotary positions");
    }
    const std::optional<std::size_t> number = model.layer_number();
    if (!number) return true;
    if (!rotates.empty()) check_listed(model, key, *number, rotates.size());
    const std::size_t period = static_cast<std::size_t>(interval.value_or(4));
    const bool turns = rotates.empty() ? (*number + 1) % period != 0 : rotates[*number] != "0";
    if (!turns) refuse_unrotated(model, rotates.empty() ? interval_key : key);
    settings.choose_layers();
    return true;
}

/// Checks that the model has a layer of the requested number. Throws: FormatError.
void check_layer_number(const ConfiguredModel& model) {
    const std::optional<std::size_t> number = model.layer_number();
    for (const char* key : {"num_hidden_layers", "n_layer", "num_layers"}) {
        if (!number || !model.root.has(key)) continue;
        const std::int64_t count = model.root.count(key).value();
        if (*number < static_cast<std::size_t>(count)) continue;
        model.root.refuse(key, fmt::format("the layers are 0 to {}, and --layer-type {} was given",
                                           count - 1, model.layer_type));
    }
}

/// Checks that the positions of the requested layer type are known. Throws: FormatError.
void check_layer_type(const ConfiguredModel& model) {
    const Section& root = model.root;
    const bool is_usual = model.has_full_layers() || model.has_sliding_layers();
    const bool is_of_family = (is_usual && has_plain_sliding_layers(model)) ||
                              model.type_of_layers() == rotated_layers(model);
    if (!root.has("layer_types") && !is_of_family) {
        throw FormatError(
            root.path,
            model.layer_number()
                ? fmt::format("does not say of what type layer {} is; give --layer-type "
                              "full_attention or sliding_attention, or no layer if all are the "
                              "same",
                              model.layer_type)
                : fmt::format("has no layer types, and --layer-type {} was given",
                              model.layer_type));
    }
    if (root.has("layer_types") && !root.lists("layer_types", model.type_of_layers())) {
        root.refuse("layer_types", fmt::format("there is no {}", model.layer_type));
    }
    if (!model.family) {
        root.refuse("layer_types",
                    "which of them have which positions is not known for this model");
    }
}

/// Checks the keys for the base of some layers against the objects of these layers in
/// rope_parameters, which the models' code prefers. Throws: FormatError for a contradiction.
void check_layer_bases(const ConfiguredModel& model, const Section& parameters) {
    std::vector<LayerBase> bases = layer_bases(model.root);
    for (const char* key : sliding_base_keys) bases.push_back({key, "", "sliding_attention"});
    bases.push_back({"global_rope_theta", "", "full_attention"});
    for (const LayerBase& own : bases) {
        const std::optional<Section> block = parameters.object_if_one(own.layers);
        if (!block || !block->has("rope_theta") || !model.root.has(own.key)) continue;
        if (block->has_same("rope_theta", model.root, own.key)) continue;
        model.root.refuse(
            own.key, fmt::format("{} contradicts {} {}; remove one of them",
                                 model.root.numbers(own.key).value(), block->place("rope_theta"),
                                 block->numbers("rope_theta").value()));
    }
}

/// Checks that rope_parameters does not contradict rope_scaling. If rope_parameters has an object
/// for each layer type, rope_scaling applies to the layers with full attention, as in Transformers.
/// Throws: FormatError.
void check_same_blocks(const ConfiguredModel& model, const Section& parameters,
                       const Section& scaling, ConfigSettings& settings) {
    const auto refuse = [&](const std::string& what) {
        model.root.refuse("rope_parameters",
                          fmt::format("{} contradicts rope_scaling; remove one of them", what));
    };
    if (std::ranges::none_of(scaling.keys(), [&](const auto& key) { return scaling.has(key); })) {
        return;
    }
    std::optional<Section> block = parameters;
    if (layer_types_in(scaling).empty() && !layer_types_in(parameters).empty()) {
        block = parameters.object_if_one("full_attention");
        if (!block) refuse("for each layer type");
    }
    for (const std::string& key : scaling.keys()) {
        if (key == "type" || key == "rope_type" || !scaling.has(key)) continue;
        if (block->has(key)) {
            if (!block->has_same(key, scaling, key)) refuse(key);
        } else if (scaling.object_if_one(key)) {
            refuse(fmt::format("without {}", key));
        } else {
            settings.ignore(scaling, key,
                            fmt::format(", since {} has no {}",
                                        block->prefix.substr(0, block->prefix.size() - 1), key));
        }
    }
    const std::string now = scaling_type(*block), old = scaling_type(scaling);
    if (now != old) {
        refuse(fmt::format("rope_type {}", now == "none" ? "default" : now));
    }
}

}  // namespace

RopeBlock rope_block(const ConfiguredModel& model, ConfigSettings& settings) {
    const auto old = model.root.object("rope_scaling"), now = model.root.object("rope_parameters");
    if (now) check_layer_bases(model, *now);
    if (now && old) check_same_blocks(model, *now, *old, settings);
    for (const auto& [name, block] : {std::pair{"rope_parameters", now}, {"rope_scaling", old}}) {
        const std::vector<std::string> types =
            block ? layer_types_in(*block) : std::vector<std::string>{};
        if (types.empty()) continue;
        const RopeBlock chosen = block_of_layers(model, name, *block, types);
        const bool is_base_of_others =
            std::ranges::any_of(types, [&, own = *block](const std::string& type) {
                return own.object(type)->has_same("rope_theta", model.root, "rope_theta");
            });
        if (chosen.is_of_layers && is_base_of_others) {
            settings.take_instead(*chosen.section, "rope_theta", "base");
        }
        return chosen;
    }
    const std::string group_base = fmt::format("{}_rope_theta", scaled_group(model));
    if (!scaled_group(model).empty() && !model.root.has(group_base)) {
        model.root.refuse(
            group_base,
            "is missing: layers with compressed keys have a base of their own, 160000 "
            "in the released models");
    }
    const bool is_silent = !now && !old && !model.root.has("rope_theta");
    if (is_silent && model.family && model.family->needs_rope_keys) {
        model.root.refuse("rope_parameters",
                          "is missing, and the code of this model has more than a base then; add "
                          "what it has");
    }
    if (model.family && !model.family->global_head_dim.empty()) {
        model.root.refuse("rope_parameters",
                          "needs an object for each layer type, full_attention and "
                          "sliding_attention");
    }
    return {now ? now : old};
}

void take_of_layers(const ConfiguredModel& model, std::string_view key, std::string_view parameter,
                    ConfigSettings& settings) {
    const Section& root = model.root;
    if (const auto by_type = root.object_if_one(key)) {
        if (!by_type->has(model.layer_type)) {
            refuse_open(root, key, "is for each layer type", by_type->keys());
        }
        return set_of_layers(model, key, parameter, by_type->numbers(model.layer_type).value(),
                             settings);
    }
    if (!root.is_list(key)) return settings.take(root, key, parameter);
    const std::vector<std::string> values = root.items(key);
    if (values.empty()) root.refuse_value(key, "must be a number, or one for each layer");
    const auto check_count = [&](std::size_t layers, std::string_view what) {
        if (values.size() >= layers) return;
        root.refuse(key, fmt::format("has {} values for {} {}", values.size(), layers, what));
    };
    check_count(root.texts("layer_types").size(), "layer_types");
    check_count(static_cast<std::size_t>(root.count("num_hidden_layers").value_or(0)), "layers");
    const bool is_one = std::ranges::all_of(
        values, [&](const std::string& value) { return value == values.front(); });
    if (!is_one || values.front() == "0") return take_from_list(model, key, parameter, settings);
    settings.mark(root, key);
    settings.set({.parameter = std::string(parameter),
                  .text = values.front(),
                  .source = fmt::format("{} {}", root.place(key), values.front())});
}

std::string read_layers(const ConfiguredModel& model, const RopeBlock& block,
                        ConfigSettings& settings) {
    if (!block.is_of_layers) {
        take_of_layers(model, "layer_rope_theta", "base", settings);
        read_layer_bases(model, settings);
        read_scaled_types(model, settings);
    } else {
        for (const LayerBase& own : layer_bases(model.root)) {
            settings.ignore(model.root, own.key, ", since rope_parameters is for each layer type");
        }
    }
    check_layer_number(model);
    // Transformers' name for every layer that runs through the sequence, and its older names.
    if (has_word("linear_attention mamba conv", model.type_of_layers())) {
        refuse_unrotated(model, "layer_types");
    }
    const bool has_own_base = read_sliding_base(model, settings);
    const bool has_unrotated = read_unrotated_layers(model, settings);
    const bool is_by_number = has_unrotated && model.root.has("no_rope_layers");
    const std::string_view rotated = is_by_number ? "" : rotated_layers(model);
    if (!rotated.empty() && model.root.is_list("layer_types") &&
        !model.root.lists("layer_types", rotated)) {
        model.root.refuse("layer_types",
                          fmt::format("only layers of type {} have rotary positions, and there is "
                                      "none",
                                      rotated));
    }
    const bool is_decided = has_unrotated && model.layer_number();
    if (model.has_full_layers() && !rotated_layers(model).empty() && !is_decided) {
        refuse_unrotated(model, "layer_types");
    }
    const bool is_usual = model.has_full_layers() || model.has_sliding_layers();
    const bool is_settled =
        block.is_of_layers || settings.has_chosen_layers() || (has_own_base && is_usual);
    if (!model.layer_type.empty() && !is_settled) check_layer_type(model);
    if (block.is_of_layers || has_own_base) return "";
    if (model.has_sliding_layers() && has_plain_sliding_layers(model)) {
        apply_sliding_defaults(model, settings);
    }
    if (model.layer_type.empty() && !rotated.empty()) {
        return fmt::format("only layers of type {} have rotary positions", rotated);
    }
    if (model.layer_type.empty() && has_unrotated) {
        if (is_by_number) return "layers with a 0 in no_rope_layers have no rotary positions";
        return fmt::format("of every {} layers the last has no rotary positions",
                           model.root.count("no_rope_layer_interval").value_or(4));
    }
    if (!model.layer_type.empty()) return "";
    const bool differ = has_plain_sliding_layers(model) &&
                        (settings.find("scaling") || !model.family->sliding_base.empty());
    return differ ? "layers with a sliding window differ: --layer-type sliding_attention" : "";
}

}  // namespace pegen::encodings
