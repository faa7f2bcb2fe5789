#include "encodings/rotary/config/unrotated_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/error.h"
#include "core/names.h"
#include "encodings/rotary/config/grid_config.h"
#include "encodings/rotary/config/model_families.h"
#include "encodings/rotary/config/other_positions.h"

namespace pegen::encodings {
namespace {

/// A condition for rotary positions: the models have them only if a key has a certain value.
struct Condition {
    std::string_view model_types;  ///< separated by spaces
    std::string_view key;
    std::string_view value;          ///< "true", or another text
    std::string_view otherwise;      ///< the positions for any other value of the key
    bool is_default = false;         ///< rotary if the key is missing
    std::string_view commands = "";  ///< of these other positions, as UnrotatedPositions has them
};

constexpr std::array conditions{
    Condition{"esm", "position_embedding_type", "rotary",
              "learned positions (pe-gen learned) or relative ones"},
    Condition{"xlm-roberta-flash", "position_embedding_type", "rotary",
              "learned positions (pe-gen learned)"},
    Condition{"new", "position_embedding_type", "rope", "learned positions (pe-gen learned)", true},
    Condition{"wav2vec2-bert wav2vec2-conformer", "position_embeddings_type", "rotary",
              "relative positions"},
    Condition{"granitemoehybrid", "position_embedding_type", "rope", "no positions"},
    Condition{"zamba2", "use_mem_rope", "true", "no positions"},
    Condition{.model_types = "CogVideoXTransformer3DModel ConsisIDTransformer3DModel",
              .key = "use_rotary_positional_embeddings",
              .value = "true",
              .otherwise = "sinusoids of time, rows and columns",
              .commands = "diffusers-3d --depth {sample_frames/temporal_compression_ratio+1:13} "
                          "--height {sample_height/patch_size:30} "
                          "--width {sample_width/patch_size:45} "
                          "--d {num_attention_heads*attention_head_dim:1920} "
                          "--step 1/{temporal_interpolation_scale:1},"
                          "1/{spatial_interpolation_scale:1.875},"
                          "1/{spatial_interpolation_scale:1.875}"},
};

/// The values of position_embedding_type that mean rotary positions.
constexpr std::string_view rope_words = "rope rotary rope_gptj mrope rotary_embedding";

/// The words of keys such as use_rotary_embeddings, whose value false means that there are no
/// rotary positions. A key with any other word, such as use_scaled_rope, is not such a key.
constexpr std::string_view switch_words =
    "rope rotary use apply enable with has is add pos position positions positional emb embedding "
    "embeddings encoding encodings";

/// The words of keys such as mla_use_nope and disable_rope, whose value true means that there are
/// no rotary positions.
constexpr std::string_view denial_words =
    "nope no disable without rope rotary use apply is mla attn attention pos position positions "
    "positional emb embedding embeddings encoding encodings";

/// The keys that give the kind of positions.
constexpr std::array type_keys{
    "position_embedding_type", "position_embeddings_type", "positional_embedding_type",
    "position_encoding_type",  "positional_encoding_type", "positional_embedding",
    "positional_encoding",     "pos_embedding_type",       "pos_emb_type",
    "pos_encoding_type"};

/// Keys that mean positions on a grid, unless the model has a vocabulary.
constexpr std::array grid_keys{"axes_dims_rope",    "axes_dim",      "axes_dims", "rope_axes_dim",
                               "patch_size",        "image_size",    "img_size",  "patch_size_t",
                               "num_frames",        "sample_height", "in_chans",  "num_channels",
                               "spatial_merge_size"};

/// True if all words of the key are in `list`, and at least one of them is in `needed`.
bool is_of_words(std::string_view key, std::string_view list, std::string_view needed) {
    const std::vector<std::string_view> own = words(key, '_');
    return std::ranges::all_of(own, [&](auto word) { return has_word(list, word); }) &&
           std::ranges::any_of(own, [&](auto word) { return has_word(needed, word); });
}

/// True if the value false of a key with this name means that there are no rotary positions.
bool is_switch(std::string_view key) { return is_of_words(key, switch_words, "rope rotary"); }

/// True if the value true of a key with this name means that there are no rotary positions.
bool is_denial(std::string_view key) {
    if (!is_of_words(key, denial_words, "nope no disable without")) return false;
    return is_of_words(key, denial_words, "nope rope rotary");
}

/// Throws: OtherEncodings, with the commands that make the positions; FormatError, if there are
/// none, or if the file's values make no table.
[[noreturn]] void refuse_with(const Section& root, std::string_view model, std::string_view key,
                              std::string_view failure, const UnrotatedPositions& positions) {
    std::string message = fmt::format("{}: {}", root.place(key), failure);
    if (positions.commands.empty()) throw FormatError(root.path, message);
    std::vector<std::string> commands;
    std::vector<OtherEncodings::Taken> all;
    for (const std::string_view pattern : fields(positions.commands, ';')) {
        const SizedCommand command = sized_command(root, model, pattern);
        check_makes_table(command.text, root.path);
        commands.push_back(fmt::format("pe-gen {}", command.text));
        for (const OtherEncodings::Taken& taken : command.taken) {
            if (std::ranges::find(all, taken) == all.end()) all.push_back(taken);
        }
    }
    message += fmt::format(": {}", joined(commands, ", "));
    OtherEncodings refusal(root.path, message);
    refusal.title = fmt::format("{}: {} has {}", root.path, model.empty() ? "the model" : model,
                                positions.kind);
    refusal.taken = all;
    refusal.commands = commands;
    if (positions.kind.starts_with("learned")) {
        refusal.remark = "as before training; the trained ones are with the model's weights";
    }
    throw refusal;
}

void check_no_alibi(const Section& root, const Section& section, std::string_view model_type) {
    if (!section.has("alibi") || section.is_false("alibi")) return;
    const std::string key = section.place("alibi").substr(root.prefix.size());
    const bool has_preset = model_type == "falcon" || model_type == "mpt";
    refuse_with(root, model_type, key, "the model has no rotary positions, but ALiBi",
                *find_kind(has_preset ? model_type : "alibi"));
}

/// Returns the condition for rotary positions of the model; nullptr if it has none.
const Condition* find_condition(std::string_view model_type) {
    const auto found = std::ranges::find_if(conditions, [&](const Condition& condition) {
        return has_word(condition.model_types, model_type);
    });
    return found == conditions.end() ? nullptr : &*found;
}

/// Checks the keys that alone exclude rotary positions, whatever other keys there are. Throws:
/// FormatError.
void check_special_keys(const Section& root, std::string_view model_type) {
    check_no_alibi(root, root, model_type);
    if (const auto inner = root.object_if_one("attn_config")) {
        check_no_alibi(root, *inner, model_type);
    }
    if (model_type == "baichuan" && root.count("hidden_size").value_or(4096) != 4096) {
        refuse_with(root, model_type, "model_type",
                    "baichuan has no rotary positions, but ALiBi, unless hidden_size is 4096",
                    *find_kind("baichuan"));
    }
    if (root.has("position_encoding_2d") && !root.is_false("position_encoding_2d")) {
        root.refuse("position_encoding_2d",
                    "halves of a head turn by two positions, for which there is no table here");
    }
    check_condition(root, root.text_if_one("_class_name").value_or(std::string(model_type)));
    for (const std::string& key : root.keys()) {
        if (is_switch(key) && root.is_false(key)) {
            root.refuse(key, "false: the model has no rotary positions");
        }
        if (is_denial(key) && root.is_true(key)) {
            root.refuse(key, "true: the model has no rotary positions");
        }
    }
    // The code of olmo_hybrid has no rotary positions without a base, and null means no base.
    const auto parameters = root.object_if_one("rope_parameters");
    const Section& of_base = parameters && parameters->is_null("rope_theta") ? *parameters : root;
    const bool has_base = parameters && parameters->has("rope_theta");
    if (model_type == "olmo_hybrid" && !has_base && of_base.is_null("rope_theta")) {
        of_base.refuse("rope_theta", "null: the model has no rotary positions");
    }
}

/// Checks that position_embedding_type is rotary. If `is_default`, accepts the value "absolute",
/// too. Throws: FormatError.
void check_type(const Section& root, std::string_view model_type, bool is_default) {
    for (const char* key : type_keys) {
        const std::string type = root.text_if_one(key).value_or("");
        if (type == "absolute" && is_default) continue;
        const UnrotatedPositions* positions = find_kind(type);
        if (!positions) continue;
        refuse_with(root, model_type, key,
                    fmt::format("{} is not rotary; the model has {}", type, positions->kind),
                    *positions);
    }
}

/// True if a key for the kind of positions has a rotary value.
bool says_rotary(const Section& root) {
    return std::ranges::any_of(type_keys, [&](const char* key) {
        const std::string type = root.text_if_one(key).value_or("");
        return type.find("rotary") != std::string::npos || type.find("rope") != std::string::npos;
    });
}

/// Checks that positions are not on a grid. Throws: FormatError with the command that makes the
/// table of such positions.
void check_no_grid(const Section& root, std::string_view model_type) {
    const std::string_view key = image_key(root, model_type);
    if (key.empty()) return;
    const std::string name = root.text_if_one("_class_name").value_or(std::string(model_type));
    constexpr std::string_view failure =
        "positions are on the grid of an image or a video, and rope is the table of one axis";
    if (const std::string_view command = grid_command(name); !command.empty()) {
        refuse_with(root, name, key, failure, {name, "positions on a grid", command});
    }
    root.refuse(key, fmt::format("{}; if they are rotary, pe-gen rope-grid makes it", failure));
}

/// True if an unknown key may, by its name, be about rotary positions or about layers that differ.
bool may_change_table_by_name(std::string_view key) {
    if (is_rotary_key(key)) return true;
    constexpr std::string_view usual_positions =
        "max_position_embeddings n_positions position_embedding_type position_biased_input "
        "original_max_position_embeddings dropout_positions position_id_per_seconds";
    constexpr std::string_view usual_of_layers =
        "num n nb norm hidden moe mlp ffn dense expert experts dropout layerdrop drop scale eps "
        "bias feature vision sparse skip aux quant block types freq window init output return step "
        "vocab cross target look";
    const auto has = [&](std::string_view word) {
        return key.find(word) != std::string_view::npos;
    };
    if (has("position")) return !has_word(usual_positions, key);
    if (has("nope")) return key != "qk_nope_head_dim";
    if (!has("layer") || has("layernorm")) return false;
    return std::ranges::none_of(
        words(key, '_'), [&](std::string_view word) { return has_word(usual_of_layers, word); });
}

[[noreturn]] void refuse_unknown(const Section& root, std::string_view model_type) {
    constexpr std::string_view rule =
        "and there is no rope_theta or any other key of them; add what its code has, or give the "
        "parameters in the place of --config";
    if (!model_type.empty()) {
        root.refuse("model_type", fmt::format("{:.40} is not known to have rotary positions, {}",
                                              model_type, rule));
    }
    throw FormatError(
        root.path,
        fmt::format("says nothing about rotary positions: there is no model_type, {}", rule));
}

}  // namespace

void check_condition(const Section& root, std::string_view model) {
    const Condition* condition = find_condition(model);
    if (!condition || (condition->is_default && !root.has(condition->key))) return;
    const bool is_rotary = condition->value == "true"
                               ? root.flag(condition->key).value_or(false)
                               : root.text(condition->key).value_or("") == condition->value;
    if (is_rotary) return;
    refuse_with(
        root, model, condition->key,
        fmt::format("{} has {} unless it is {}", model, condition->otherwise, condition->value),
        {condition->model_types, condition->otherwise, condition->commands});
}

bool is_rotary_key(std::string_view key) {
    return std::ranges::any_of(
        std::array{"rope", "rotary", "theta", "yarn"},
        [&](const char* word) { return key.find(word) != std::string_view::npos; });
}

bool may_change_table(const Section& section, std::string_view key, std::string_view model_type) {
    const bool is_known = !model_type.empty() && find_family(model_type);
    const Condition* condition = find_condition(model_type);
    if (condition && condition->key == key) return false;
    if (std::ranges::find(type_keys, key) != type_keys.end()) {
        const std::string type = section.text_if_one(key).value_or("");
        return !has_word(rope_words, type) && (!is_known || may_change_table_by_name(key));
    }
    // A switch with the value that rotary positions need, or a variant that is switched off,
    // changes nothing.
    if (is_switch(key) && section.is_true(key)) return false;
    const bool is_use = key.starts_with("use_") || key.starts_with("enable_");
    if ((is_use || is_denial(key)) && section.is_false(key)) return false;
    const bool has_other_word = std::ranges::any_of(
        std::array{"alibi", "xpos", "freq_base", "ntk"},
        [&](const char* word) { return key.find(word) != std::string_view::npos; });
    return may_change_table_by_name(key) || (!is_known && has_other_word && !section.is_false(key));
}

bool has_rotary_keys(const Section& section) {
    if (const std::optional<Section> attention = section.object_if_one("attn_config")) {
        const bool is_off = attention->is_false("rope");
        if (!is_off && (attention->has("rope") || attention->has("rope_theta"))) return true;
    }
    return std::ranges::any_of(section.keys(), [&](const std::string& key) {
        return is_rotary_key(key) && section.has(key) && !section.is_false(key);
    });
}

std::string_view image_key(const Section& section, std::string_view model_type) {
    if (section.has("_class_name")) return "_class_name";
    // Text models may have patches as well: patches of bytes, or of a vision tower with keys at the
    // same level.
    if (section.has("vocab_size") || section.has("text_config")) return "";
    const std::string_view name = model_type;
    const bool is_named =
        !find_family(name) && !name.ends_with("text") && !name.ends_with("text_model") &&
        std::ranges::any_of(std::array{"vision", "visual", "video", "_vit"}, [&](const char* word) {
            return name.find(word) != std::string_view::npos;
        });
    const bool is_grid = !grid_command(name).empty() || is_named;
    if (is_grid && section.has("model_type") && section.prefix.empty()) return "model_type";
    const auto key = std::ranges::find_if(
        grid_keys, [&](const char* candidate) { return section.has(candidate); });
    if (key != grid_keys.end()) return *key;
    return is_grid && !section.prefix.empty() ? "model_type" : "";
}

bool is_rotary(const Section& section, std::string_view model_type) {
    const UnrotatedPositions* other = find_unrotated(section, model_type);
    if (other && other->is_certain) return false;
    return (!model_type.empty() && find_family(model_type)) || has_rotary_keys(section) ||
           says_rotary(section);
}

void check_is_rotary(const Section& root, std::string_view model_type) {
    check_special_keys(root, model_type);
    const bool is_known_rotary = is_rotary(root, model_type);
    const UnrotatedPositions* other = find_unrotated(root, model_type);
    if (is_known_rotary || !other) check_no_grid(root, model_type);
    // "absolute" is the default of a base class, which the code of rotary models does not read.
    // Unknown values are reported as doubtful.
    check_type(root, model_type, is_known_rotary ? !other : other != nullptr);
    if (is_known_rotary) return;
    if (other) {
        refuse_with(root, model_type, "model_type",
                    fmt::format("{} has no rotary positions, but {}", model_type, other->kind),
                    *other);
    }
    // Meta's params.json for Llama and Llama 2 has no key about rotary positions.
    const bool is_meta = model_type.empty() && root.has("dim") && root.has("n_heads");
    const bool is_old = root.is_null("rope_scaling");
    if (!is_meta && !is_old) refuse_unknown(root, model_type);
}

}  // namespace pegen::encodings
