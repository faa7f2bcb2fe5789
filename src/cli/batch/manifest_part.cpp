#include "cli/batch/manifest_part.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/names.h"

namespace pegen::cli {
namespace {

std::string text_of(const Part& part, std::string_view kinds) {
    const Json& json = part.json;
    if (json.is_string()) return json.get<std::string>();
    if (json.is_boolean()) return json.get<bool>() ? "true" : "false";
    if (json.is_number()) return typed_number(json);
    part.refuse(fmt::format("must be {}", kinds));
}

}  // namespace

void Part::refuse(std::string_view failure) const {
    throw FormatError(path,
                      place.empty() ? std::string(failure) : fmt::format("{}: {}", place, failure));
}

Part Part::at(const std::string& key) const {
    return {path, place.empty() ? key : fmt::format("{}.{}", place, key), json[key]};
}

Part Part::at(std::size_t index) const {
    return {path, fmt::format("{}[{}]", place, index), json[index]};
}

void Part::check_object(std::string_view example) const {
    if (!json.is_object()) refuse(fmt::format("must be an object, {}", example));
}

void Part::check_array() const {
    if (!json.is_array()) refuse("must be an array, [...]");
}

TypedValue typed_value(const Part& part) {
    constexpr std::string_view kinds = "a text, a number, true or false";
    if (!part.json.is_array() || part.json.empty()) {
        return {text_of(part, fmt::format("{}, or a list of these", kinds)), part.json.is_string()};
    }
    TypedValue list{"", false};
    for (std::size_t i = 0; i < part.json.size(); ++i) {
        list.items.push_back(text_of(part.at(i), kinds));
    }
    list.text = joined(list.items, ",");
    return list;
}

}  // namespace pegen::cli
