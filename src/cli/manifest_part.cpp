#include "cli/manifest_part.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/number.h"

namespace pegen::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Part& part) {
    const Json& json = part.json;
    if (json.is_string()) return json.get<std::string>();
    if (json.is_boolean()) return json.get<bool>() ? "true" : "false";
    if (json.is_number_unsigned()) return fmt::format("{}", json.get<std::uint64_t>());
    if (json.is_number_integer()) return fmt::format("{}", json.get<std::int64_t>());
    if (json.is_number_float()) return shortest(json.get<double>());
    if (!json.is_array() || json.empty()) {
        part.refuse("must be a text, a number, true or false, or a list of these");
    }
    std::string list;
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (json[i].is_array()) part.at(i).refuse("must be a text or a number");
        if (i > 0) list += ',';
        list += text_of(part.at(i));
    }
    return list;
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

TypedValue typed_value(const Part& part) { return {text_of(part), part.json.is_string()}; }

}  // namespace pegen::cli
