#include "cli/batch/manifest_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "cli/batch/job_request.h"
#include "cli/batch/varied_values.h"
#include "cli/options.h"
#include "core/json.h"
#include "core/names.h"
#include "core/parameters.h"
#include "encodings/encoding.h"
#include "encodings/registry.h"
#include "files/json_text.h"

namespace pegen::cli {
namespace {

// Regular expressions for the numbers that parse_integer() and parse_real() read.
constexpr std::string_view integer_text = "-?(0|[1-9][0-9]*)";
constexpr std::string_view real_text = "-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?";

// A regular expression for arithmetic expressions: numbers and names between operators and
// parentheses.
constexpr std::string_view expression_text =
    "[-+( ]*(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|[A-Za-z_]+)"
    "([) ]*(\\*\\*|[-+*/^(])[-+( ]*(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|[A-Za-z_]+))*"
    "[) ]*";

/// Returns a regular expression for the name and its spellings with '_' for '-'. All other
/// characters are matched literally.
std::string spellings(std::string_view name) {
    constexpr std::string_view special = "\\^$.|?*+()[]{}";
    std::string pattern;
    for (const char c : name) {
        if (c == '-') {
            pattern += "[-_]";
        } else {
            if (special.find(c) != special.npos) pattern += '\\';
            pattern += c;
        }
    }
    return pattern;
}

/// Returns a schema that refers to a definition.
Json reference(std::string_view definition) {
    return {{"$ref", fmt::format("#/definitions/{}", definition)}};
}

Json text_schema(std::string_view pattern) {
    return {{"type", "string"}, {"pattern", fmt::format("^{}$", pattern)}};
}

Json number_schema(const ParameterSpec& spec, const char* type) {
    Json schema{{"type", type}};
    const char* const least = spec.range.lowest_is_open ? "exclusiveMinimum" : "minimum";
    if (std::isfinite(spec.range.lowest)) schema[least] = spec.range.lowest;
    if (std::isfinite(spec.range.highest)) schema["maximum"] = spec.range.highest;
    return schema;
}

/// Adds schemas for a number and for a list of numbers, in an array or in a text. `text` is the
/// regular expression of a number.
void add_list(Json& schemas, const Json& number, std::string_view text) {
    schemas.push_back(number);
    schemas.push_back(
        {{"type", "array"}, {"items", {{"anyOf", {number, text_schema(text)}}}}, {"minItems", 1}});
    schemas.push_back(text_schema(fmt::format("{}(,{})*", text, text)));
}

void add_words(Json& schemas, std::string_view choices) {
    const std::vector<std::string_view> all = words(choices);
    schemas.push_back({{"enum", all}});
    std::string patterns;
    for (const std::string_view word : all) {
        if (word.find('-') == word.npos) continue;
        patterns += fmt::format("{}{}", patterns.empty() ? "" : "|", spellings(word));
    }
    if (!patterns.empty()) schemas.push_back(text_schema(fmt::format("({})", patterns)));
}

/// Returns the schemas of the values of an option. A value must match one of them.
Json value_schemas(const ParameterSpec& spec) {
    Json schemas = Json::array();
    switch (spec.type) {
        case ParameterType::integer:
            schemas.push_back(number_schema(spec, "integer"));
            schemas.push_back(text_schema(integer_text));
            break;
        case ParameterType::real:
            schemas.push_back(number_schema(spec, "number"));
            schemas.push_back(text_schema(expression_text));
            if (!spec.choices.empty()) schemas.push_back({{"enum", words(spec.choices)}});
            break;
        case ParameterType::integers:
            add_list(schemas, number_schema(spec, "integer"), integer_text);
            break;
        case ParameterType::reals:
            add_list(schemas, number_schema(spec, "number"),
                     fmt::format("{0}(:{0}(:{0})?)?", expression_text));
            break;
        case ParameterType::size:
            schemas.push_back(text_schema(fmt::format("{0}x{0}", real_text)));
            break;
        case ParameterType::word:
            add_words(schemas, spec.choices);
            break;
        case ParameterType::text:
            schemas.push_back({{"type", {"string", "number", "boolean"}}});
            schemas.push_back({{"type", "array"},
                               {"items", {{"type", {"string", "number", "boolean"}}}},
                               {"minItems", 1}});
            return schemas;
        case ParameterType::path:
            schemas.push_back({{"type", "string"}, {"minLength", 1}});
            return schemas;
        case ParameterType::flag:
            schemas.push_back({{"enum", {true, false, "true", "false"}}});
            return schemas;
    }
    if (spec.default_value.empty()) schemas.push_back({{"enum", {"none"}}});
    return schemas;
}

/// Returns the JSON Schema of the values that a manifest can give an option, with summary and
/// default. It accepts the values that Parameters::set() accepts, as far as a schema can tell.
Json value_schema(const ParameterSpec& spec) {
    const Json schemas = value_schemas(spec);
    Json schema = schemas.size() == 1 ? schemas.front() : Json{{"anyOf", schemas}};
    schema["description"] = spec.summary;
    if (!spec.default_value.empty()) schema["default"] = spec.default_value;
    return schema;
}

/// True if an option can take a range of numbers as its values in a sweep.
bool takes_ranges(const ParameterSpec& spec) {
    switch (spec.type) {
        case ParameterType::integer:
        case ParameterType::real:
        case ParameterType::integers:
        case ParameterType::reals:
        case ParameterType::text:
            return true;
        case ParameterType::size:
        case ParameterType::word:
        case ParameterType::path:
        case ParameterType::flag:
            break;
    }
    return false;
}

// Schemas of the options in manifests.

/// An option, and the schemas of its value: what it may be, in a job also a distribution, and in a
/// sweep.
struct OptionSchema {
    const ParameterSpec* spec;
    Json value;
    Json in_job;
    Json swept;
};

using Option = OptionSchema;

Json swept_schema(const ParameterSpec& spec, const Json& value) {
    const Json list{{"type", "array"}, {"items", value}, {"minItems", 1}};
    return takes_ranges(spec) ? Json{{"anyOf", {list, reference("range")}}} : list;
}

Json in_job_schema(const Json& value) { return {{"anyOf", {value, reference("distribution")}}}; }

/// Adds the definitions of the option under the names `name`, "job-" + `name` and "swept-" +
/// `name`.
void define(const ParameterSpec& spec, const std::string& name, Json& definitions) {
    definitions[name] = value_schema(spec);
    definitions["job-" + name] = in_job_schema(reference(name));
    definitions["swept-" + name] = swept_schema(spec, reference(name));
}

/// Returns the name of a parameter's definition: "sinusoid.d", "attention-shaw.d".
std::string definition_of(const Encoding& encoding, const ParameterSpec& spec) {
    std::string name = fmt::format("{}.{}", encoding.name, spec.name);
    std::ranges::replace(name, ' ', '-');
    return name;
}

/// Returns an option whose schemas refer to the definitions under `name`.
Option defined_option(const ParameterSpec& spec, const std::string& name) {
    return {&spec, reference(name), reference("job-" + name), reference("swept-" + name)};
}

std::vector<const ParameterSpec*> common_specs() {
    const Encoding& any = *all_encodings().front();
    std::vector<const ParameterSpec*> specs = job_options({&any, nullptr});
    std::erase_if(specs, [&](const ParameterSpec* spec) { return is_among(any.parameters, spec); });
    return specs;
}

std::vector<Option> common_options() {
    std::vector<Option> options;
    for (const ParameterSpec* spec : common_specs()) {
        options.push_back(defined_option(*spec, std::string(spec->name)));
    }
    return options;
}

/// Adds the values of the option that is defined as `name` to the allowed values in `value`, unless
/// they are allowed already. For options that share a name.
void allow(const Json& definitions, const std::string& name, Json& value) {
    const auto is_same = [&](const Json& other) {
        const auto path = other["$ref"].get<std::string>();
        return definitions[path.substr(path.rfind('/') + 1)] == definitions[name];
    };
    if (std::ranges::none_of(value["anyOf"], is_same)) value["anyOf"].push_back(reference(name));
}

/// Returns the definitions that the schemas below refer to. They refer to "range" and
/// "distribution" in turn.
Json option_definitions() {
    Json definitions = Json::object();
    for (const ParameterSpec* spec : common_specs()) {
        define(*spec, std::string(spec->name), definitions);
    }
    for (const Encoding* encoding : encodings_of_jobs()) {
        for (const ParameterSpec& spec : encoding->parameters) {
            define(spec, definition_of(*encoding, spec), definitions);
        }
    }
    return definitions;
}

/// Returns the options of a job of the encoding.
std::vector<Option> options_of(const Encoding& encoding) {
    std::vector<Option> options;
    for (const ParameterSpec* spec : job_options({&encoding, nullptr})) {
        const bool is_own = is_among(encoding.parameters, spec);
        options.push_back(defined_option(
            *spec, is_own ? definition_of(encoding, *spec) : std::string(spec->name)));
    }
    return options;
}

/// Returns the options that at least one encoding has. If encodings share the name of an option,
/// the values of each are allowed.
std::vector<Option> options_of_any(const Json& definitions) {
    std::vector<Option> options = common_options();
    for (const Encoding* encoding : encodings_of_jobs()) {
        for (const ParameterSpec& spec : encoding->parameters) {
            auto option = std::ranges::find_if(
                options, [&](const Option& other) { return other.spec->name == spec.name; });
            if (option == options.end()) {
                options.push_back({&spec, {{"anyOf", Json::array()}}, {}, {}});
                option = std::prev(options.end());
            }
            allow(definitions, definition_of(*encoding, spec), option->value);
            option->in_job = in_job_schema(option->value);
            option->swept = swept_schema(spec, option->value);
        }
    }
    return options;
}

Json object_schema(std::string_view description) {
    return {{"type", "object"},
            {"description", description},
            {"properties", Json::object()},
            {"patternProperties", Json::object()},
            {"additionalProperties", false}};
}

/// Adds a property under its name, which editors complete, and under the spellings with '_'.
void add_property(Json& object, std::string_view name, const Json& schema) {
    object["properties"][std::string(name)] = schema;
    if (name.find('-') == name.npos) return;
    object["patternProperties"][fmt::format("^{}$", spellings(name))] = schema;
}

/// Returns the names of an option in manifests: the names for which is_called() is true.
std::vector<std::string_view> names_of(const ParameterSpec& spec) {
    std::vector<std::string_view> names = words(spec.aliases);
    std::erase_if(names, [](std::string_view alias) { return alias.size() == 1; });
    names.insert(names.begin(), spec.name);
    return names;
}

/// Adds the options to a job and its sweep or, if `sweep` is null, to the defaults.
void add_options(const std::vector<OptionSchema>& options, Json& job, Json* sweep) {
    for (const auto& [spec, value, in_job, swept] : options) {
        for (const std::string_view name : names_of(*spec)) {
            add_property(job, name, in_job);
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

Json labels() {
    return label_schema(in_job_schema(label_value()), "names of your own, for paths and the index");
}

Json swept_labels() {
    const Json list{{"type", "array"}, {"items", label_value()}, {"minItems", 1}};
    return label_schema({{"anyOf", {list, reference("range")}}}, "labels that are swept over");
}

Json empty_sweep() { return object_schema("a job for each combination of these values"); }

/// Returns the names and aliases of the encoding and of its presets.
std::vector<std::string_view> names_of(const Encoding& encoding) {
    std::vector<std::string_view> names{encoding.name};
    for (const Preset& preset : all_presets()) {
        if (preset.encoding != &encoding) continue;
        names.push_back(preset.name);
        for (const std::string_view alias : words(preset.aliases)) names.push_back(alias);
    }
    return names;
}

/// Returns the schema of a text that is one of the names, in any spelling.
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

/// Adds what every job may have.
void add_common(Json& job, Json sweep) {
    sweep["properties"]["labels"] = swept_labels();
    job["properties"]["labels"] = labels();
    job["properties"]["sweep"] = std::move(sweep);
    job["properties"]["sample"] = reference("sample");
}

/// Returns a schema that restricts jobs which name the encoding or one of its presets, and no other
/// jobs.
Json condition(const Encoding& encoding) {
    Json job = object_schema(encoding.summary), sweep = empty_sweep();
    add_options(options_of(encoding), job, &sweep);
    job["properties"]["encoding"] = {{"description", encoding.summary}};
    add_common(job, std::move(sweep));
    return {{"if",
             {{"properties", {{"encoding", names_schema(names_of(encoding))}}},
              {"required", {"encoding"}}}},
            {"then", job}};
}

/// Returns the schema of an encoding that is drawn.
Json choice_of_names() {
    const Json names{{"type", "array"}, {"items", all_names()}, {"minItems", 1}};
    return {{"type", "object"},
            {"properties", {{"choice", names}}},
            {"required", {"choice"}},
            {"additionalProperties", false}};
}

/// Returns the schema of a job that gets its encoding from its sweep, its sample or the defaults.
Json job_without_encoding(const std::vector<OptionSchema>& options) {
    Json job = object_schema("a table and its files"), sweep = empty_sweep();
    add_options(options, job, &sweep);
    sweep["properties"]["encoding"] = {{"type", "array"}, {"items", all_names()}, {"minItems", 1}};
    job["properties"]["encoding"] = choice_of_names();
    add_common(job, std::move(sweep));
    return job;
}

Json job_schema(const std::vector<OptionSchema>& options) {
    Json conditions = Json::array();
    for (const Encoding* encoding : encodings_of_jobs()) {
        conditions.push_back(condition(*encoding));
    }
    const Json is_named{{"required", {"encoding"}},
                        {"properties", {{"encoding", {{"type", "string"}}}}}};
    conditions.push_back({{"if", {{"not", is_named}}}, {"then", job_without_encoding(options)}});
    const Json encoding{{"anyOf", {all_names(), choice_of_names()}}};
    const Json object{{"type", "object"},
                      {"properties", {{"encoding", encoding}, {"sweep", {{"type", "object"}}}}},
                      {"allOf", conditions}};
    const Json line{{"type", "string"},
                    {"minLength", 1},
                    {"description", "a command line: sinusoid --d 8 -o a.npy"}};
    return {{"anyOf", {line, object}}};
}

Json defaults_schema(const std::vector<OptionSchema>& options) {
    Json defaults = object_schema("options of every job that has them");
    add_options(options, defaults, nullptr);
    defaults["properties"]["encoding"] = all_names();
    defaults["properties"]["labels"] = labels();
    return defaults;
}

/// Returns a schema that accepts an object with one of the keys.
Json has_one_of(const std::vector<std::string_view>& keys) {
    Json schemas = Json::array();
    for (const std::string_view key : keys) schemas.push_back({{"required", {key}}});
    return {{"anyOf", schemas}};
}

/// Returns a schema that accepts a manifest if its defaults have one of the keys, or if every job
/// has one of the keys, in its settings or in its sweep.
Json jobs_have_one_of(const std::vector<std::string_view>& keys) {
    const Json has = has_one_of(keys);
    const Json swept{{"required", {"sweep"}}, {"properties", {{"sweep", has}}}};
    const Json in_defaults{{"required", {"defaults"}}, {"properties", {{"defaults", has}}}};
    const Json in_jobs{{"properties", {{"jobs", {{"items", {{"anyOf", {has, swept}}}}}}}}};
    return {{"anyOf", {in_defaults, in_jobs}}};
}

/// Returns the names of the options that name a file to write.
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
    Json any = Json::array();
    any.push_back(steps);
    for (const std::string_view name : spacing_names()) {
        any.push_back({{"type", "object"},
                       {"properties", {{std::string(name), spacing}}},
                       {"required", {name}},
                       {"additionalProperties", false}});
    }
    return {{"anyOf", any}};
}

Json distribution_schema() {
    const Json number{{"type", "number"}};
    const Json two{
        {"type", "array"}, {"items", {number, number}}, {"minItems", 2}, {"maxItems", 2}};
    const Json values{{"anyOf", {{{"type", "array"}, {"minItems", 1}}, reference("range")}}};
    Json any = Json::array();
    const auto add = [&](std::string_view name, const Json& of) {
        any.push_back({{"type", "object"},
                       {"properties", {{std::string(name), of}}},
                       {"required", {name}},
                       {"additionalProperties", false}});
    };
    for (const std::string_view name : distribution_names()) add(name, two);
    add("choice", values);
    return {{"anyOf", any}, {"description", "drawn anew for each job of a sample"}};
}

Json sample_schema() {
    const Json count{{"type", "integer"}, {"minimum", 1}, {"maximum", most_jobs}};
    const Json seed{{"type", "integer"}, {"minimum", 0}};
    const Json both{{"type", "object"},
                    {"properties", {{"count", count}, {"seed", seed}}},
                    {"required", {"count"}},
                    {"additionalProperties", false}};
    return {{"anyOf", {count, both}},
            {"description", "the number of jobs that are drawn, of each combination of a sweep"}};
}

}  // namespace

std::string manifest_schema() {
    Json definitions = option_definitions();
    const std::vector<OptionSchema> options = options_of_any(definitions);
    definitions["range"] = range_schema();
    definitions["distribution"] = distribution_schema();
    definitions["sample"] = sample_schema();
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
          {"shard-size",
           {{"anyOf", {{{"type", "integer"}, {"minimum", 1}}, text_schema("[1-9][0-9]*[KMG]?")}},
            {"description", "the bytes after which an archive with {shard} in its name ends"}}},
          {"defaults", defaults_schema(options)},
          {"jobs", {{"type", "array"}, {"items", job_schema(options)}}}}},
        {"required", {"jobs"}},
        {"additionalProperties", false},
        {"allOf", {jobs_have_one_of({"encoding"}), jobs_have_one_of(outputs())}},
        {"definitions", definitions}};
    return indented_json(schema, 1) + "\n";
}

}  // namespace pegen::cli
