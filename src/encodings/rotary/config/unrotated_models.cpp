#include "encodings/rotary/config/unrotated_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "core/error.h"
#include "core/names.h"
#include "encodings/rotary/config/model_families.h"

namespace pegen::encodings {
namespace {

/// What models have that have no rotary positions.
struct Positions {
    std::string_view model_types;  ///< separated by spaces
    std::string_view text;         ///< and the command
};

constexpr std::array families{
    Positions{"bert", "learned positions: pe-gen bert"},
    Positions{"gpt2", "learned positions: pe-gen gpt2"},
    Positions{"bart", "learned positions: pe-gen bart"},
    Positions{"vit", "learned positions: pe-gen vit"},
    Positions{"roberta xlm-roberta camembert longformer albert electra distilbert opt gpt_neo "
              "gpt_bigcode",
              "learned positions: pe-gen learned"},
    Positions{"clip clip_text_model", "learned positions: pe-gen clip-text"},
    Positions{"whisper",
              "sinusoids in its encoder, learned positions in its decoder: pe-gen "
              "whisper, pe-gen learned"},
    Positions{"jamba nemotron_h mamba mamba2 falcon_mamba",
              "layers that run through the sequence: there is no table"},
    Positions{"bloom", "ALiBi: pe-gen bloom"},
    Positions{"mpt", "ALiBi or learned positions: pe-gen mpt, pe-gen learned"},
    Positions{"t5 mt5 umt5", "buckets of distances: pe-gen t5"},
    Positions{"deberta-v2", "buckets of distances: pe-gen deberta-v2"},
    Positions{"xlnet", "sines of distances: pe-gen xlnet"},
};

/// By position_embedding_type.
constexpr std::array types{
    Positions{"absolute learned learned_absolute", "learned positions: pe-gen learned"},
    Positions{"relative_key relative_key_query", "relative positions: pe-gen shaw-hf-bert"},
    Positions{"relative", "relative positions"},
    Positions{"sinusoidal sinusoid", "sinusoids: pe-gen sinusoid"},
    Positions{"alibi", "ALiBi: pe-gen alibi"},
    Positions{"nope none", "no positions"},
};

/// Keys that say by false that there are no rotary positions.
constexpr std::array switches{"rope",
                              "rotary",
                              "use_rope",
                              "use_rotary",
                              "use_rotary_embeddings",
                              "use_rotary_position_embeddings"};

/// Returns what `name` stands for; "" if it is not known.
std::string_view positions_of(std::span<const Positions> list, std::string_view name) {
    const auto found = std::ranges::find_if(list, [&](const Positions& positions) {
        return std::ranges::count(words(positions.model_types), name) > 0;
    });
    return found == list.end() ? "" : found->text;
}

void check_no_alibi(const Section& section, std::string_view model_type) {
    if (!section.has("alibi") || section.is_false("alibi")) return;
    const bool has_preset = model_type == "falcon" || model_type == "mpt";
    section.refuse("alibi", fmt::format("the model has no rotary positions, but ALiBi: pe-gen {}",
                                        has_preset ? model_type : "alibi"));
}

/// Refuses what single keys say, whatever other keys there are.
void check_special_keys(const Section& root, std::string_view model_type) {
    check_no_alibi(root, model_type);
    if (const auto inner = root.object_if_one("attn_config")) check_no_alibi(*inner, model_type);
    if (model_type == "baichuan" && root.count("hidden_size").value_or(4096) != 4096) {
        root.refuse("model_type",
                    "baichuan has no rotary positions, but ALiBi, unless hidden_size is 4096: "
                    "pe-gen baichuan");
    }
    if (root.has("position_encoding_2d") && !root.is_false("position_encoding_2d")) {
        root.refuse("position_encoding_2d",
                    "halves of a head turn by two positions, for which there is no table here");
    }
    for (const char* key : switches) {
        if (root.is_false(key)) {
            root.refuse(key, "false: the model has no rotary positions");
        }
    }
    if (model_type == "zamba2" && (!root.has("use_mem_rope") || root.is_false("use_mem_rope"))) {
        root.refuse("use_mem_rope", "zamba2 has no positions unless it is true");
    }
}

/// Refuses what position_embedding_type says, if it is not rotary.
void check_type(const Section& root, bool is_known) {
    for (const char* key : {"position_embedding_type", "position_embeddings_type"}) {
        const std::string type = root.text(key).value_or("");
        // Where more is known, this may be no more than the default of a base class.
        if (type == "absolute" && is_known) continue;
        const std::string_view positions = positions_of(types, type);
        if (positions.empty()) continue;
        root.refuse(key, fmt::format("{} is not rotary; the model has {}", type, positions));
    }
}

/// True if a value says that the positions are rotary.
bool says_rotary(const Section& root) {
    return std::ranges::any_of(std::array{"position_embedding_type", "position_embeddings_type"},
                               [&](const char* key) {
                                   const std::string type = root.text(key).value_or("");
                                   return type.find("rotary") != std::string::npos ||
                                          type.find("rope") != std::string::npos;
                               });
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

bool is_rotary_key(std::string_view key) {
    return std::ranges::any_of(
        std::array{"rope", "rotary", "theta", "yarn"},
        [&](const char* word) { return key.find(word) != std::string_view::npos; });
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

void check_is_rotary(const Section& root, std::string_view model_type) {
    check_special_keys(root, model_type);
    const bool is_rotary = (!model_type.empty() && find_family(model_type)) ||
                           has_rotary_keys(root) || says_rotary(root);
    const std::string_view by_family = positions_of(families, model_type);
    check_type(root, is_rotary || !by_family.empty());
    if (is_rotary) return;
    if (!by_family.empty()) {
        root.refuse("model_type",
                    fmt::format("{} has no rotary positions, but {}", model_type, by_family));
    }
    // What Meta wrote for Llama and Llama 2 has no key of them.
    const bool is_meta = model_type.empty() && root.has("dim") && root.has("n_heads");
    const bool is_old = root.is_null("rope_scaling");
    if (!is_meta && !is_old) refuse_unknown(root, model_type);
}

}  // namespace pegen::encodings
