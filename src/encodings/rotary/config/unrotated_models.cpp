#include "encodings/rotary/config/unrotated_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>

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
    Positions{"roberta xlm-roberta albert electra distilbert opt gpt_neo gpt_bigcode",
              "learned positions: pe-gen learned"},
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
    Positions{"alibi", "ALiBi: pe-gen alibi"},
};

/// Returns what `name` stands for; "" if it is not known.
std::string_view positions_of(std::span<const Positions> list, std::string_view name) {
    const auto found = std::ranges::find_if(list, [&](const Positions& positions) {
        return std::ranges::count(words(positions.model_types), name) > 0;
    });
    return found == list.end() ? "" : found->text;
}

/// True if the file has keys of rotary positions that are neither null nor false.
bool has_rotary_keys(const Section& root) {
    const std::optional<Section> attention = root.object_if_one("attn_config");
    if (attention && attention->has("rope") && !attention->is_false("rope")) return true;
    return std::ranges::any_of(root.keys(), [&](const std::string& key) {
        const bool is_rotary =
            key.find("rope") != std::string::npos || key.find("rotary") != std::string::npos;
        return is_rotary && root.has(key) && !root.is_false(key);
    });
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
    if (model_type == "zamba2" && (!root.has("use_mem_rope") || root.is_false("use_mem_rope"))) {
        root.refuse("use_mem_rope", "zamba2 has no positions unless it is true");
    }
}

}  // namespace

void check_is_rotary(const Section& root, std::string_view model_type) {
    check_special_keys(root, model_type);
    const std::string type = root.word("position_embedding_type");
    if (type == "nope") {
        root.refuse("position_embedding_type", "nope: the model has no positions");
    }
    const bool is_rotary = (!model_type.empty() && find_family(model_type)) ||
                           has_rotary_keys(root) || type.find("rotary") != std::string::npos ||
                           type.find("rope") != std::string::npos;
    if (is_rotary) return;
    const std::string_view by_type = positions_of(types, type);
    if (!by_type.empty() && type != "absolute") {
        root.refuse("position_embedding_type",
                    fmt::format("{} is not rotary; the model has {}", type, by_type));
    }
    const std::string_view by_family = positions_of(families, model_type);
    if (!by_family.empty()) {
        root.refuse("model_type",
                    fmt::format("{} has no rotary positions, but {}", model_type, by_family));
    }
    if (!by_type.empty()) {
        root.refuse("position_embedding_type",
                    fmt::format("{} is not rotary; the model has {}", type, by_type));
    }
}

}  // namespace pegen::encodings
