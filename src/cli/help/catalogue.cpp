#include "cli/help/catalogue.h"

#include <cmath>

#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::cli {

namespace {

std::string_view type_name(ParameterType type) {
    switch (type) {
        case ParameterType::integer:
            return "integer";
        case ParameterType::real:
            return "real";
        case ParameterType::integers:
            return "integers";
        case ParameterType::reals:
            return "reals";
        case ParameterType::size:
            return "size";
        case ParameterType::word:
            return "word";
        case ParameterType::text:
            return "text";
        case ParameterType::path:
            return "path";
        case ParameterType::flag:
            break;
    }
    return "flag";
}

}  // namespace

Json parameters_json(std::span<const ParameterSpec> specs) {
    Json list = Json::array();
    for (const ParameterSpec& spec : specs) {
        Json parameter{{"name", spec.name},
                       {"aliases", words(spec.aliases)},
                       {"type", type_name(spec.type)},
                       {"default", nullptr},
                       {"summary", spec.summary}};
        if (std::isfinite(spec.range.lowest)) {
            parameter["lowest"] = spec.range.lowest;
            if (spec.range.lowest_is_open) parameter["lowest_is_open"] = true;
        }
        if (std::isfinite(spec.range.highest)) parameter["highest"] = spec.range.highest;
        if (spec.is_extent()) parameter["is_extent"] = true;
        if (!spec.default_value.empty()) parameter["default"] = spec.default_value;
        if (!spec.choices.empty()) parameter["choices"] = words(spec.choices);
        if (const auto& [other, choices] = spec.used_with; !other.empty()) {
            parameter["used_with"] = {{"parameter", other}, {"choices", words(choices)}};
        }
        list.push_back(std::move(parameter));
    }
    return list;
}

Json encodings_json(std::span<const Encoding* const> encodings) {
    Json list = Json::array();
    for (const Encoding* encoding : encodings) {
        Json tables = Json::array();
        for (const TableSpec& table : encoding->tables) {
            tables.push_back({{"name", table.name},
                              {"summary", table.summary},
                              {"dtype", info(table.dtype).name}});
        }
        list.push_back({{"name", encoding->name},
                        {"summary", encoding->summary},
                        {"formula", encoding->formula},
                        {"source", encoding->source},
                        {"tables", tables},
                        {"parameters", parameters_json(encoding->parameters)}});
    }
    return list;
}

Json preset_json(const Preset& preset) {
    return {{"name", preset.name},
            {"aliases", words(preset.aliases)},
            {"encoding", preset.encoding->name},
            {"settings", preset.settings},
            {"summary", preset.summary},
            {"source", preset.source},
            {"note", preset.note}};
}

Json presets_json() {
    Json list = Json::array();
    for (const Preset& preset : all_presets()) list.push_back(preset_json(preset));
    return list;
}

Json formats_json(std::span<const Format* const> formats) {
    Json list = Json::array();
    for (const Format* format : formats) {
        list.push_back({{"name", format->name},
                        {"summary", format->summary},
                        {"extensions", words(format->extensions)},
                        {"parameters", parameters_json(format->parameters())}});
    }
    return list;
}

}  // namespace pegen::cli
