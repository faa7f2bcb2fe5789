#pragma once

#include <string_view>

#include "encodings/encoding.h"
#include "encodings/registry.h"

/// Calls check(name, encoding, parameters, preset) for every encoding and preset, with small
/// extents; `preset` is "" for an encoding.
template <class Check>
void for_each_name(Check check) {
    const auto small = [](const pegen::Encoding& encoding, pegen::Parameters parameters,
                          std::string_view settings) {
        const bool has_one_axis = settings.find("--axes x ") != settings.npos;
        for (const pegen::ParameterSpec& spec : encoding.parameters) {
            const auto set = [&](std::string_view value) {
                parameters.set(spec.name, value, pegen::Origin::user);
            };
            if (spec.name == "len") set("24");
            if (spec.name == "width") set("8");
            if (spec.name == "height" && !has_one_axis) set("4");
        }
        return parameters;
    };
    for (const pegen::Encoding* encoding : pegen::all_encodings()) {
        check(encoding->name, *encoding,
              small(*encoding, pegen::Parameters(encoding->parameters), ""), "");
    }
    for (const pegen::Preset& preset : pegen::all_presets()) {
        check(preset.name, *preset.encoding,
              small(*preset.encoding, parameters_of(preset), preset.settings), preset.name);
    }
}
