#include "encodings/combined/table_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::encodings {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view table_option = "table";

[[noreturn]] void refuse_part(std::string_view part, std::string_view rule) {
    throw UsageError(fmt::format("--parts '{}': {}", part, rule));
}

TablePart named_part(std::string_view name) {
    const std::string wanted = hyphenated(name);
    if (const Encoding* encoding = find_encoding(wanted)) {
        return {encoding, nullptr, encoding->tables.data(), Parameters(encoding->parameters)};
    }
    if (const Preset* preset = find_preset(wanted)) {
        return {preset->encoding, preset, preset->encoding->tables.data(), parameters_of(*preset)};
    }
    std::vector<std::string_view> known;
    for (const Encoding* encoding : all_encodings()) known.push_back(encoding->name);
    for (const Preset& preset : all_presets()) known.push_back(preset.name);
    refuse_part(name, "is no encoding or preset" + did_you_mean(wanted, known));
}

const ParameterSpec& find_parameter(const TablePart& part, std::string_view name) {
    std::vector<std::string_view> known{table_option};
    for (const ParameterSpec& spec : part.encoding->parameters) {
        if (spec.name == name || std::ranges::count(words(spec.aliases), name) > 0) return spec;
        known.push_back(spec.name);
    }
    refuse_part(part.name(),
                fmt::format("has no parameter --{}{}", name, did_you_mean(name, known)));
}

/// An option as it is typed: --d 8, --d=8, -d 8, or a flag.
struct TypedOption {
    std::string name;
    std::optional<std::string_view> value;  ///< what stands behind '='
};

TypedOption typed_option(std::string_view word, std::string_view part) {
    if (!word.starts_with('-')) {
        refuse_part(part, fmt::format("unexpected word '{}'; tables are separated by ';'", word));
    }
    const std::string_view text = word.substr(word.starts_with("--") ? 2 : 1);
    const std::size_t end = text.find('=');
    if (end == text.npos) return {hyphenated(text), {}};
    return {hyphenated(text.substr(0, end)), text.substr(end + 1)};
}

TablePart parse_part(Words all) {
    TablePart part = named_part(all.front());
    for (std::size_t i = 1; i < all.size(); ++i) {
        const TypedOption option = typed_option(all[i], part.name());
        const auto value = [&] {
            if (option.value) return *option.value;
            if (++i == all.size()) {
                refuse_part(part.name(), fmt::format("--{} needs a value", option.name));
            }
            return all[i];
        };
        if (option.name == table_option) {
            const std::string_view name = value();
            part.table = find_table(*part.encoding, name);
            if (!part.table) refuse_part(part.name(), fmt::format("has no table {}", name));
            continue;
        }
        const ParameterSpec& spec = find_parameter(part, option.name);
        const bool is_flag = spec.type == ParameterType::flag;
        part.parameters.set(spec.name, is_flag ? option.value.value_or("true") : value(),
                            Origin::user);
    }
    return part;
}

}  // namespace

std::vector<TablePart> parse_parts(std::string_view text) {
    std::vector<TablePart> parts;
    for (const std::string_view part : fields(text, ';')) {
        const std::vector<std::string_view> all = words(part);
        if (all.empty()) refuse_part(text, "a table is missing");
        parts.push_back(parse_part(all));
    }
    return parts;
}

}  // namespace pegen::encodings
