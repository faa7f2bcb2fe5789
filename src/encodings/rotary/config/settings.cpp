#include "encodings/rotary/config/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/number.h"

namespace pegen::encodings {
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
