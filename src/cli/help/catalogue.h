#pragma once

#include <span>

#include "core/json.h"
#include "core/parameters.h"
#include "encodings/encoding.h"
#include "formats/format.h"

// The program's lists of encodings, presets and so on as JSON, for `pe-gen list` and for the page
// of `pe-gen explore`.
namespace pegen::cli {

/// Returns a list of objects with name, aliases, type, default, summary, choices, and the limits of
/// its numbers.
Json parameters_json(std::span<const ParameterSpec> specs);

Json encodings_json(std::span<const Encoding* const> encodings);
Json preset_json(const Preset& preset);
Json presets_json();
Json formats_json(std::span<const Format* const> formats);

/// Returns a list of objects with name and summary.
Json names_json(const auto& things) {
    auto list = Json::array();
    for (const auto& thing : things) {
        list.push_back({{"name", thing->name}, {"summary", thing->summary}});
    }
    return list;
}

}  // namespace pegen::cli
