#include "encodings/rotary/config/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "core/names.h"
#include "core/number.h"

namespace pegen::encodings {
namespace {

struct Key {
    std::string_view name;
    std::string_view parameter;
};

constexpr std::array scaling_keys{
    Key{"factor", "factor"},
    Key{"original_max_position_embeddings", "original-max-position-embeddings"},
    Key{"max_position_embeddings", "max-position-embeddings"},
    Key{"attention_factor", "attention-factor"},
    Key{"beta_fast", "beta-fast"},
    Key{"beta_slow", "beta-slow"},
    Key{"mscale", "mscale"},
    Key{"mscale_all_dim", "mscale-all-dim"},
    Key{"low_freq_factor", "low-freq-factor"},
    Key{"high_freq_factor", "high-freq-factor"},
    Key{"short_factor", "short-factor"},
    Key{"long_factor", "long-factor"},
};

constexpr std::array other_keys{
    Key{"rope_theta", "base"},
    Key{"partial_rotary_factor", "partial-rotary-factor"},
};

/// Returns the parameter that belongs to a key; "" if there is none.
std::string_view parameter_of(std::span<const Key> keys, std::string_view name) {
    const auto found = std::ranges::find(keys, name, &Key::name);
    return found == keys.end() ? "" : found->parameter;
}

/// Returns this program's name for a scaling type. Throws: FormatError if the type is unknown.
std::string known_type(const Section& block, std::string_view key, const std::string& type) {
    const std::vector<std::string_view> known =
        words("linear dynamic yarn longrope llama3 ntk proportional");
    if (type == "default" || type == "mrope") return "none";
    if (type == "su") return "longrope";
    if (type == "xdrope") return "dynamic";
    if (std::ranges::find(known, type) != known.end()) return type;
    block.refuse(key, fmt::format("'{}' is not a known scaling type; use default, {}", type,
                                  joined(known, ", ")));
}

/// Checks a block without a scaling type. Throws: FormatError if the block has a key of a scaling.
void check_has_type(const Section& block) {
    for (const Key& key : scaling_keys) {
        if (!block.has(key.name)) continue;
        block.refuse(key.name,
                     "needs rope_type next to it, such as \"linear\"; without it Transformers 4 "
                     "fails and 5 does not scale");
    }
}

void read_type(const Section& block, ConfigSettings& settings) {
    std::string type, shown;
    for (const char* key : {"type", "rope_type"}) {
        if (!block.has(key)) continue;
        settings.mark(block, key);
        const std::string text = block.text(key).value();
        const std::string word = known_type(block, key, text);
        if (!type.empty() && type != word) {
            block.refuse(key,
                         fmt::format("{} contradicts type {}; remove one of them", text, shown));
        }
        type = word;
        shown = text;
        if (type != "none") {
            settings.set({.parameter = "scaling",
                          .text = type,
                          .source = fmt::format("{} {}", block.place(key), text)});
        }
    }
    if (type.empty()) check_has_type(block);
}

/// Reads HunYuan's dynamic scaling, which is NTK-aware scaling by the key alpha.
void read_alpha(const Section& block, ConfigSettings& settings) {
    const ConfigSetting* scaling = settings.find("scaling");
    if (!scaling || scaling->text != "dynamic") return;
    if (!block.has("alpha")) {
        if (scaling->source.ends_with("xdrope")) block.refuse("type", "xdrope needs alpha");
        return;
    }
    settings.set({.parameter = "scaling", .text = "ntk", .source = scaling->source});
    settings.take(block, "alpha", "factor");
    if (block.has("factor")) settings.ignore(block, "factor");
}

/// Lists the keys that have no effect on the table of a text.
void read_harmless(const Section& block, ConfigSettings& settings) {
    for (const char* key : {"mrope_section", "xdrope_section"}) {
        if (!block.has(key)) continue;
        if (!block.is_list(key)) block.refuse_value(key, "must be a list of numbers");
        const std::string sections = block.numbers(key).value();
        const bool has_table = std::string_view(key) == "mrope_section";
        if (has_table) {
            settings.set_sections({.parameter = "sections",
                                   .text = sections,
                                   .source = fmt::format("{} {}", block.place(key), sections),
                                   .place = block.place(key)},
                                  block.has("mrope_interleaved")
                                      ? std::optional(block.is_true("mrope_interleaved"))
                                      : std::nullopt);
        }
        settings.ignore(
            block, key,
            fmt::format(" {}: text has the table of one axis; for images and video {}", sections,
                        has_table ? "see pe-gen mrope --config" : "there is no table here"));
    }
    for (const char* key : {"mrope_interleaved", "interleaved", "finetuned"}) {
        settings.mark(block, key);
    }
    if (block.has("llama_4_scaling_beta")) {
        settings.ignore(block, "llama_4_scaling_beta", ", which scales the queries");
    }
}

/// Reads the attention factors that Phi-3.5-MoE gives directly, instead of by the formula.
void read_fixed_mscale(const Section& block, ConfigSettings& settings) {
    if (!block.has("short_mscale") || !block.has("long_mscale")) return;
    if (!block.has_same("short_mscale", block, "long_mscale")) {
        block.refuse("long_mscale",
                     "differs from short_mscale; give --attention-factor and remove both");
    }
    settings.mark(block, "short_mscale");
    settings.take(block, "long_mscale", "attention-factor");
}

void read_truncate(const Section& block, ConfigSettings& settings) {
    const std::optional<bool> truncate = block.flag("truncate");
    if (!truncate) return;
    settings.mark(block, "truncate");
    settings.set({.parameter = "no-truncate",
                  .text = *truncate ? "false" : "true",
                  .source = fmt::format("{} {}", block.place("truncate"), *truncate)});
}

/// Checks that no scaling is set that the key would replace. Throws: FormatError.
void check_unscaled(const Section& section, std::string_view key, const ConfigSettings& settings) {
    if (const ConfigSetting* scaling = settings.find("scaling")) {
        section.refuse(key, fmt::format("contradicts {}; remove one of them", scaling->source));
    }
}

}  // namespace

std::string scaling_type(const Section& block) {
    for (const char* key : {"rope_type", "type"}) {
        if (block.has(key)) return known_type(block, key, block.text(key).value());
    }
    return "none";
}

void read_scaling(const Section& block, ConfigSettings& settings) {
    read_type(block, settings);
    read_alpha(block, settings);
    read_fixed_mscale(block, settings);
    read_harmless(block, settings);
    for (const std::string& key : block.keys()) {
        if (!block.has(key) || settings.was_read(block, key)) continue;
        const std::string_view scaling = parameter_of(scaling_keys, key);
        const std::string_view other = parameter_of(other_keys, key);
        if (key == "truncate") {
            read_truncate(block, settings);
        } else if (scaling.empty() && other.empty()) {
            settings.doubt(block, key);
        } else {
            settings.take(block, key, scaling.empty() ? other : scaling);
        }
    }
}

void read_gte_ntk(const Section& block, ConfigSettings& settings) {
    const ConfigSetting* scaling = settings.find("scaling");
    if (!scaling || scaling->text != "ntk" || block.has("alpha")) return;
    const ConfigSetting *base = settings.find("base"), *d = settings.find("d");
    if (block.has("mixed_b")) {
        block.refuse("mixed_b",
                     "is not read; give the frequencies' divisors as --scaling longrope "
                     "--short-factor");
    }
    const double factor = block.number("factor").value_or(1);
    if (!d || !(factor > 0)) return;
    const double dim = parse_real(d->text, ""), theta = base ? parse_real(base->text, "") : 10000;
    const std::string source =
        fmt::format("{} with factor {}, as GTE's code has it", scaling->source, shortest(factor));
    settings.set({.parameter = "base", .text = shortest(theta * factor), .source = source});
    settings.set(
        {.parameter = "factor", .text = shortest(std::pow(factor, 2 / dim)), .source = source});
    settings.set({.parameter = "scaling", .text = "linear", .source = source});
}

void read_rotary(const Section& root, ConfigSettings& settings) {
    const std::optional<Section> rotary = root.object_if_one("rotary");
    if (!rotary) return;
    settings.mark(root, "rotary");
    settings.take(*rotary, "base", "base");
    const std::string type = rotary->text("type").value_or("origin");
    settings.mark(*rotary, "type");
    if (type == "dynamic") {
        check_unscaled(*rotary, "type", settings);
        const std::string source = fmt::format("{} dynamic", rotary->place("type"));
        settings.set({.parameter = "scaling", .text = type, .source = source});
        settings.set({.parameter = "factor", .text = "1", .source = source});
        settings.take_instead(*rotary, "scaling_factor", "factor");
    } else if (type != "origin") {
        rotary->refuse_value("type", "must be origin or dynamic");
    }
    settings.doubt_rest(*rotary);
}

void read_scaled_rope(const Section& root, ConfigSettings& settings) {
    settings.mark(root, "use_scaled_rope");
    if (!root.flag("use_scaled_rope").value_or(false)) return;
    check_unscaled(root, "use_scaled_rope", settings);
    for (const auto& [parameter, value] : {std::pair{"scaling", "llama3"},
                                           {"factor", "8"},
                                           {"low-freq-factor", "1"},
                                           {"high-freq-factor", "4"},
                                           {"original-max-position-embeddings", "8192"}}) {
        settings.set({.parameter = parameter,
                      .text = value,
                      .source = fmt::format("use_scaled_rope: {} {}", parameter, value)});
    }
    settings.take_instead(root, "rope_scaling_factor", "factor");
    settings.take_instead(root, "rope_high_freq_factor", "high-freq-factor");
}

void read_mistral_yarn(const Section& root, ConfigSettings& settings) {
    const std::optional<Section> yarn = root.object_if_one("yarn");
    if (!yarn) return;
    settings.mark(root, "yarn");
    check_unscaled(root, "yarn", settings);
    settings.set({.parameter = "scaling", .text = "yarn", .source = root.place("yarn")});
    constexpr std::array keys{
        Key{"factor", "factor"},
        Key{"original_max_position_embeddings", "original-max-position-embeddings"},
        Key{"beta", "beta-fast"},
        Key{"alpha", "beta-slow"},
    };
    for (const Key& key : keys) settings.take(*yarn, key.name, key.parameter);
    settings.mark(*yarn, "apply_scale");
    const bool is_scaled = yarn->flag("apply_scale").value_or(true);
    if (is_scaled && root.has("qk_rope_head_dim")) {
        yarn->refuse("apply_scale",
                     "what it multiplies is not known for a model with qk_rope_head_dim; set it to "
                     "false and give --attention-factor");
    }
    if (!is_scaled) {
        settings.set({.parameter = "attention-factor",
                      .text = "1",
                      .source = yarn->place("apply_scale") + " false"});
    }
    settings.doubt_rest(*yarn);
}

}  // namespace pegen::encodings
