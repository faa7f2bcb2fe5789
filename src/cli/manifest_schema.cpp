#include "cli/manifest_schema.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "cli/job_request.h"
#include "cli/options.h"
#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number_schema(const ParameterSpec& spec, const char* type) {
    Json schema{{"type", type}};
    const char* const least = spec.range.lowest_is_open ? "exclusiveMinimum" : "minimum";
    if (std::isfinite(spec.range.lowest)) schema[least] = spec.range.lowest;
    if (std::isfinite(spec.range.highest)) schema["maximum"] = spec.range.highest;
    return schema;
}

Json words_schema(std::string_view choices) {
    return {{"type", "string"}, {"enum", words(choices)}};
}

/// Allows a number or several.
Json list_schema(const Json& number) {
    return {{"anyOf", {number, {{"type", "array"}, {"items", number}}, {{"type", "string"}}}}};
}

Json value_schema(const ParameterSpec& spec) {
    switch (spec.type) {
        case ParameterType::integer:
            return number_schema(spec, "integer");
        case ParameterType::real: {
            const Json number = number_schema(spec, "number");
            return spec.choices.empty() ? number
                                        : Json{{"anyOf", {number, words_schema(spec.choices)}}};
        }
        case ParameterType::integers:
            return list_schema(number_schema(spec, "integer"));
        case ParameterType::reals:
            return list_schema(number_schema(spec, "number"));
        case ParameterType::size:
            return {{"type", "string"}, {"pattern", "^[0-9.]+x[0-9.]+$"}};
        case ParameterType::word:
            return words_schema(spec.choices);
        case ParameterType::text:
            return {{"type", {"string", "number", "array"}}};
        case ParameterType::path:
            return {{"type", "string"}, {"minLength", 1}};
        case ParameterType::flag:
            break;
    }
    return {{"type", "boolean"}};
}

Json described(const ParameterSpec& spec) {
    Json schema = value_schema(spec);
    schema["description"] = spec.summary;
    if (!spec.default_value.empty()) schema["default"] = spec.default_value;
    return schema;
}

/// The names of an option in manifests.
std::vector<std::string> names_of(const ParameterSpec& spec) {
    std::vector<std::string> names{std::string(spec.name)};
    for (const std::string_view alias : words(spec.aliases)) {
        if (alias.size() > 1) names.emplace_back(alias);
    }
    return names;
}

/// The options that all encodings share; jobs refer to them.
Json common_options() {
    const Encoding& any = *all_encodings().front();
    Json definitions = Json::object();
    for (const ParameterSpec* spec : job_options({&any, nullptr})) {
        if (!is_among(any.parameters, spec))
            definitions[std::string(spec->name)] = described(*spec);
    }
    return definitions;
}

Json options_schema(const Encoding& encoding) {
    Json properties = Json::object();
    for (const ParameterSpec* spec : job_options({&encoding, nullptr})) {
        const Json schema = is_among(encoding.parameters, spec)
                                ? described(*spec)
                                : Json{{"$ref", "#/definitions/" + std::string(spec->name)}};
        for (const std::string& name : names_of(*spec)) properties[name] = schema;
    }
    return properties;
}

Json sweep_schema(const Json& options) {
    Json properties = Json::object();
    for (const auto& [name, schema] : options.items()) {
        properties[name] = {{"type", "array"}, {"items", schema}, {"minItems", 1}};
    }
    return {{"type", "object"},
            {"description", "a job for each combination of these values"},
            {"properties", properties},
            {"additionalProperties", false}};
}

/// The names and aliases of the encoding and its presets.
std::vector<std::string_view> names_of(const Encoding& encoding) {
    std::vector<std::string_view> names{encoding.name};
    for (const Preset& preset : all_presets()) {
        if (preset.encoding != &encoding) continue;
        names.push_back(preset.name);
        for (const std::string_view alias : words(preset.aliases)) names.push_back(alias);
    }
    return names;
}

/// Applies to a job that names the encoding or one of its presets.
Json condition(const Encoding& encoding) {
    const Json options = options_schema(encoding);
    Json properties{{"encoding", {{"description", encoding.summary}}}};
    properties.update(options);
    properties["sweep"] = sweep_schema(options);
    return {{"if",
             {{"properties", {{"encoding", {{"enum", names_of(encoding)}}}}},
              {"required", {"encoding"}}}},
            {"then", {{"properties", properties}, {"additionalProperties", false}}}};
}

Json job_schema() {
    Json names = Json::array(), conditions = Json::array();
    for (const auto& encodings : {all_encodings(), all_mechanisms()}) {
        for (const Encoding* encoding : encodings) {
            for (const std::string_view name : names_of(*encoding)) names.push_back(name);
            conditions.push_back(condition(*encoding));
        }
    }
    return {{"type", "object"},
            {"properties", {{"encoding", {{"enum", names}}}, {"sweep", {{"type", "object"}}}}},
            {"allOf", conditions}};
}

}  // namespace

std::string manifest_schema() {
    const Json defaults{{"type", "object"}, {"description", "options of every job that has them"}};
    const Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                      {"title", "Manifest of pe-gen batch"},
                      {"type", "object"},
                      {"properties",
                       {{"$schema", {{"type", "string"}}},
                        {"defaults", defaults},
                        {"jobs", {{"type", "array"}, {"items", job_schema()}}}}},
                      {"required", {"jobs"}},
                      {"additionalProperties", false},
                      {"definitions", common_options()}};
    return schema.dump(1) + "\n";
}

}  // namespace pegen::cli
