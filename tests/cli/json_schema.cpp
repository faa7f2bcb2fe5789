#include "cli/json_schema.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>

namespace pegen::testing {
namespace {

using Json = nlohmann::json;

/// The input of the check of one keyword.
struct Check {
    const Json& value;   ///< the value that must satisfy the schema
    const Json& schema;  ///< the schema that contains the keyword
    const Json& rule;    ///< the value of the keyword
    const Json& whole;

    bool holds(const Json& other, const Json& other_schema) const {
        return satisfies(other, other_schema, whole);
    }
};

bool matches(const std::string& text, const std::string& pattern) {
    static std::map<std::string, std::regex> known;
    const auto regex = known.try_emplace(pattern, pattern).first;
    return std::regex_search(text, regex->second);
}

bool is_of_type(const Json& value, const std::string& type) {
    if (type == "integer") {
        return value.is_number_integer() ||
               (value.is_number() && value.get<double>() == std::trunc(value.get<double>()));
    }
    return type == value.type_name();
}

bool has_type(const Check& check) {
    if (check.rule.is_string()) return is_of_type(check.value, check.rule);
    return std::ranges::any_of(check.rule,
                               [&](const Json& type) { return is_of_type(check.value, type); });
}

bool is_any_of(const Check& check) {
    return std::ranges::any_of(check.rule,
                               [&](const Json& one) { return check.holds(check.value, one); });
}

bool is_all_of(const Check& check) {
    return std::ranges::all_of(check.rule,
                               [&](const Json& one) { return check.holds(check.value, one); });
}

bool is_as_referred(const Check& check) {
    const std::string path = check.rule.get<std::string>().substr(1);  // "#/definitions/d"
    return check.holds(check.value, check.whole.at(Json::json_pointer(path)));
}

bool meets_condition(const Check& check) {
    return !check.holds(check.value, check.rule) || check.holds(check.value, check.schema["then"]);
}

bool has_properties(const Check& check) {
    if (!check.value.is_object()) return true;
    return std::ranges::all_of(check.rule.items(), [&](const auto& property) {
        return !check.value.contains(property.key()) ||
               check.holds(check.value[property.key()], property.value());
    });
}

bool has_pattern_properties(const Check& check) {
    if (!check.value.is_object()) return true;
    for (const auto& [name, value] : check.value.items()) {
        for (const auto& [pattern, schema] : check.rule.items()) {
            if (matches(name, pattern) && !check.holds(value, schema)) return false;
        }
    }
    return true;
}

bool has_no_other_properties(const Check& check) {
    if (!check.value.is_object()) return true;
    const Json none = Json::object();
    const Json patterns = check.schema.value("patternProperties", none);
    for (const auto& [key, value] : check.value.items()) {
        const std::string& name = key;
        const bool is_named = check.schema.value("properties", none).contains(name);
        const bool is_matched = std::ranges::any_of(
            patterns.items(), [&](const auto& pattern) { return matches(name, pattern.key()); });
        if (is_named || is_matched) continue;
        if (check.rule.is_boolean() ? !check.rule.get<bool>() : !check.holds(value, check.rule)) {
            return false;
        }
    }
    return true;
}

bool has_names(const Check& check) {
    if (!check.value.is_object()) return true;
    return std::ranges::all_of(check.value.items(), [&](const auto& property) {
        return check.holds(property.key(), check.rule);
    });
}

bool has_required(const Check& check) {
    if (!check.value.is_object()) return true;
    return std::ranges::all_of(check.rule, [&](const Json& name) {
        return check.value.contains(name.get<std::string>());
    });
}

bool has_items(const Check& check) {
    if (!check.value.is_array()) return true;
    for (std::size_t i = 0; i < check.value.size(); ++i) {
        if (check.rule.is_array() && i >= check.rule.size()) break;
        if (!check.holds(check.value[i], check.rule.is_array() ? check.rule[i] : check.rule)) {
            return false;
        }
    }
    return true;
}

const std::map<std::string, std::function<bool(const Check&)>> keywords{
    {"type", has_type},
    {"enum", [](const Check& c) { return std::ranges::count(c.rule, c.value) > 0; }},
    {"anyOf", is_any_of},
    {"allOf", is_all_of},
    {"not", [](const Check& c) { return !c.holds(c.value, c.rule); }},
    {"if", meets_condition},
    {"$ref", is_as_referred},
    {"properties", has_properties},
    {"patternProperties", has_pattern_properties},
    {"additionalProperties", has_no_other_properties},
    {"propertyNames", has_names},
    {"required", has_required},
    {"maxProperties",
     [](const Check& c) { return !c.value.is_object() || c.value.size() <= c.rule; }},
    {"items", has_items},
    {"minItems", [](const Check& c) { return !c.value.is_array() || c.value.size() >= c.rule; }},
    {"maxItems", [](const Check& c) { return !c.value.is_array() || c.value.size() <= c.rule; }},
    {"minimum", [](const Check& c) { return !c.value.is_number() || c.value >= c.rule; }},
    {"exclusiveMinimum", [](const Check& c) { return !c.value.is_number() || c.value > c.rule; }},
    {"maximum", [](const Check& c) { return !c.value.is_number() || c.value <= c.rule; }},
    {"minLength",
     [](const Check& c) {
         return !c.value.is_string() || c.value.get<std::string>().size() >= c.rule;
     }},
    {"pattern", [](const Check& c) { return !c.value.is_string() || matches(c.value, c.rule); }},
};

bool is_silent(const std::string& keyword) {
    for (const char* name : {"$schema", "title", "description", "default", "definitions", "then"}) {
        if (keyword == name) return true;
    }
    return false;
}

}  // namespace

bool satisfies(const Json& value, const Json& schema, const Json& whole) {
    for (const auto& [keyword, rule] : schema.items()) {
        if (is_silent(keyword)) continue;
        const auto known = keywords.find(keyword);
        if (known == keywords.end()) throw std::invalid_argument(keyword);
        if (!known->second({value, schema, rule, whole})) return false;
    }
    return true;
}

}  // namespace pegen::testing
