#include "encodings/rotary/config/mrope_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/names.h"
#include "core/number.h"

namespace pegen::encodings {
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
