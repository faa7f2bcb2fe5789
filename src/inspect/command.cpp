#include "inspect/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "pegen/core/error.h"
#include "pegen/core/number.h"
#include "pegen/encodings/registry.h"

namespace pegen {
namespace {

using Json = nlohmann::ordered_json;

/// A member that is a text; "" if it is missing or null.
std::string text_member(std::string_view path, const Json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end() || found->is_null()) return "";
    if (!found->is_string()) {
        throw FormatError(path, fmt::format("what it says of its origin: '{}' is no text", name));
    }
    return *found;
}

/// As a user would type it; nothing for what no parameter can be.
std::string typed(const Json& value, ParameterType type) {
    switch (value.type()) {
        case Json::value_t::null:
            return "none";
        case Json::value_t::boolean:
            return value.get<bool>() ? "true" : "false";
        case Json::value_t::number_integer:
        case Json::value_t::number_unsigned:
            return value.dump();
        case Json::value_t::number_float:
            return shortest(value.get<double>());
        case Json::value_t::string:
            return value;
        case Json::value_t::array: {
            std::vector<std::string> items;
            for (const Json& item : value) {
                if (!item.is_number()) return "";
                items.push_back(typed(item, type));
            }
            return fmt::format("{}", fmt::join(items, type == ParameterType::size ? "x" : ","));
        }
        default:
            return "";
    }
}

struct Setting {
    const ParameterSpec* spec;
    std::string text;
};

Parameters with(Parameters parameters, const std::vector<Setting>& settings) {
    for (const Setting& setting : settings) {
        parameters.set(setting.spec->name, setting.text, Origin::user);
    }
    return parameters;
}

bool has_equal_values(const Parameters& a, const Parameters& b) {
    return std::ranges::equal(a.entries(), b.entries(), {}, &Parameters::Entry::value,
                              &Parameters::Entry::value);
}

/// What of `settings` has to be said, over `defaults`, to mean all of them. Some parameters are
/// worked out from others: what resolve() finds by itself is left out. It may open files, for which
/// a file is no reason: where one is named, only what is a default is left out.
std::vector<Setting> needed(const Encoding& encoding, const Parameters& defaults,
                            std::vector<Setting> settings) {
    const bool names_file = std::ranges::any_of(
        settings, [](const Setting& setting) { return setting.spec->type == ParameterType::path; });
    const auto meaning = [&](const std::vector<Setting>& some) {
        const Parameters parameters = with(defaults, some);
        return names_file ? parameters : encoding.resolve(parameters);
    };
    const Parameters wanted = meaning(settings);
    const auto means_the_same = [&](const std::vector<Setting>& fewer) {
        try {
            return has_equal_values(meaning(fewer), wanted);
        } catch (const UsageError&) {
            return false;
        }
    };
    for (std::size_t i = settings.size(); i-- > 0;) {
        std::vector<Setting> fewer = settings;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        if (means_the_same(fewer)) settings = fewer;
    }
    return settings;
}

/// As one word for the shell.
std::string shell_word(std::string_view text) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,.:/@%";
    if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) {
        return std::string(text);
    }
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
    return result + "'";
}

std::string option(const Setting& setting) {
    if (setting.spec->type != ParameterType::flag) {
        return fmt::format(" --{} {}", setting.spec->name, shell_word(setting.text));
    }
    return fmt::format(" --{}{}", setting.spec->name, setting.text == "true" ? "" : "=false");
}

std::vector<Setting> settings_in(std::string_view path, const Encoding& encoding,
                                 const Json& provenance) {
    const auto members = provenance.find("parameters");
    if (members == provenance.end() || !members->is_object()) {
        throw FormatError(path, "what it says of its origin has no parameters");
    }
    std::vector<Setting> settings;
    for (const auto& [name, value] : members->items()) {
        const auto spec = std::ranges::find(encoding.parameters, name, &ParameterSpec::name);
        if (spec == encoding.parameters.end()) {
            throw FormatError(path,
                              fmt::format("what it says of its origin: '{}' has no parameter '{}' "
                                          "that this program knows",
                                          encoding.name, name));
        }
        // Of these, "none" would be a value.
        const bool has_no_none =
            spec->type == ParameterType::text || spec->type == ParameterType::path;
        if (value.is_null() && (has_no_none || !spec->default_value.empty())) continue;
        settings.push_back({&*spec, typed(value, spec->type)});
    }
    return settings;
}

}  // namespace

std::string command_of(std::string_view path, const Json& provenance) {
    const std::string name = text_member(path, provenance, "encoding");
    const std::string preset_name = text_member(path, provenance, "preset");
    const std::string table = text_member(path, provenance, "table");
    const Encoding* encoding = find_encoding(name);
    const Preset* preset = preset_name.empty() ? nullptr : find_preset(preset_name);
    const bool is_known = encoding && find_table(*encoding, table) &&
                          (preset_name.empty() || (preset && preset->encoding == encoding));
    if (!is_known) {
        throw FormatError(path, fmt::format("what it says of its origin: '{}', table '{}', is "
                                            "nothing that this program knows",
                                            preset_name.empty() ? name : preset_name, table));
    }
    std::string command = fmt::format("pe-gen {}", preset ? preset_name : name);
    if (table != encoding->tables.front().name) command += fmt::format(" --table {}", table);
    const Parameters defaults = preset ? parameters_of(*preset) : Parameters(encoding->parameters);
    try {
        for (const Setting& setting :
             needed(*encoding, defaults, settings_in(path, *encoding, provenance))) {
            command += option(setting);
        }
    } catch (const UsageError& error) {
        throw FormatError(path, fmt::format("what it says of its origin: {}", error.what()));
    }
    return command;
}

}  // namespace pegen
