#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/parameters.h"
#include "encodings/rotary/config/model_families.h"
#include "encodings/rotary/config/settings.h"

// What a model's own configuration says of its rotary positions: config.json of Hugging Face,
// params.json of Meta's checkpoints.
namespace pegen::encodings {

inline constexpr ParameterSpec config_parameter{
    .name = "config",
    .type = ParameterType::path,
    .summary = "a model's config.json or params.json, for parameters that are not given"};

inline constexpr ParameterSpec layer_type_parameter{
    .name = "layer-type",
    .type = ParameterType::text,
    .summary =
        "which layers, if a configuration has several types: full_attention, sliding_attention"};

struct ModelConfig {
    std::string path;
    std::string model_type;               ///< "" if it names none
    const ModelFamily* family = nullptr;  ///< nullptr if it is not known
    std::vector<ConfigSetting> settings;
    std::vector<std::string> ignored;  ///< keys about rotary positions without an effect here
    std::vector<std::string> doubted;  ///< keys that are not known, and may change the table
    std::string other_layers;          ///< what is to be known of layers that differ; may be ""
    std::string other_models = "";     ///< which models of the file have this table; "": one has
};

/// Reads a configuration, which is not trusted: at most 4 MiB of JSON. `layer_type` may be "".
/// Throws: FileError; FormatError for what is contradictory, unknown or missing, with the key.
ModelConfig read_model_config(std::string_view path, std::string_view layer_type);

/// The same for `text`, the content of the file.
ModelConfig parse_model_config(std::string_view text, std::string_view path,
                               std::string_view layer_type);

/// Reads the configuration that the parameters name; none if they name none. Throws: as
/// read_model_config; UsageError if there is a preset, or a layer type alone.
std::optional<ModelConfig> config_of(const Parameters& parameters);

/// Sets every parameter that the user did not give to the configuration's value.
/// Throws: FormatError if a value is not allowed.
Parameters with_config(Parameters parameters, const ModelConfig& config);

/// Throws what is wrong with parameters that the configuration alone accounts for, as the file's
/// fault, with the key. Throws: FormatError.
[[noreturn]] void blame(const ModelConfig& config, const UsageError& error);

}  // namespace pegen::encodings
