#include "encodings/rotary/config/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/names.h"
#include "core/number.h"
#include "encodings/rotary/scaling.h"

namespace pegen::encodings {
namespace {

/// The settings of a configuration, sorted by what became of them.
struct Outcome {
    std::vector<ConfigSetting> taken;
    std::vector<ConfigSetting> replaced;  ///< overridden by the user's options
    std::vector<std::string> ignored;
};

Outcome outcome_of(const ModelConfig& config, const Parameters& resolved) {
    Outcome result{.taken = {}, .replaced = {}, .ignored = config.ignored};
    for (const ConfigSetting& setting : config.settings) {
        if (resolved.given(setting.parameter)) {
            result.replaced.push_back(setting);
        } else if (resolved.has(setting.parameter)) {
            result.taken.push_back(setting);
        } else {
            result.ignored.push_back(setting.source);
        }
    }
    return result;
}

/// Returns a warning if yarn's factor is not the quotient of the two lengths; "" otherwise.
std::string yarn_warning(const Parameters& p) {
    if (p.word("scaling") != "yarn" || !p.has("max-position-embeddings")) return "";
    const double quotient = static_cast<double>(p.integer("max-position-embeddings")) /
                            static_cast<double>(p.integer("original-max-position-embeddings"));
    if (quotient == p.real("factor")) return "";
    return fmt::format(
        "; factor {} is not max_position_embeddings / original_max_position_embeddings, {}, which "
        "Transformers 4.51 to 4.55 took instead",
        shortest(p.real("factor")), shortest(quotient));
}

/// Returns which of longrope's two lists is used, and why; "" for other scaling types, and if the
/// lists are the same.
std::string list_in_use(const Parameters& p) {
    if (p.word("scaling") != "longrope" || p.reals("short-factor") == p.reals("long-factor")) {
        return "";
    }
    const bool is_long = has_long_factors(p);
    return fmt::format("{}, since --seq-len {} is {} original_max_position_embeddings {}",
                       is_long ? "long_factor" : "short_factor", p.integer("seq-len"),
                       is_long ? "beyond" : "within",
                       p.integer("original-max-position-embeddings"));
}

/// True if neither the file, nor the code of the model's family, nor the user sets the parameter.
bool is_open(std::string_view parameter, const ModelConfig& config, const Parameters& resolved) {
    const bool is_set = std::ranges::find(config.settings, parameter, &ConfigSetting::parameter) !=
                        config.settings.end();
    return !is_set && !resolved.given(parameter);
}

std::string pairs(const ModelConfig& config, const Parameters& resolved) {
    if (is_open("pairing", config, resolved)) {
        return "not known for this model: see how its code rotates; half is usual in Hugging "
               "Face's";
    }
    return resolved.word("pairing") == "half" ? "half: channels m and m + r/2 turn together"
                                              : "interleaved: channels 2m and 2m + 1 turn together";
}

std::vector<FileDescription::Remark> remarks_on(const ModelConfig& config,
                                                const Parameters& resolved) {
    std::vector<FileDescription::Remark> remarks{{"Pairs", pairs(config, resolved)}};
    if (is_open("base", config, resolved)) {
        remarks.push_back({"Base", "10000, the usual one: the file gives none"});
    }
    if (const std::string list = list_in_use(resolved); !list.empty()) {
        remarks.push_back({"List in use", list});
    }
    if (!config.other_layers.empty()) remarks.push_back({"Layers", config.other_layers});
    if (!config.other_models.empty()) remarks.push_back({"Models", config.other_models});
    if (!config.doubted.empty()) {
        remarks.push_back({"Not known", fmt::format("{}: not read, and may change the table",
                                                    joined(config.doubted, ", "))});
    }
    if (!config.vision.empty()) remarks.push_back({"vision_config", config.vision});
    if (config.family) remarks.push_back({"What goes wrong", std::string(config.family->note)});
    return remarks;
}

}  // namespace

std::string sources(const ModelConfig& config, const Parameters& resolved) {
    const Outcome outcome = outcome_of(config, resolved);
    const auto list = [](const std::vector<ConfigSetting>& settings) {
        std::vector<std::string> texts;
        for (const ConfigSetting& setting : settings) texts.push_back(setting.source);
        return joined(texts, ", ");
    };
    std::string text = fmt::format("{}: took {}", config.path, list(outcome.taken));
    if (!outcome.replaced.empty()) text += fmt::format("; replaced {}", list(outcome.replaced));
    if (!outcome.ignored.empty()) {
        text += fmt::format("; ignored {}", joined(outcome.ignored, ", "));
    }
    if (!config.doubted.empty()) {
        text +=
            fmt::format("; not known, and may change the table: {}", joined(config.doubted, ", "));
    }
    return text;
}

std::string summary(const ModelConfig& config, const Parameters& resolved) {
    std::string text = sources(config, resolved);
    if (is_open("base", config, resolved)) {
        text += "; base 10000, the usual one, since the file gives none";
    }
    if (const std::string list = list_in_use(resolved); !list.empty()) text += "; uses " + list;
    if (is_open("pairing", config, resolved)) {
        text +=
            "; which channels are a pair is not known for this model: half unless --pairing "
            "says otherwise";
    }
    if (!config.other_layers.empty()) text += fmt::format("; {}", config.other_layers);
    if (!config.other_models.empty()) text += fmt::format("; {}", config.other_models);
    return text + yarn_warning(resolved);
}

FileDescription description(const ModelConfig& config, const Parameters& resolved) {
    const Outcome outcome = outcome_of(config, resolved);
    FileDescription result{
        .title = fmt::format("{}: rotary positions{}{}", config.path,
                             config.model_type.empty() ? "" : " of ", config.model_type),
        .taken = {},
        .ignored = outcome.ignored,
        .parameters = resolved,
        .remarks = remarks_on(config, resolved)};
    for (const ConfigSetting& setting : outcome.taken) {
        result.taken.push_back({setting.parameter, setting.source});
    }
    return result;
}

}  // namespace pegen::encodings
