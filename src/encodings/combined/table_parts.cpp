#include "encodings/combined/table_parts.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "encodings/registry.h"

namespace pegen::encodings {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view spaces = " \t\n";

constexpr std::string_view table_option = "table";
constexpr char quote = '\'';

[[noreturn]] void refuse_part(std::string_view part, std::string_view rule) {
    throw UsageError(fmt::format("--parts '{}': {}", part, rule));
}

/// Returns a part for the encoding or preset of this name, or for the array in the file of this
/// name.
TablePart named_part(std::string_view name) {
    const std::string wanted = hyphenated(name);
    if (const Encoding* encoding = find_encoding(wanted)) {
        return {encoding, nullptr, encoding->tables.data(), Parameters(encoding->parameters)};
    }
    if (const Preset* preset = find_preset(wanted)) {
        return {preset->encoding, preset, preset->encoding->tables.data(), parameters_of(*preset)};
    }
    if (name.find_first_of("./") != name.npos) {
        const Encoding& array = array_of_file();
        TablePart part{&array, nullptr, array.tables.data(), Parameters(array.parameters)};
        part.parameters.set(array.file_parameter, name, Origin::user);
        return part;
    }
    std::vector<std::string_view> known;
    for (const Encoding* encoding : all_encodings()) known.push_back(encoding->name);
    for (const Preset& preset : all_presets()) known.push_back(preset.name);
    refuse_part(name, "is no encoding or preset" + did_you_mean(wanted, known));
}

const ParameterSpec& find_parameter(const TablePart& part, std::string_view name) {
    std::vector<std::string_view> known{table_option};
    for (const ParameterSpec& spec : part.encoding->parameters) {
        if (spec.name == name || has_word(spec.aliases, name)) return spec;
        known.push_back(spec.name);
    }
    refuse_part(part.name(),
                fmt::format("has no parameter --{}{}", name, did_you_mean(name, known)));
}

/// An option as the user types it: --d 8, --d=8, -d 8, or a flag.
struct TypedOption {
    std::string name;
    std::optional<std::string_view> value;  ///< text after '='
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

/// Splits the text into parts at semicolons, and each part into words at spaces. Within '...'
/// spaces and semicolons are ordinary characters, and '' is a quotation mark.
std::vector<Words> words_of_parts(std::string_view text) {
    std::vector<Words> parts(1);
    std::string word;
    bool is_in_word = false, is_quoted = false;
    const auto end_word = [&] {
        if (is_in_word) parts.back().push_back(std::exchange(word, {}));
        is_in_word = false;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == quote && is_quoted && text.substr(i + 1).starts_with(quote)) {
            word += text[++i];
        } else if (c == quote) {
            is_quoted = !is_quoted;
            is_in_word = true;
        } else if (!is_quoted && c == ';') {
            end_word();
            parts.emplace_back();
        } else if (!is_quoted && spaces.find(c) != spaces.npos) {
            end_word();
        } else {
            word += c;
            is_in_word = true;
        }
    }
    if (is_quoted) refuse_part(text, "a quotation mark is missing");
    end_word();
    return parts;
}

TablePart parse_part(const Words& all) {
    TablePart part = named_part(all.front());
    std::size_t first = 1;
    if (!part.encoding->file_parameter.empty() && all.size() > 1 && !all[1].starts_with('-')) {
        part.parameters.set(part.encoding->file_parameter, all[first++], Origin::user);
    }
    for (std::size_t i = first; i < all.size(); ++i) {
        const TypedOption option = typed_option(all[i], part.name());
        const auto value = [&] {
            if (option.value) return std::string_view(*option.value);
            if (++i == all.size()) {
                refuse_part(part.name(), fmt::format("--{} needs a value", option.name));
            }
            return std::string_view(all[i]);
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
    for (const Words& all : words_of_parts(text)) {
        if (all.empty()) refuse_part(text, "a table is missing");
        parts.push_back(parse_part(all));
    }
    return parts;
}

std::string word_of_part(std::string_view text) {
    if (text.find_first_of(spaces) == text.npos && text.find_first_of(";'") == text.npos) {
        return std::string(text);
    }
    std::string word(1, quote);
    for (const char c : text) word.append(c == quote ? 2 : 1, c);
    return word + quote;
}

}  // namespace pegen::encodings
