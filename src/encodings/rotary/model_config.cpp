#include "encodings/rotary/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "files/json_text.h"
#include "files/whole_file.h"

namespace pegen::encodings {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t most_bytes = std::int64_t{4} << 20;

/// An object of the file and where it stands: "rope_scaling.".
struct Section {
    std::string_view path;  ///< of the file
    std::string prefix;
    const Json* json;

    /// Returns the value of a key; nullptr if it is missing or null.
    const Json* find(std::string_view key) const {
        const auto found = json->find(key);
        return found == json->end() || found->is_null() ? nullptr : &*found;
    }

    [[noreturn]] void refuse(std::string_view key, std::string_view failure) const {
        throw FormatError(path, fmt::format("{}{}: {}", prefix, key, failure));
    }

    /// Returns the object of a key; none if it is missing or null.
    std::optional<Section> object(std::string_view key) const {
        const Json* value = find(key);
        if (!value) return std::nullopt;
        if (!value->is_object()) refuse(key, "must be an object, {\"rope_type\": ...}");
        return Section{path, fmt::format("{}{}.", prefix, key), value};
    }
};

/// Returns a scalar or a list of numbers as one would type it.
std::string text_of(const Section& section, std::string_view key, const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
    if (value.is_number_unsigned()) return fmt::format("{}", value.get<std::uint64_t>());
    if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
    if (value.is_number_float()) return shortest(value.get<double>());
    const bool are_numbers =
        value.is_array() && !value.empty() &&
        std::ranges::all_of(value, [](const Json& item) { return item.is_number(); });
    if (!are_numbers) section.refuse(key, "must be a number, a text, or a list of numbers");
    std::vector<std::string> items;
    for (const Json& item : value) items.push_back(text_of(section, key, item));
    return fmt::format("{}", fmt::join(items, ","));
}

std::int64_t integer_of(const Section& section, std::string_view key, const Json& value) {
    const double number = value.is_number() ? value.get<double>() : 0;
    if (number < 1 || number > two_to_53 || number != std::floor(number)) {
        section.refuse(key, "must be a whole number from 1 on");
    }
    return static_cast<std::int64_t>(number);
}

/// Reads settings into a ModelConfig.
class Reader {
  public:
    Reader(Section root, std::string_view layer_type)
        : section_(std::move(root)), layer_type_(layer_type) {
        config_.path = section_.path;
    }

    ModelConfig read() {
        enter_text_model();
        if (const Json* type = section_.find("model_type"); type && type->is_string()) {
            config_.model_type = type->get<std::string>();
        }
        read_defaults();
        read_dimensions();
        take(section_, "max_position_embeddings", "max-position-embeddings");
        take(section_, "original_max_position_embeddings", "original-max-position-embeddings");
        for (const char* key :
             {"rope_theta", "rotary_emb_base", "rope_base", "rope_embedding_base"}) {
            take(section_, key, "base");
        }
        if (const Json* inner = section_.find("attn_config"); inner && inner->is_object()) {
            take({section_.path, section_.prefix + "attn_config.", inner}, "rope_theta", "base");
        }
        const std::optional<Section> block = rope_block();
        if (block) read_block(*block);
        read_scaled_rope();
        read_local_base();
        list_unread(section_);
        return std::move(config_);
    }

  private:
    /// Goes on in the part of the language model, if the file has one of several models.
    void enter_text_model() {
        for (const char* key : {"thinker_config", "text_config", "language_config", "llm_config"}) {
            const bool has_heads = section_.find("num_attention_heads") ||
                                   section_.find("n_head") || section_.find("head_dim") ||
                                   section_.find("n_heads");
            if (has_heads) return;
            if (const auto nested = section_.object(key)) section_ = *nested;
        }
    }

    /// Adds the keys that speak of rotary positions and were not read to those that are ignored.
    void list_unread(const Section& section) {
        for (const auto& [key, value] : section.json->items()) {
            if (value.is_null() || key == "rope_scaling" || key == "rope_parameters") continue;
            const std::string place = section.prefix + key;
            const auto is_mentioned = [&](const std::string& text) {
                return text == place || text.starts_with(place + " ") ||
                       text.starts_with(place + ",");
            };
            const bool is_known =
                std::ranges::any_of(config_.settings, is_mentioned, &ConfigSetting::source) ||
                std::ranges::any_of(config_.ignored, is_mentioned) || key == "use_scaled_rope";
            const bool is_rotary = std::ranges::any_of(
                std::array{"rope", "rotary", "theta", "yarn"},
                [&name = key](const char* word) { return name.find(word) != std::string::npos; });
            if (is_rotary && !is_known) config_.ignored.push_back(place);
            const bool is_inner = value.is_object() && section.prefix == section_.prefix;
            if (is_inner && !is_rotary) {
                list_unread({section.path, fmt::format("{}.", place), &value});
            }
        }
    }

    void set(std::string_view parameter, std::string text, std::string source) {
        const auto old = std::ranges::find(config_.settings, parameter, &ConfigSetting::parameter);
        if (old == config_.settings.end()) {
            config_.settings.push_back(
                {std::string(parameter), std::move(text), std::move(source)});
        } else {
            *old = {std::string(parameter), std::move(text), std::move(source)};
        }
    }

    /// Takes the value of a key, unless it is missing. Throws: FormatError if another key has set
    /// the parameter to another value.
    void take(const Section& section, std::string_view key, std::string_view parameter) {
        const Json* value = section.find(key);
        if (!value) return;
        if (value->is_array() && !parameter.ends_with("-factor")) {
            section.refuse(key, "must be a number");
        }
        const std::string text = text_of(section, key, *value);
        const std::string shown = text.size() > 40 ? text.substr(0, 37) + "..." : text;
        const std::string source = fmt::format("{}{} {}", section.prefix, key, shown);
        const auto old = std::ranges::find(config_.settings, parameter, &ConfigSetting::parameter);
        const bool is_set = old != config_.settings.end() && !is_family_default(*old);
        const auto number = [](const std::string& t) { return parse_real_or_none(t); };
        const bool differs = is_set && old->text != text &&
                             (!number(old->text) || number(old->text) != number(text));
        if (differs) {
            section.refuse(
                key, fmt::format("{} contradicts {}; remove one of them", shown, old->source));
        }
        set(parameter, text, source);
    }

    /// True if this key gave the parameter its value.
    bool is_set_by(std::string_view parameter, std::string_view key) const {
        const auto setting =
            std::ranges::find(config_.settings, parameter, &ConfigSetting::parameter);
        return setting != config_.settings.end() &&
               setting->source.find(fmt::format("{} ", key)) != std::string::npos;
    }

    static std::optional<double> parse_real_or_none(const std::string& text) {
        try {
            return parse_real(text, "");
        } catch (const UsageError&) {
            return std::nullopt;
        }
    }

    static bool is_family_default(const ConfigSetting& setting) {
        return setting.source.starts_with("default of ");
    }

    void read_defaults() {
        const bool is_named = !config_.model_type.empty();
        // Only Meta's params.json names no model but has this key.
        if (!is_named && !section_.find("dim")) return;
        const ModelFamily* family = find_family(config_.model_type);
        if (!family) return;
        config_.family = family;
        const std::string name = is_named ? config_.model_type : "Meta's code";
        const std::string settings =
            fmt::format("--pairing {} {}", family->pairing, family->defaults);
        const std::vector<std::string_view> tokens = words(settings);
        for (std::size_t i = 0; i + 1 < tokens.size(); i += 2) {
            const std::string parameter(tokens[i].substr(2));
            set(parameter, std::string(tokens[i + 1]),
                fmt::format("default of {}: {} {}", name, parameter, tokens[i + 1]));
        }
    }

    void read_dimensions() {
        for (const char* key : {"partial_rotary_factor", "rotary_pct", "rope_pct"}) {
            take(section_, key, "partial-rotary-factor");
        }
        take(section_, "rotary_dim", "rotary-dim");
        for (const char* key :
             {"qk_rope_head_dim", "head_dim", "attention_head_dim", "kv_channels"}) {
            if (!section_.find(key)) continue;
            take(section_, key, "d");
            return;
        }
        const auto is_size = [](const ConfigSetting& setting) { return setting.parameter == "d"; };
        if (std::ranges::any_of(config_.settings, is_size)) return;
        for (const auto& [width, heads] : {std::pair{"hidden_size", "num_attention_heads"},
                                           {"n_embd", "n_head"},
                                           {"d_model", "n_heads"},
                                           {"dim", "n_heads"}}) {
            const Json* all = section_.find(width);
            const Json* count = section_.find(heads);
            if (!all || !count) continue;
            const std::int64_t channels = integer_of(section_, width, *all);
            const std::int64_t parts = integer_of(section_, heads, *count);
            set("d", fmt::format("{}", channels / parts),
                fmt::format("{}{} {} / {} {}", section_.prefix, width, channels, heads, parts));
            return;
        }
    }

    /// Returns rope_parameters of Transformers 5, or rope_scaling of before.
    std::optional<Section> rope_block() {
        const auto old = section_.object("rope_scaling"), now = section_.object("rope_parameters");
        if (now && old) {
            for (const auto& [key, value] : old->json->items()) {
                const Json* other = key == "type" ? nullptr : now->find(key);
                if (!other || *other == value) continue;
                section_.refuse(
                    "rope_parameters",
                    fmt::format("{} contradicts rope_scaling; remove one of them", key));
            }
        }
        if (!now) return old;
        const bool has_layer_types =
            !now->json->empty() &&
            std::ranges::all_of(*now->json, [](const Json& item) { return item.is_object(); });
        if (!has_layer_types) return now;
        std::vector<std::string> types;
        for (const auto& [type, block] : now->json->items()) types.push_back(type);
        const std::string choices = fmt::format("{}", fmt::join(types, ", "));
        if (layer_type_.empty()) {
            const Json& first = now->json->begin().value();
            const bool is_same =
                std::ranges::all_of(*now->json, [&](const Json& block) { return block == first; });
            if (is_same) return now->object(types.front());
            section_.refuse(
                "rope_parameters",
                fmt::format("is for each layer type; choose one with --layer-type: {}", choices));
        }
        if (const auto block = now->object(layer_type_)) {
            was_layer_type_used_ = true;
            return block;
        }
        section_.refuse("rope_parameters",
                        fmt::format("has no layer type {}; it has {}", layer_type_, choices));
    }

    void read_type(const Section& block) {
        std::string type;
        for (const char* key : {"type", "rope_type"}) {
            const Json* value = block.find(key);
            if (!value) continue;
            if (!value->is_string()) block.refuse(key, "must be a text, such as \"yarn\"");
            const std::string word = known_type(block, key, value->get<std::string>());
            if (!type.empty() && type != word) {
                block.refuse(key,
                             fmt::format("{} contradicts type {}; remove one of them", word, type));
            }
            type = word;
            if (type != "none")
                set("scaling", type,
                    fmt::format("{}{} {}", block.prefix, key, value->get<std::string>()));
        }
    }

    /// Returns our name of a scaling type.
    std::string known_type(const Section& block, std::string_view key, const std::string& type) {
        constexpr std::array known{"linear",   "dynamic", "yarn",
                                   "longrope", "llama3",  "proportional"};
        if (type == "default") return "none";
        if (type == "mrope") return "none";
        if (type == "su") return "longrope";
        if (std::ranges::find(known, type) != known.end()) return type;
        block.refuse(
            key, fmt::format("'{}' is no scaling type that is known; known are default, {}", type,
                             fmt::join(known, ", ")));
    }

    /// Reads HunYuan's dynamic scaling, which is NTK-aware scaling by alpha.
    void read_alpha(const Section& block) {
        const auto scaling =
            std::ranges::find(config_.settings, "scaling", &ConfigSetting::parameter);
        if (!block.find("alpha") || scaling == config_.settings.end()) return;
        if (scaling->text != "dynamic") return;
        set("scaling", "ntk", scaling->source);
        take(block, "alpha", "factor");
    }

    /// Reads the attention factors that Phi-3.5-MoE gives instead of the formula.
    void read_fixed_mscale(const Section& block) {
        const Json* shorter = block.find("short_mscale");
        const Json* longer = block.find("long_mscale");
        if (!shorter || !longer) return;
        if (*shorter != *longer) {
            block.refuse("long_mscale",
                         "differs from short_mscale; give --attention-factor and "
                         "remove both");
        }
        take(block, "long_mscale", "attention-factor");
    }

    void read_block(const Section& block) {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 14> keys{{
            {"rope_theta", "base"},
            {"partial_rotary_factor", "partial-rotary-factor"},
            {"factor", "factor"},
            {"original_max_position_embeddings", "original-max-position-embeddings"},
            {"max_position_embeddings", "max-position-embeddings"},
            {"attention_factor", "attention-factor"},
            {"beta_fast", "beta-fast"},
            {"beta_slow", "beta-slow"},
            {"mscale", "mscale"},
            {"mscale_all_dim", "mscale-all-dim"},
            {"low_freq_factor", "low-freq-factor"},
            {"high_freq_factor", "high-freq-factor"},
            {"short_factor", "short-factor"},
            {"long_factor", "long-factor"},
        }};
        read_type(block);
        read_alpha(block);
        read_fixed_mscale(block);
        for (const auto& [key, value] : block.json->items()) {
            if (value.is_null() || key == "type" || key == "rope_type") continue;
            const auto known = std::ranges::find(keys, key, [](const auto& k) { return k.first; });
            const bool is_read = std::ranges::any_of(
                config_.settings,
                [source = fmt::format("{}{} ", block.prefix, key)](const ConfigSetting& setting) {
                    return setting.source.starts_with(source);
                });
            if (is_read || key == "short_mscale") continue;
            const bool is_alpha_used = key == "factor" && is_set_by("factor", "alpha");
            if (known != keys.end() && !is_alpha_used) {
                take(block, key, known->second);
            } else if (key == "truncate" && value.is_boolean()) {
                set("no-truncate", value.get<bool>() ? "false" : "true",
                    fmt::format("{}truncate {}", block.prefix, value.dump()));
            } else {
                config_.ignored.push_back(block.prefix + key);
            }
        }
    }

    /// Reads use_scaled_rope of Meta's params.json, whose numbers stand in Meta's code.
    void read_scaled_rope() {
        const Json* scaled = section_.find("use_scaled_rope");
        if (!scaled || !scaled->is_boolean() || !scaled->get<bool>()) return;
        for (const auto& [parameter, value] : {std::pair{"scaling", "llama3"},
                                               {"factor", "8"},
                                               {"low-freq-factor", "1"},
                                               {"high-freq-factor", "4"},
                                               {"original-max-position-embeddings", "8192"}}) {
            set(parameter, value, fmt::format("use_scaled_rope: {} {}", parameter, value));
        }
        take_over("rope_scaling_factor", "factor");
        take_over("rope_high_freq_factor", "high-freq-factor");
    }

    void drop(std::string_view parameter) {
        std::erase_if(config_.settings,
                      [&](const ConfigSetting& setting) { return setting.parameter == parameter; });
    }

    /// Replaces a setting by the value of a key, if it is there.
    void take_over(std::string_view key, std::string_view parameter) {
        if (section_.find(key)) drop(parameter);
        take(section_, key, parameter);
    }

    /// Applies the base that layers with a sliding window have for themselves.
    void read_local_base() {
        const bool is_sliding = layer_type_ == "sliding_attention";
        const bool is_full = layer_type_ == "full_attention";
        if (section_.find("global_rope_theta") && !is_sliding) {
            take_over("global_rope_theta", "base");
        }
        for (const char* key : {"rope_local_base_freq", "local_rope_theta"}) {
            if (!section_.find(key)) continue;
            was_layer_type_used_ = was_layer_type_used_ || is_sliding || is_full;
            if (!is_sliding) {
                config_.ignored.push_back(
                    fmt::format("{}{}, of --layer-type sliding_attention", section_.prefix, key));
                continue;
            }
            drop("scaling");
            take_over(key, "base");
        }
        if (!was_layer_type_used_ && config_.family && !config_.family->local_base.empty()) {
            was_layer_type_used_ = is_sliding || is_full;
            if (is_sliding) {
                drop("scaling");
                set("base", std::string(config_.family->local_base),
                    fmt::format("default of {}: base {}", config_.model_type,
                                config_.family->local_base));
            }
        }
        if (!layer_type_.empty() && !was_layer_type_used_) {
            section_.refuse("rope_parameters",
                            fmt::format("there are no layer types, and --layer-type {} was given",
                                        layer_type_));
        }
    }

    Section section_;
    std::string layer_type_;
    bool was_layer_type_used_ = false;
    ModelConfig config_;
};

}  // namespace

ModelConfig read_model_config(std::string_view path, std::string_view layer_type) {
    return parse_model_config(read_whole(path, most_bytes), path, layer_type);
}

ModelConfig parse_model_config(std::string_view text, std::string_view path,
                               std::string_view layer_type) {
    const Json root = parse_json(text, path);
    if (!root.is_object()) throw FormatError(path, "must be an object, {\"rope_theta\": ...}");
    ModelConfig config = Reader({path, "", &root}, layer_type).read();
    const bool has_size = std::ranges::any_of(config.settings, [](const ConfigSetting& setting) {
        return setting.parameter == "d" || setting.parameter == "rotary-dim";
    });
    if (has_size) return config;
    throw FormatError(path,
                      "says nothing of the size of a head: needs head_dim, or hidden_size and "
                      "num_attention_heads; is this a model's config.json?");
}

std::optional<ModelConfig> config_of(const Parameters& p) {
    const std::string layer_type = p.has("layer-type") ? p.word("layer-type") : "";
    if (!p.has("config")) {
        if (layer_type.empty()) return std::nullopt;
        throw UsageError(
            fmt::format("--layer-type {}: has no effect without --config", layer_type));
    }
    const bool has_preset = std::ranges::any_of(
        p.entries(), [](const Parameters::Entry& entry) { return entry.origin == Origin::preset; });
    if (has_preset) {
        throw UsageError(
            "--config: a preset already says what the model is; use pe-gen rope --config");
    }
    return read_model_config(p.word("config"), layer_type);
}

Parameters with_config(Parameters p, const ModelConfig& config) {
    for (const ConfigSetting& setting : config.settings) {
        if (p.given(setting.parameter)) continue;
        try {
            p.set(setting.parameter, setting.text, Origin::preset);
        } catch (const UsageError& error) {
            throw FormatError(config.path, fmt::format("{}: {}", setting.source, error.what()));
        }
    }
    return p;
}

}  // namespace pegen::encodings
