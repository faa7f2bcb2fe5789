#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "core/parameters.h"
#include "encodings/encoding.h"
#include "encodings/preset.h"
#include "formats/format.h"

// The lists of the program as JSON, for list and for pages.
namespace pegen::cli {

/// A list of objects: name, aliases, type, default, summary, choices, and what limits its numbers.
nlohmann::ordered_json parameters_json(std::span<const ParameterSpec> specs);

nlohmann::ordered_json encodings_json(std::span<const Encoding* const> encodings);
nlohmann::ordered_json preset_json(const Preset& preset);
nlohmann::ordered_json presets_json();
nlohmann::ordered_json formats_json(std::span<const Format* const> formats);

/// A list of objects: name and summary.
nlohmann::ordered_json names_json(const auto& things) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& thing : things) {
        list.push_back({{"name", thing->name}, {"summary", thing->summary}});
    }
    return list;
}

}  // namespace pegen::cli
