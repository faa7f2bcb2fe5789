#include "cli/describe_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/text_layout.h"
#include "encodings/encoding.h"
#include "encodings/registry.h"
#include "encodings/rotary/model_config.h"

namespace pegen::cli {
namespace {

using encodings::ModelConfig;

/// Returns the parameters of rope by this configuration, resolved.
Parameters resolved(const Encoding& rope, std::string_view path, std::string_view layer_type) {
    Parameters parameters(rope.parameters);
    parameters.set("config", path, Origin::user);
    if (!layer_type.empty()) parameters.set("layer-type", layer_type, Origin::user);
    return rope.plan(parameters, rope.tables.front().name).parameters;
}

/// Returns the command that needs no file. What follows from other parameters is left out.
std::string command_of(const Encoding& rope, const ModelConfig& config, const Parameters& p) {
    std::string command = fmt::format("pe-gen {}", rope.name);
    for (const Parameters::Entry& entry : p.entries()) {
        const bool is_taken =
            std::ranges::find(config.settings, entry.spec->name,
                              &encodings::ConfigSetting::parameter) != config.settings.end();
        if (!is_taken || is_default(entry) || !p.has(entry.spec->name)) continue;
        const bool is_flag = entry.spec->type == ParameterType::flag;
        command += is_flag ? fmt::format(" --{}", entry.spec->name)
                           : fmt::format(" --{} {}", entry.spec->name, to_string(entry));
    }
    return command;
}

std::string_view pairs(std::string_view pairing) {
    return pairing == "half" ? "half: channels m and m + r/2 turn together"
                             : "interleaved: channels 2m and 2m + 1 turn together";
}

std::string family_text(const ModelConfig& config) {
    if (!config.family) {
        return paragraph(
            "not known for this model: see how its code rotates; half is usual in "
            "Hugging Face's",
            2);
    }
    return paragraph(pairs(config.family->pairing), 2) +
           fmt::format("\nWhat goes wrong\n{}", paragraph(config.family->note, 2));
}

}  // namespace

std::string config_description(std::string_view path, std::string_view layer_type) {
    const Encoding& rope = *find_encoding("rope");
    const ModelConfig config = encodings::read_model_config(path, layer_type);
    const Parameters p = resolved(rope, path, layer_type);
    std::string text = fmt::format("{}: rotary positions{}{}\n\nTaken\n", config.path,
                                   config.model_type.empty() ? "" : " of ", config.model_type);
    for (const encodings::ConfigSetting& setting : config.settings) {
        if (p.has(setting.parameter)) {
            text += two_columns(fmt::format("  --{}", setting.parameter), setting.source, 38);
        }
    }
    std::string ignored;
    for (const encodings::ConfigSetting& setting : config.settings) {
        if (!p.has(setting.parameter)) ignored += fmt::format("  {}\n", setting.source);
    }
    for (const std::string& key : config.ignored) ignored += fmt::format("  {}\n", key);
    if (!ignored.empty()) text += "\nIgnored\n" + ignored;
    text += fmt::format("\nThe same without the file\n  {}\n", command_of(rope, config, p));
    return text + "\nPairs\n" + family_text(config);
}

}  // namespace pegen::cli
