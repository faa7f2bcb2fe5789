#include "inspect/changed_origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/utf8.h"
#include "figure/figure.h"
#include "files/json_text.h"

namespace pegen {
namespace {

/// The members of an origin as pairs of name and value. The members of "parameters" and of other
/// inner objects are listed like those at the top.
using Members = std::vector<std::pair<std::string, std::string>>;

/// Returns the value as a user would type it, but a text in quotes.
std::string shown(const Json& value, char separator) {
    if (value.is_null()) return "none";
    if (value.is_string()) return fmt::format("'{}'", value.get<std::string>());
    if (value.is_number()) return typed_number(value);
    if (!value.is_array()) return utf8_json_line(value);
    std::string list;
    for (const Json& item : value) {
        if (!list.empty()) list += separator;
        list += shown(item, separator);
    }
    return list;
}

/// Returns the option of figures with this name, or nullptr.
const ParameterSpec* figure_option(std::string_view name) {
    const auto specs = figure_parameters();
    const auto spec = std::ranges::find(specs, name, &ParameterSpec::name);
    return spec == specs.end() ? nullptr : &*spec;
}

char separator_of(const std::string& name) {
    const ParameterSpec* const option = figure_option(name);
    return option && option->type == ParameterType::size ? 'x' : ',';
}

Members members_of(const Json& origin) {
    constexpr std::array<std::string_view, 5> told{"encoding", "preset", "table", "dtype", "shape"};
    constexpr std::array<const char*, 3> groups{"tables", "parameters", "figure"};
    Members members;
    for (const auto& [name, value] : origin.items()) {
        if (std::ranges::count(told, name) > 0) members.emplace_back(name, shown(value, ','));
    }
    for (const char* group : groups) {
        if (!origin.contains(group)) continue;
        for (const auto& [name, value] : origin[group].items()) {
            members.emplace_back(name, shown(value, separator_of(name)));
        }
    }
    return members;
}

/// Returns the value of a member; if the member is missing, the default that its absence means.
std::string value_of(const Members& members, const std::string& name) {
    const auto member = std::ranges::find(members, name, &Members::value_type::first);
    if (member != members.end()) return member->second;
    if (name == "dtype") return "'float32'";
    const ParameterSpec* const option = figure_option(name);
    if (option && option->type == ParameterType::flag) return "false";
    if (!option || option->default_value.empty()) return "none";
    const bool is_quoted = option->type == ParameterType::word;
    return is_quoted ? fmt::format("'{}'", option->default_value)
                     : std::string(option->default_value);
}

/// Returns a value in one line, cut if it is long.
std::string brief(const std::string& value) {
    constexpr std::size_t longest = 60;
    const std::string line = one_line(value);
    if (line.size() <= longest) return line;
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;  // in a letter
    return line.substr(0, end) + "...";
}

}  // namespace

std::string changed_origin(std::string_view path, std::string_view before, std::string_view now) {
    const Json old = parse_json(before, path);
    if (!old.is_object()) throw FormatError(path, "what it says of its origin is no JSON object");
    const Members was = members_of(old), is = members_of(parse_json(now, path));
    std::vector<std::string> names;
    for (const Members* members : {&is, &was}) {
        for (const auto& [name, value] : *members) {
            if (std::ranges::count(names, name) == 0) names.push_back(name);
        }
    }
    constexpr int most_shown = 3;
    std::string text;
    int changes = 0;
    for (const std::string& name : names) {
        const std::string old_value = value_of(was, name), value = value_of(is, name);
        if (old_value == value || ++changes > most_shown) continue;
        text += fmt::format("{}{}: {} -> {}", text.empty() ? "" : "; ", brief(name),
                            brief(old_value), brief(value));
    }
    if (changes > most_shown) text += fmt::format("; and {} more", changes - most_shown);
    return text;
}

}  // namespace pegen
