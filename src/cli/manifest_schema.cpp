#include "cli/manifest_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "cli/job_request.h"
#include "cli/option_schemas.h"
#include "cli/options.h"
#include "cli/sweep_values.h"
#include "cli/value_schema.h"
#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::cli {
namespace {

using Json = nlohmann::ordered_json;

Json object_schema(std::string_view description) {
    return {{"type", "object"},
            {"description", description},
            {"properties", Json::object()},
            {"patternProperties", Json::object()},
            {"additionalProperties", false}};
}

/// Adds a property under its name, which editors complete, and under its other spellings.
void add_property(Json& object, std::string_view name, const Json& schema) {
    object["properties"][std::string(name)] = schema;
    if (name.find('-') == name.npos) return;
    object["patternProperties"][fmt::format("^{}$", spellings(name))] = schema;
}

/// The names of an option in manifests: those that is_called() knows.
std::vector<std::string_view> names_of(const ParameterSpec& spec) {
    std::vector<std::string_view> names = words(spec.aliases);
    std::erase_if(names, [](std::string_view alias) { return alias.size() == 1; });
    names.insert(names.begin(), spec.name);
    return names;
}

/// Adds the options to a job, and to its sweep if `sweep` is not null.
void add_options(const std::vector<OptionSchema>& options, Json& job, Json* sweep) {
    for (const auto& [spec, value, swept] : options) {
        for (const std::string_view name : names_of(*spec)) {
            add_property(job, name, value);
            if (sweep) add_property(*sweep, name, swept);
        }
    }
}

Json label_schema(const Json& value, std::string_view description) {
    return {{"type", "object"},
            {"description", description},
            {"propertyNames", {{"pattern", "^[^{}:/]+$"}}},
            {"additionalProperties", value},
            {"maxProperties", 64}};
}

Json label_value() { return {{"type", {"string", "number", "boolean"}}}; }

Json labels() { return label_schema(label_value(), "names of your own, for paths and the index"); }

Json swept_labels() {
    const Json list{{"type", "array"}, {"items", label_value()}, {"minItems", 1}};
    return label_schema({{"anyOf", {list, reference("range")}}}, "labels that are swept over");
}

Json empty_sweep() { return object_schema("a job for each combination of these values"); }

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

/// A text that is one of the names, in any spelling.
Json names_schema(const std::vector<std::string_view>& names) {
    std::string patterns;
    for (const std::string_view name : names) {
        if (name.find('-') == name.npos) continue;
        patterns += fmt::format("{}{}", patterns.empty() ? "" : "|", spellings(name));
    }
    Json schema{{"anyOf", {{{"enum", names}}}}};
    if (!patterns.empty()) {
        schema["anyOf"].push_back(
            {{"type", "string"}, {"pattern", fmt::format("^({})$", patterns)}});
    }
    return schema;
}

Json all_names() {
    std::vector<std::string_view> names;
    for (const Encoding* encoding : encodings_of_jobs()) {
        for (const std::string_view name : names_of(*encoding)) names.push_back(name);
    }
    return names_schema(names);
}

/// Applies to a job that names the encoding or one of its presets.
Json condition(const Encoding& encoding) {
    Json job = object_schema(encoding.summary), sweep = empty_sweep();
    add_options(options_of(encoding), job, &sweep);
    sweep["properties"]["labels"] = swept_labels();
    job["properties"]["encoding"] = {{"description", encoding.summary}};
    job["properties"]["labels"] = reference("labels");
    job["properties"]["sweep"] = sweep;
    return {{"if",
             {{"properties", {{"encoding", names_schema(names_of(encoding))}}},
              {"required", {"encoding"}}}},
            {"then", job}};
}

/// A job that gets its encoding from its sweep or from the defaults.
Json job_without_encoding(const std::vector<OptionSchema>& options) {
    Json job = object_schema("a table and its files"), sweep = empty_sweep();
    add_options(options, job, &sweep);
    sweep["properties"]["encoding"] = {{"type", "array"}, {"items", all_names()}, {"minItems", 1}};
    sweep["properties"]["labels"] = swept_labels();
    job["properties"]["labels"] = reference("labels");
    job["properties"]["sweep"] = sweep;
    return job;
}

Json job_schema(const std::vector<OptionSchema>& options) {
    Json conditions = Json::array();
    for (const Encoding* encoding : encodings_of_jobs()) {
        conditions.push_back(condition(*encoding));
    }
    conditions.push_back(
        {{"if", {{"not", {{"required", {"encoding"}}}}}}, {"then", job_without_encoding(options)}});
    return {{"type", "object"},
            {"properties", {{"encoding", all_names()}, {"sweep", {{"type", "object"}}}}},
            {"allOf", conditions}};
}

Json defaults_schema(const std::vector<OptionSchema>& options) {
    Json defaults = object_schema("options of every job that has them");
    add_options(options, defaults, nullptr);
    defaults["properties"]["encoding"] = all_names();
    defaults["properties"]["labels"] = reference("labels");
    return defaults;
}

/// True of an object with one of the keys.
Json has_one_of(const std::vector<std::string_view>& keys) {
    Json schemas = Json::array();
    for (const std::string_view key : keys) schemas.push_back({{"required", {key}}});
    return {{"anyOf", schemas}};
}

/// True of a manifest whose defaults have one of the keys, or all of whose jobs have one, be it in
/// their sweep.
Json jobs_have_one_of(const std::vector<std::string_view>& keys) {
    const Json has = has_one_of(keys);
    const Json swept{{"required", {"sweep"}}, {"properties", {{"sweep", has}}}};
    const Json in_defaults{{"required", {"defaults"}}, {"properties", {{"defaults", has}}}};
    const Json in_jobs{{"properties", {{"jobs", {{"items", {{"anyOf", {has, swept}}}}}}}}};
    return {{"anyOf", {in_defaults, in_jobs}}};
}

/// The options that name a file to be written.
std::vector<std::string_view> outputs() {
    std::vector<std::string_view> names;
    for (const ParameterSpec& spec : output_options()) {
        if (spec.type != ParameterType::path) continue;
        for (const std::string_view name : names_of(spec)) names.push_back(name);
    }
    return names;
}

Json range_schema() {
    const Json number{{"type", "number"}};
    const Json steps{{"type", "object"},
                     {"properties", {{"from", number}, {"to", number}, {"step", number}}},
                     {"required", {"from", "to"}},
                     {"additionalProperties", false}};
    const Json count{{"type", "integer"}, {"minimum", 1}, {"maximum", most_jobs}};
    const Json spacing{
        {"type", "array"}, {"items", {number, number, count}}, {"minItems", 3}, {"maxItems", 3}};
    Json any{steps};
    for (const std::string_view name : spacing_names()) {
        any.push_back({{"type", "object"},
                       {"properties", {{std::string(name), spacing}}},
                       {"required", {name}},
                       {"additionalProperties", false}});
    }
    return {{"anyOf", any}};
}

}  // namespace

std::string manifest_schema() {
    Json definitions = option_definitions();
    const std::vector<OptionSchema> options = options_of_any(definitions);
    definitions["range"] = range_schema();
    definitions["labels"] = labels();
    const Json schema{
        {"$schema", "http://json-schema.org/draft-07/schema#"},
        {"title", "Manifest of pe-gen batch"},
        {"type", "object"},
        {"properties",
         {{"$schema", {{"type", "string"}}},
          {"mkdir",
           {{"type", "boolean"}, {"description", "make the folders that files are to be in"}}},
          {"index",
           {{"type", "string"},
            {"pattern", "\\.jsonl$"},
            {"description", "a file with a line of JSON for each other file"}}},
          {"defaults", defaults_schema(options)},
          {"jobs", {{"type", "array"}, {"items", job_schema(options)}}}}},
        {"required", {"jobs"}},
        {"additionalProperties", false},
        {"allOf", {jobs_have_one_of({"encoding"}), jobs_have_one_of(outputs())}},
        {"definitions", definitions}};
    return schema.dump(1) + "\n";
}

}  // namespace pegen::cli
