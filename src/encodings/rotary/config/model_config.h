#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/parameters.h"
#include "encodings/rotary/config/model_families.h"
#include "encodings/rotary/config/section.h"

namespace pegen::encodings {

// The rotary positions that a model's own configuration describes: config.json of Hugging Face,
// params.json of Meta's checkpoints, or a GGUF file.

inline constexpr ParameterSpec config_parameter{
    .name = "config",
    .type = ParameterType::path,
    .summary =
        "a model's config.json, params.json or GGUF file, for parameters that are not given"};

inline constexpr ParameterSpec layer_type_parameter{
    .name = "layer-type",
    .type = ParameterType::text,
    .summary =
        "which layers, if a configuration has several types: full_attention, sliding_attention"};

struct ModelConfig {
    std::string path;
    std::string model_type;               ///< "" if the file names none
    const ModelFamily* family = nullptr;  ///< nullptr if the family is unknown
    std::vector<ConfigSetting> settings;
    std::vector<std::string> ignored;  ///< keys about rotary positions that have no effect
    std::vector<std::string> doubted;  ///< unknown keys that may change the table
    std::string other_layers;          ///< note on layers that differ; "" without such layers
    std::string other_models = "";     ///< models of the file with this table; "": only one
    std::string vision = "";           ///< commands for the positions of the file's vision_config
    std::optional<ConfigSetting> sections = {};  ///< mrope_section, which rope ignores
    std::optional<bool> are_interleaved = {};    ///< mrope_interleaved
    std::optional<ConfigSetting> rate = {};      ///< positions per second of video, likewise
};

/// Returns the content of a configuration, which is untrusted input: at most 4 MiB of JSON. Throws:
/// FileError; FormatError if it is not an object, or a GGUF file.
Json read_config(std::string_view path);

/// Reads a configuration, which is untrusted input: at most 4 MiB of JSON, or a GGUF file of any
/// size. `layer_type` may be "". Throws: FileError; FormatError, naming the key, for contradictory,
/// unknown or missing values.
ModelConfig read_model_config(std::string_view path, std::string_view layer_type);

/// Reads a configuration from `text`, the content of the file `path`.
ModelConfig parse_model_config(std::string_view text, std::string_view path,
                               std::string_view layer_type);

/// Checks that no preset is given, which would contradict a configuration. Throws: UsageError,
/// with the encoding, of which it is one.
void check_no_preset(const Parameters& parameters, std::string_view encoding);

/// Reads the configuration that the parameters name; returns nothing if they name none. Throws: as
/// read_model_config; UsageError if a preset is given, or a layer type without a configuration.
std::optional<ModelConfig> config_of(const Parameters& parameters);

/// Sets every parameter that the user did not give to the value in the configuration. Throws:
/// FormatError if a value is not allowed.
Parameters with_config(Parameters parameters, const ModelConfig& config);

/// Returns the setting that an error is about, judged by its message; nullptr if there is none.
const ConfigSetting* cause_of(const ModelConfig& config, const UsageError& error);

/// Reports an error in parameters that come only from the configuration as an error of the file,
/// naming the key. Throws: FormatError, always.
[[noreturn]] void blame(const ModelConfig& config, const UsageError& error);

/// Returns what the configuration that the parameters name says about the positions of mrope: d,
/// base, sections, order, layout and frame-step. Returns nothing if they name none. Throws: as
/// config_of; FormatError if the frequencies are scaled, or neither the file nor the code of the
/// model's family gives the sections.
std::optional<ModelConfig> mrope_config_of(const Parameters& parameters);

}  // namespace pegen::encodings
