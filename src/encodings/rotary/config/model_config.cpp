#include "encodings/rotary/config/model_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <span>
#include <system_error>

#include "core/json.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/other_encodings.h"
#include "encodings/rotary/config/gguf_config.h"
#include "encodings/rotary/config/grid_config.h"
#include "encodings/rotary/config/layers.h"
#include "encodings/rotary/config/scaling.h"
#include "encodings/rotary/config/unrotated_models.h"
#include "files/gguf_file.h"
#include "files/input_file.h"

namespace pegen::encodings {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{4} << 20;

void read_family(const ConfiguredModel& model, ConfigSettings& settings) {
    if (!model.family) return;
    settings.set(model.default_of("pairing", model.family->pairing));
    const std::vector<std::string_view> tokens = words(model.family->defaults);
    for (std::size_t i = 0; i + 1 < tokens.size(); i += 2) {
        settings.set(model.default_of(tokens[i].substr(2), tokens[i + 1]));
    }
}

void read_pairing(const ConfiguredModel& model, ConfigSettings& settings) {
    const auto read = [&](const char* key) {
        const std::optional<bool> is_interleaved = model.root.flag(key);
        if (!is_interleaved) return;
        settings.mark(model.root, key);
        const char* const pairing = *is_interleaved ? "interleaved" : "half";
        const ConfigSetting* old = settings.find("pairing");
        if (old && !old->is_default && old->text != pairing) {
            model.root.refuse(key, fmt::format("{} contradicts {}; remove one of them",
                                               *is_interleaved, old->source));
        }
        settings.set({.parameter = "pairing",
                      .text = pairing,
                      .source = fmt::format("{} {}", model.root.place(key), *is_interleaved)});
    };
    read("rope_interleave");
    read("rotary_emb_interleaved");
    if (model.type == "chatglm") read("original_rope");
}

/// Reads the size of the heads of layers with full attention. Returns false if these layers have no
/// size of their own.
bool read_global_head_dim(const ConfiguredModel& model, ConfigSettings& settings) {
    constexpr const char* key = "global_head_dim";
    const bool has_default =
        model.family && !model.family->global_head_dim.empty() && !model.root.is_null(key);
    if (!model.root.has(key) && !has_default) return false;
    if (!model.root.has(key) && model.root.has("per_layer_config")) {
        model.root.refuse("per_layer_config",
                          "is not read; give the size of heads with full attention as "
                          "global_head_dim");
    }
    if (has_default) settings.set(model.default_of("d", model.family->global_head_dim));
    settings.take(model.root, key, "d");
    return true;
}

/// Returns the first of the keys that has a value; "" if no key has a value.
std::string_view first_key(const Section& section, std::span<const std::string_view> keys) {
    const auto found =
        std::ranges::find_if(keys, [&](std::string_view key) { return section.has(key); });
    return found == keys.end() ? "" : *found;
}

/// Sets the channels of a head to `multiple` times the width of the model, divided by the number of
/// heads.
void read_shared_width(const Section& root, std::int64_t multiple, ConfigSettings& settings) {
    constexpr std::array<std::string_view, 4> widths{"hidden_size", "n_embd", "d_model", "dim"};
    constexpr std::array<std::string_view, 5> counts{"num_attention_heads", "n_head", "n_heads",
                                                     "decoder_num_attention_heads",
                                                     "encoder_num_attention_heads"};
    const std::string_view width = first_key(root, widths), heads = first_key(root, counts);
    if (width.empty() || heads.empty()) return;
    const std::int64_t channels = root.count(width).value(), parts = root.count(heads).value();
    if (multiple * channels % parts != 0) {
        root.refuse(width, fmt::format("{} is not divisible by {} {}; add head_dim", channels,
                                       heads, parts));
    }
    const std::string times = multiple == 1 ? "" : fmt::format("{} times ", multiple);
    settings.set({.parameter = "d",
                  .text = fmt::format("{}", multiple * channels / parts),
                  .source = fmt::format("{}{} {} / {} {}", times, root.place(width), channels,
                                        heads, parts)});
}

/// True if the file gives the number of rotated channels of a head. A rotary factor in the same
/// file is then a share of the whole head.
bool has_rotary_width(const Section& root) { return root.has("qk_rope_head_dim"); }

constexpr std::string_view width_note = ", since qk_rope_head_dim is what turns";

void read_dimensions(const ConfiguredModel& model, ConfigSettings& settings) {
    const Section& root = model.root;
    for (const char* key : {"partial_rotary_factor", "partial_rotary_factors", "rotary_pct",
                            "rope_pct", "rotary_emb_fraction"}) {
        if (has_rotary_width(root)) {
            if (root.has(key)) settings.ignore(root, key, width_note);
        } else {
            take_of_layers(model, key, "partial-rotary-factor", settings);
        }
    }
    settings.take(root, "rotary_dim", "rotary-dim");
    settings.take(root, "attn_rotary_emb", "rotary-dim");
    if (model.has_full_layers() && read_global_head_dim(model, settings)) return;
    // The attention of zamba2 is as wide as the model's hidden states and its first embeddings
    // together.
    if (model.type == "zamba2" && !root.has("attention_head_dim")) {
        for (const char* key : {"head_dim", "kv_channels"}) {
            if (root.has(key)) settings.ignore(root, key);
        }
        return read_shared_width(root, 2, settings);
    }
    if (has_rotary_width(root)) return settings.take(root, "qk_rope_head_dim", "d");
    std::string_view taken;
    for (const char* key : {"head_dim", "attention_head_dim", "kv_channels"}) {
        if (!root.has(key)) continue;
        if (taken.empty()) {
            settings.take(root, key, "d");
            taken = key;
        } else if (!root.has_same(key, root, taken)) {
            settings.ignore(root, key, fmt::format(", since {} is there", taken));
        }
    }
    if (!taken.empty()) return;
    if (!settings.find("d")) read_shared_width(root, 1, settings);
}

/// Reads the factor by which ChatGLM multiplies the base.
void read_rope_ratio(const Section& root, ConfigSettings& settings) {
    const std::optional<double> ratio = root.number("rope_ratio");
    if (!ratio) return;
    const double base = root.number("rope_theta").value_or(10000);
    settings.mark(root, "rope_ratio");
    settings.set(
        {.parameter = "base",
         .text = shortest(base * *ratio),
         .source = fmt::format("{} {} times {}, as ChatGLM3 and GLM-4 take it",
                               root.place("rope_ratio"), shortest(*ratio), shortest(base))});
}

void read_base(const ConfiguredModel& model, ConfigSettings& settings) {
    for (const char* key : {"rope_theta", "rotary_emb_base", "rotary_embedding_base", "rope_base",
                            "rope_embedding_base", "rope_freq_constant"}) {
        take_of_layers(model, key, "base", settings);
    }
    if (const auto inner = model.root.object_if_one("attn_config")) {
        settings.take(*inner, "rope_theta", "base");
    }
    if (model.type == "chatglm") read_rope_ratio(model.root, settings);
}

/// Reads the keys that change tables of longer texts, and refuses unknown values.
void read_changes_by_length(const Section& root, ConfigSettings& settings) {
    if (root.has("rope_3d")) settings.ignore(root, "rope_3d", ", of images and video");
    settings.mark(root, "freq_allocation");
    if (root.number("rope_position_scale").value_or(1) != 1) {
        root.refuse_value("rope_position_scale", "what it does unless it is 1 is not known");
    }
    const std::string limit = root.has("seq_length")
                                  ? fmt::format("seq_length {}", root.count("seq_length").value())
                                  : "seq_length";
    if (root.flag("use_dynamic_ntk").value_or(false)) {
        settings.ignore(root, "use_dynamic_ntk",
                        fmt::format(" true: tables of more than {} positions have another base, "
                                    "up to twice as many --scaling ntk --factor 3",
                                    limit));
    }
    if (root.flag("use_logn_attn").value_or(false)) {
        settings.ignore(root, "use_logn_attn",
                        fmt::format(" true: queries beyond {} are scaled", limit));
    }
    if (!root.has("training_seqlen") || !root.has("base_seqlen")) return;
    if (!root.has_same("training_seqlen", root, "base_seqlen")) {
        root.refuse_value("training_seqlen", "must be base_seqlen, since it changes the base");
    }
    settings.ignore(root, "training_seqlen",
                    fmt::format(" {}: longer tables have another base and amplitude",
                                root.count("training_seqlen").value()));
}

/// Lists the keys about heads and rotary positions outside the part that was read.
void list_overruled(const ConfiguredModel& model, ConfigSettings& settings) {
    if (model.root.prefix.empty()) return;
    for (const std::string& place : model.others) {
        settings.ignore(model.file, place, ", a model of its own with rotary positions");
    }
    constexpr std::array sizes{"hidden_size", "num_attention_heads", "head_dim",
                               "partial_rotary_factor"};
    for (const std::string& key : model.file.keys()) {
        const bool is_of_heads = std::ranges::find(sizes, key) != sizes.end() || is_rotary_key(key);
        if (!is_of_heads || !model.file.has(key)) continue;
        if (!model.file.has_same(key, model.root, key)) settings.ignore(model.file, key);
    }
}

[[noreturn]] void refuse_sizeless(const Section& root) {
    const std::string part = root.prefix.substr(0, root.prefix.find_last_of('.'));
    throw FormatError(root.path,
                      fmt::format("{}does not say the size of a head: needs head_dim, or "
                                  "hidden_size and num_attention_heads{}",
                                  part.empty() ? "" : part + " was read, and ",
                                  part.empty() ? "; is this a model's config.json?" : " in it"));
}

/// Adds unread keys that may be about rotary positions to the doubted keys, or to the ignored keys
/// if they belong to another model. Searches objects up to `depth` levels deep.
void list_unread(const Section& section, std::string_view model_type, bool is_of_model, int depth,
                 ConfigSettings& settings) {
    constexpr std::array sizes{"model_type", "hidden_size", "num_attention_heads", "head_dim"};
    // An object inside an unknown model belongs to that model unless it is a model itself.
    const auto is_of_this = [&](const std::string& key, const Section& inner) {
        return key.starts_with("attn") ||
               (is_of_model && (model_type.empty() || !find_family(model_type)) &&
                image_key(inner, key).empty() &&
                std::ranges::none_of(sizes, [&](const char* size) { return inner.has(size); }));
    };
    for (const std::string& key : section.keys()) {
        const bool is_block = key == "rope_scaling" || key == "rope_parameters";
        if (!section.has(key) || is_block) continue;
        if (settings.was_read(section, key)) continue;
        if (is_of_model ? may_change_table(section, key, model_type) : is_rotary_key(key)) {
            if (is_of_model) {
                settings.doubt(section, key);
            } else {
                settings.ignore(section, key);
            }
        } else if (const auto inner = section.object_if_one(key); inner && depth > 0) {
            list_unread(*inner, model_type, is_of_this(key, *inner), depth - 1, settings);
        }
    }
}

/// Returns the parameter and the value of a setting, which determine the table.
std::pair<std::string, std::string> value_of(const ConfigSetting& setting) {
    return {setting.parameter, setting.text};
}

ModelConfig read_model(const ConfiguredModel& model) {
    ConfigSettings settings;
    read_family(model, settings);
    read_pairing(model, settings);
    read_dimensions(model, settings);
    settings.take(model.root, "max_position_embeddings", "max-position-embeddings");
    settings.take(model.root, "original_max_position_embeddings",
                  "original-max-position-embeddings");
    read_base(model, settings);
    const RopeBlock block = rope_block(model, settings);
    if (block.section) read_scaling(*block.section, settings);
    if (block.section && model.type == "new") read_gte_ntk(*block.section, settings);
    read_rotary(model.root, settings);
    read_scaled_rope(model.root, settings);
    read_mistral_yarn(model.root, settings);
    if (has_rotary_width(model.root)) settings.ignore_setting("partial-rotary-factor", width_note);
    const std::string other_layers = read_layers(model, block, settings);
    read_changes_by_length(model.root, settings);
    list_unread(model.root, model.type, true, 3, settings);
    list_overruled(model, settings);
    if (!settings.find("d") && !settings.find("rotary-dim")) refuse_sizeless(model.root);
    return {.path = std::string(model.file.path),
            .model_type = model.type,
            .family = model.family,
            .settings = settings.all(),
            .ignored = settings.ignored(),
            .doubted = settings.doubted(),
            .other_layers = other_layers,
            .sections = settings.sections(),
            .are_interleaved = settings.are_interleaved()};
}

/// Returns the positions per second of a video, which files have outside the language model.
std::optional<ConfigSetting> rate_of(const Section& file) {
    for (const auto& [part, key] :
         {std::pair{std::optional(file), "position_id_per_seconds"},
          {file.object_if_one("thinker_config"), "position_id_per_seconds"},
          {file.object_if_one("vision_config"), "tokens_per_second"}}) {
        if (!part || !part->has(key)) continue;
        const std::string rate = part->numbers(key).value(), place = part->place(key);
        return ConfigSetting{"frame-step", rate, fmt::format("{} {}", place, rate), place};
    }
    return std::nullopt;
}

/// Checks that all models of a file have the same table as the first, and lists these models in
/// `first`. Throws: FormatError.
void check_same(const std::vector<ConfiguredModel>& models, ModelConfig& first) {
    std::vector<std::string> names;
    bool is_same = true;
    for (const ConfiguredModel& model : models) {
        names.push_back(model.root.prefix.substr(0, model.root.prefix.size() - 1));
        const ModelConfig other = read_model(model);
        is_same =
            is_same && std::ranges::equal(first.settings, other.settings, {}, value_of, value_of);
    }
    if (!is_same) {
        throw FormatError(first.path,
                          fmt::format("has several models with rotary positions that differ: {}; "
                                      "give one of these objects as a file of its own",
                                      joined(names, ", ")));
    }
    first.other_models = fmt::format("{} have the same positions", joined(names, ", "));
}

/// Opens the file or, of a folder, its config.json. Throws: FileError.
std::shared_ptr<const InputFile> open_config(std::string_view path) {
    std::error_code error;  // what cannot be examined is refused when it is opened
    if (!std::filesystem::is_directory(path, error)) return InputFile::regular_or_pipe(path);
    return InputFile::regular_or_pipe((std::filesystem::path(path) / "config.json").string());
}

}  // namespace

Json read_config(std::string_view path) {
    const auto file = open_config(path);
    if (!begins_as_gguf(*file)) return parse_config(whole_text(*file, most_bytes), file->path());
    throw FormatError(path,
                      "is a GGUF model, which has no grid of positions; use pe-gen rope --config "
                      "or mrope --config");
}

ModelConfig read_model_config(std::string_view path, std::string_view layer_type) {
    const auto file = open_config(path);
    if (begins_as_gguf(*file)) return read_gguf_config(file, layer_type);
    return parse_model_config(whole_text(*file, most_bytes), file->path(), layer_type);
}

ModelConfig parse_model_config(std::string_view text, std::string_view path,
                               std::string_view layer_type) {
    const Json json = parse_config(text, path);
    const Section file{path, "", &json};
    const std::string vision = vision_commands(file);
    try {
        const std::vector<ConfiguredModel> models = configured_models(file, layer_type);
        ModelConfig config = read_model(models.front());
        if (models.size() > 1) check_same(models, config);
        config.vision = vision;
        config.rate = rate_of(file);
        return config;
    } catch (OtherEncodings& other) {
        other.vision = vision;
        throw;
    }
}

void check_no_preset(const Parameters& p, std::string_view encoding) {
    const bool has_preset = std::ranges::any_of(
        p.entries(), [](const Parameters::Entry& entry) { return entry.origin == Origin::preset; });
    if (has_preset) {
        throw UsageError(fmt::format(
            "--config: a preset already says what the model is; use pe-gen {} --config", encoding));
    }
}

std::optional<ModelConfig> config_of(const Parameters& p) {
    const std::string layer_type = p.has("layer-type") ? p.word("layer-type") : "";
    if (!p.has("config")) {
        if (layer_type.empty()) return std::nullopt;
        throw UsageError(
            fmt::format("--layer-type {}: has no effect without --config", layer_type));
    }
    check_no_preset(p, "rope");
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

const ConfigSetting* cause_of(const ModelConfig& config, const UsageError& error) {
    // A message begins with the option that caused it.
    const std::string message = error.what();
    const auto setting = std::ranges::find_if(config.settings, [&](const ConfigSetting& candidate) {
        const std::string option = fmt::format("--{}", candidate.parameter);
        return message.starts_with(option + ":") || message.starts_with(option + " ");
    });
    return setting == config.settings.end() ? nullptr : &*setting;
}

void blame(const ModelConfig& config, const UsageError& error) {
    const ConfigSetting* cause = cause_of(config, error);
    throw FormatError(config.path,
                      cause ? fmt::format("{}: {}", cause->source, error.what()) : error.what());
}

namespace {

/// What the code of a family has unless its files say otherwise.
struct MropeFamily {
    std::string_view model_types;
    std::string_view settings;
    /// The time from one merged frame of a video to the next at the usual rate of frames, if the
    /// model counts positions per second; 0 if it counts frames.
    double seconds = 0;
};

constexpr std::array families{
    MropeFamily{"qwen2_vl qwen2_vl_text paddleocr_vl paddleocr_vl_text", "--sections 16,24,24"},
    MropeFamily{"qwen2_5_omni_text qwen2_5_omni_talker", "--sections 16,24,24 --frame-step 25", 1},
    MropeFamily{"qwen2_5_vl qwen2_5_vl_text", "--sections 16,24,24 --frame-step 4", 1},
    MropeFamily{"qwen3_vl qwen3_vl_text qwen3_vl_moe qwen3_vl_moe_text cosmos3_edge_text "
                "cohere_compass_text",
                "--sections 24,20,20 --order interleaved"},
    MropeFamily{"qwen3_omni_moe_text qwen3_omni_moe",
                "--sections 24,20,20 --order interleaved --frame-step 50", 2},
    MropeFamily{"qwen3_5 qwen3_5_text qwen3_5_moe qwen3_5_moe_text",
                "--sections 11,11,10 --order interleaved"},
    MropeFamily{"glm4v glm4v_text glm4v_moe glm4v_moe_text glm_ocr glm_ocr_text glm_image_text",
                "--sections 8,12,12"},
    MropeFamily{"ernie4_5_vl_moe ernie4_5_vl_moe_text ernie4_5_moe_vl",
                "--sections 20,22,22 --order alternating"},
};

const ConfigSetting* find(const std::vector<ConfigSetting>& settings, std::string_view parameter) {
    const auto found = std::ranges::find(settings, parameter, &ConfigSetting::parameter);
    return found == settings.end() ? nullptr : &*found;
}

/// Returns the number of channels that turn: all of a head, or a part of them.
std::optional<ConfigSetting> width_of(const std::vector<ConfigSetting>& settings) {
    if (const ConfigSetting* width = find(settings, "rotary-dim")) {
        return ConfigSetting{"d", width->text, width->source};
    }
    const ConfigSetting *d = find(settings, "d"), *part = find(settings, "partial-rotary-factor");
    if (!d) return std::nullopt;
    if (!part) return *d;
    const double width = std::floor(parse_real(d->text, "") * parse_real(part->text, ""));
    return ConfigSetting{"d", shortest(width), fmt::format("{}, {}", d->source, part->source)};
}

/// Returns the sections of a file as mrope has them: those of the frames first.
ConfigSetting in_order(ConfigSetting sections, bool has_frames_last) {
    std::vector<std::string_view> parts = words(sections.text, ',');
    if (has_frames_last) std::rotate(parts.begin(), parts.end() - 1, parts.end());
    sections.text = joined(parts, ",");
    return sections;
}

/// Returns the positions from one frame to the next, of a file with positions per second.
ConfigSetting frame_step(ConfigSetting rate, double seconds) {
    rate.text = shortest(parse_real(rate.text, "") * seconds);
    rate.source += fmt::format(" times {} seconds per frame", shortest(seconds));
    return rate;
}

}  // namespace

std::optional<ModelConfig> mrope_config_of(const Parameters& parameters) {
    if (parameters.has("config")) check_no_preset(parameters, "mrope");
    std::optional<ModelConfig> config = config_of(parameters);
    if (!config) return std::nullopt;
    if (const ConfigSetting* scaling = find(config->settings, "scaling")) {
        throw FormatError(config->path,
                          fmt::format("{}: mrope has no scaled frequencies; text has the table of "
                                      "pe-gen rope --config",
                                      scaling->source));
    }
    std::vector<ConfigSetting> settings;
    if (const auto width = width_of(config->settings)) settings.push_back(*width);
    for (const char* parameter : {"base", "layout"}) {
        if (const auto* setting = find(config->settings, parameter)) settings.push_back(*setting);
    }
    if (!find(settings, "base")) {
        settings.push_back(
            {"base", "10000", "base 10000, the usual one, since the file gives none"});
    }
    const auto family = std::ranges::find_if(families, [&](const MropeFamily& candidate) {
        return has_word(candidate.model_types, config->model_type);
    });
    std::string_view order = config->are_interleaved.value_or(false) ? "interleaved" : "contiguous";
    if (family != families.end()) {
        const std::vector<std::string_view> tokens = words(family->settings);
        for (std::size_t i = 0; i + 1 < tokens.size(); i += 2) {
            const std::string_view parameter = tokens[i].substr(2);
            if (parameter == "sections" && config->sections) continue;
            if (parameter == "frame-step" && config->rate) continue;
            if (parameter == "order") order = tokens[i + 1];
            settings.push_back({std::string(parameter), std::string(tokens[i + 1]),
                                fmt::format("default of {}: {} {}", config->model_type, parameter,
                                            tokens[i + 1])});
        }
        if (config->are_interleaved.value_or(order == "interleaved") != (order == "interleaved")) {
            config->ignored.push_back(fmt::format("mrope_interleaved {}: the code of {} is {}",
                                                  *config->are_interleaved, config->model_type,
                                                  order));
        }
    } else if (config->are_interleaved.value_or(false)) {
        settings.push_back({"order", "interleaved", "mrope_interleaved true"});
    }
    const double seconds = family == families.end() ? 0 : family->seconds;
    if (config->rate && seconds > 0) settings.push_back(frame_step(*config->rate, seconds));
    if (config->rate && seconds == 0) config->doubted.push_back(config->rate->place);
    if (config->sections) {
        settings.push_back(in_order(*config->sections, order == "alternating"));
        std::erase_if(config->ignored, [&](const std::string& ignored) {
            return ignored.starts_with(config->sections->place);
        });
    } else if (family == families.end()) {
        throw FormatError(config->path,
                          "says nothing about sections of the frequencies; needs mrope_section in "
                          "rope_parameters or rope_scaling, or a model whose code has them");
    }
    config->settings = settings;
    return config;
}

}  // namespace pegen::encodings
