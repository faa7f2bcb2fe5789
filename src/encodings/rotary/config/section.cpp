#include "encodings/rotary/config/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "files/json_text.h"

namespace pegen::encodings {
namespace {

/// Returns the text with quotation marks around NaN and infinities, which only Python's JSON has.
std::string with_quoted_infinities(std::string_view text) {
    constexpr std::array<std::string_view, 3> tokens{"-Infinity", "Infinity", "NaN"};
    std::string result;
    bool is_in_string = false;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        const auto token = std::ranges::find_if(
            tokens, [&](std::string_view candidate) { return rest.starts_with(candidate); });
        std::size_t length = 1;
        if (is_in_string) {
            if (rest.front() == '\\') length = std::min<std::size_t>(2, rest.size());
            is_in_string = rest.front() != '"';
            result += rest.substr(0, length);
        } else if (token != tokens.end()) {
            length = token->size();
            result += fmt::format("\"{}\"", *token);
        } else {
            is_in_string = rest.front() == '"';
            result += rest.front();
        }
        i += length;
    }
    return result;
}

/// Returns a number as a user would type it; nothing for any other value.
std::optional<std::string> typed(const Json& value) {
    return value.is_number() ? std::optional(typed_number(value)) : std::nullopt;
}

/// Returns the value of a key; nullptr if it is missing or null.
const Json* find(const Section& section, std::string_view key) {
    const Json* found = section.json->find(key);
    return !found || found->is_null() ? nullptr : found;
}

}  // namespace

Json parse_config(std::string_view text, std::string_view path) {
    Json root = parse_json(with_quoted_infinities(text), path);
    if (!root.is_object()) throw FormatError(path, "must be an object, {\"rope_theta\": ...}");
    return root;
}

std::string Section::place(std::string_view key) const { return fmt::format("{}{}", prefix, key); }

bool Section::has(std::string_view key) const { return find(*this, key) != nullptr; }

bool Section::is_null(std::string_view key) const { return json->contains(key) && !has(key); }

bool Section::is_false(std::string_view key) const {
    const Json* value = find(*this, key);
    return value && (*value == Json(false) || *value == Json(0));
}

bool Section::is_true(std::string_view key) const {
    const Json* value = find(*this, key);
    return value && *value == Json(true);
}

bool Section::is_list(std::string_view key) const {
    return has(key) && find(*this, key)->is_array();
}

bool Section::lists(std::string_view key, std::string_view text) const {
    const auto is_text = [&](const Json& entry) { return entry == Json(text); };
    return is_list(key) && std::ranges::any_of(*find(*this, key), is_text);
}

bool Section::has_same(std::string_view key, const Section& other,
                       std::string_view other_key) const {
    return has(key) && other.has(other_key) && *find(*this, key) == *find(other, other_key);
}

std::vector<std::string> Section::keys() const {
    std::vector<std::string> names;
    for (const auto& [key, value] : json->items()) names.push_back(key);
    return names;
}

std::optional<Section> Section::object(std::string_view key, std::string_view example) const {
    if (has(key) && !object_if_one(key)) {
        refuse(key, fmt::format("must be an object, {{\"{}\": ...}}", example));
    }
    return object_if_one(key);
}

std::optional<Section> Section::object_if_one(std::string_view key) const {
    const Json* value = find(*this, key);
    if (!value || !value->is_object()) return std::nullopt;
    return Section{path, place(key) + ".", value};
}

std::optional<bool> Section::flag(std::string_view key) const {
    const Json* value = find(*this, key);
    if (!value) return std::nullopt;
    if (value->is_boolean()) return value->get<bool>();
    if (*value != Json(0) && *value != Json(1)) refuse_value(key, "must be true or false");
    return *value == Json(1);
}

std::optional<std::int64_t> Section::count(std::string_view key) const {
    const Json* value = find(*this, key);
    if (!value) return std::nullopt;
    const double number = value->is_number() ? value->get<double>() : 0;
    if (number < 1 || number > two_to_53 || number != std::floor(number)) {
        refuse_value(key, "must be a whole number from 1 on");
    }
    return static_cast<std::int64_t>(number);
}

std::optional<double> Section::number(std::string_view key) const {
    const Json* value = find(*this, key);
    if (!value) return std::nullopt;
    if (!value->is_number()) refuse_value(key, "must be a number");
    return value->get<double>();
}

std::optional<std::string> Section::text(std::string_view key) const {
    const Json* value = find(*this, key);
    if (!value) return std::nullopt;
    if (!value->is_string()) refuse_value(key, "must be a text in quotation marks");
    return value->get<std::string>();
}

std::optional<std::string> Section::text_if_one(std::string_view key) const {
    const Json* value = find(*this, key);
    return value && value->is_string() ? text(key) : std::nullopt;
}

std::vector<std::string> Section::texts(std::string_view key) const {
    std::vector<std::string> result;
    if (!is_list(key)) return result;
    for (const Json& item : *find(*this, key)) {
        result.push_back(item.is_string() ? item.get<std::string>() : "");
    }
    return result;
}

std::vector<std::string> Section::items(std::string_view key) const {
    std::vector<std::string> result;
    if (!is_list(key)) return result;
    for (const Json& item : *find(*this, key)) {
        const std::optional<std::string> number = item.is_null() ? "0" : typed(item);
        if (!number) refuse_value(key, "must be a number, or one for each layer");
        result.push_back(*number);
    }
    return result;
}

std::optional<std::string> Section::numbers(std::string_view key) const {
    const Json* value = find(*this, key);
    if (!value) return std::nullopt;
    std::vector<std::string> items;
    const bool is_list = value->is_array();
    for (const Json& item :
         is_list ? std::span(value->begin(), value->end()) : std::span(value, 1)) {
        const std::optional<std::string> number = typed(item);
        if (!number) refuse_value(key, "must be a number");
        items.push_back(*number);
    }
    if (items.empty()) refuse_value(key, "must be a number");
    return joined(items, ",");
}

void Section::refuse(std::string_view key, std::string_view failure) const {
    throw FormatError(path, fmt::format("{}: {}", place(key), failure));
}

void Section::refuse_value(std::string_view key, std::string_view rule) const {
    const std::string shown = json_line(*find(*this, key));
    refuse(key, fmt::format("{}, and is {}", rule,
                            shown.size() > 40 ? shown.substr(0, 37) + "..." : shown));
}

namespace {

std::optional<double> number_in(const std::string& text) {
    try {
        return parse_real(text, "");
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

bool are_same(const std::string& a, const std::string& b) {
    return a == b || (number_in(a) && number_in(a) == number_in(b));
}

}  // namespace

void ConfigSettings::take(const Section& section, std::string_view key,
                          std::string_view parameter) {
    const bool has_list = parameter == "short-factor" || parameter == "long-factor";
    if (section.is_list(key) && !has_list) {
        section.refuse_value(key, "must be a number");
    }
    const std::optional<std::string> text = section.numbers(key);
    if (!text) return;
    const std::string shown = text->size() > 40 ? fmt::format("{:.37}...", *text) : *text;
    const ConfigSetting* old = find(parameter);
    if (old && !old->is_default && !are_same(old->text, *text)) {
        section.refuse(key,
                       fmt::format("{} contradicts {}; remove one of them", shown, old->source));
    }
    set({.parameter = std::string(parameter),
         .text = *text,
         .source = fmt::format("{} {}", section.place(key), shown),
         .place = section.place(key)});
}

void ConfigSettings::take_instead(const Section& section, std::string_view key,
                                  std::string_view parameter) {
    const ConfigSetting* old = section.has(key) ? find(parameter) : nullptr;
    if (old && !old->is_default && !old->place.empty()) {
        read_.insert(old->place);
        ignored_.push_back(old->source);
    }
    if (old) drop(parameter);
    take(section, key, parameter);
}

void ConfigSettings::set(ConfigSetting setting) {
    const auto old = std::ranges::find(settings_, setting.parameter, &ConfigSetting::parameter);
    if (old == settings_.end()) {
        settings_.push_back(std::move(setting));
    } else {
        if (!old->place.empty()) read_.insert(old->place);
        *old = std::move(setting);
    }
}

void ConfigSettings::drop(std::string_view parameter) {
    std::erase_if(settings_,
                  [&](const ConfigSetting& setting) { return setting.parameter == parameter; });
}

void ConfigSettings::ignore(const Section& section, std::string_view key, std::string_view why) {
    mark(section, key);
    ignored_.push_back(section.place(key) + std::string(why));
}

void ConfigSettings::doubt(const Section& section, std::string_view key) {
    mark(section, key);
    doubted_.push_back(section.place(key));
}

void ConfigSettings::doubt_rest(const Section& section) {
    for (const std::string& key : section.keys()) {
        if (!was_read(section, key)) doubt(section, key);
    }
}

void ConfigSettings::ignore_setting(std::string_view parameter, std::string_view why) {
    if (const ConfigSetting* setting = find(parameter)) {
        ignored_.push_back(setting->source + std::string(why));
    }
    drop(parameter);
}

void ConfigSettings::mark(const Section& section, std::string_view key) {
    read_.insert(section.place(key));
}

bool ConfigSettings::was_read(const Section& section, std::string_view key) const {
    const std::string place = section.place(key);
    return read_.contains(place) ||
           std::ranges::find(settings_, place, &ConfigSetting::place) != settings_.end();
}

const ConfigSetting* ConfigSettings::find(std::string_view parameter) const {
    const auto found = std::ranges::find(settings_, parameter, &ConfigSetting::parameter);
    return found == settings_.end() ? nullptr : &*found;
}

}  // namespace pegen::encodings
