#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "core/parameters.h"
#include "encodings/encoding.h"
#include "encodings/preset.h"
#include "formats/format.h"

// The program's lists of encodings, presets and so on as JSON, for `pe-gen list` and for the page
// of `pe-gen explore`.
namespace pegen::cli {

/// Returns a list of objects with name, aliases, type, default, summary, choices, and the limits of
/// its numbers.
nlohmann::ordered_json parameters_json(std::span<const ParameterSpec> specs);

nlohmann::ordered_json encodings_json(std::span<const Encoding* const> encodings);
nlohmann::ordered_json preset_json(const Preset& preset);
nlohmann::ordered_json presets_json();
nlohmann::ordered_json formats_json(std::span<const Format* const> formats);

/// Returns a list of objects with name and summary.
nlohmann::ordered_json names_json(const auto& things) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& thing : things) {
        list.push_back({{"name", thing->name}, {"summary", thing->summary}});
    }
    return list;
}

}  // namespace pegen::cli
