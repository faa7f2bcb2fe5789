#include "cli/value_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/names.h"

namespace pegen::cli {
namespace {

using Json = nlohmann::ordered_json;

// As text, what parse_integer() and parse_real() read.
constexpr std::string_view integer_text = "-?(0|[1-9][0-9]*)";
constexpr std::string_view real_text = "-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?";
// Numbers and names between operators and parentheses.
constexpr std::string_view expression_text =
    "[-+( ]*(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|[A-Za-z_]+)"
    "([) ]*(\\*\\*|[-+*/^(])[-+( ]*(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?|[A-Za-z_]+))*"
    "[) ]*";

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

/// A number, or a list of them in an array or a text.
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

/// Any of these is a value.
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
            add_list(schemas, number_schema(spec, "number"), expression_text);
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

}  // namespace

Json value_schema(const ParameterSpec& spec) {
    const Json schemas = value_schemas(spec);
    Json schema = schemas.size() == 1 ? schemas.front() : Json{{"anyOf", schemas}};
    schema["description"] = spec.summary;
    if (!spec.default_value.empty()) schema["default"] = spec.default_value;
    return schema;
}

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

}  // namespace pegen::cli
