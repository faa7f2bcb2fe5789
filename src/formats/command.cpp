#include "formats/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/utf8.h"
#include "encodings/corruption.h"
#include "encodings/registry.h"
#include "figure/figure.h"
#include "files/json_text.h"
#include "formats/metadata.h"

namespace pegen {
namespace {

bool is_plain(std::string_view text) {
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,.:/@%";
    return !text.empty() && text.find_first_not_of(plain) == std::string_view::npos;
}

bool is_printable(std::string_view text) {
    try {
        return std::ranges::none_of(decode_utf8(text), is_obeyed, &Character::code);
    } catch (const UsageError&) {
        return false;
    }
}

std::string in_quotes(std::string_view text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
    return result + "'";
}

std::string with_escapes(std::string_view text) {
    std::string result = "$'";
    for (const char c : text) {
        const bool is_itself = c >= ' ' && c <= '~' && c != '\'' && c != '\\';
        result +=
            is_itself ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
    return result + "'";
}

}  // namespace

std::string shell_word(std::string_view text) {
    if (is_plain(text)) return std::string(text);
    return is_printable(text) ? in_quotes(text) : with_escapes(text);
}

namespace {

/// Returns a string member of `object`; "" if it is missing or null.
std::string text_member(std::string_view path, const Json& object, const char* name) {
    const Json* found = object.find(name);
    if (!found || found->is_null()) return "";
    if (!found->is_string()) {
        throw FormatError(path, fmt::format("its provenance: '{}' is not a text", name));
    }
    return found->get<std::string>();
}

/// Returns the value as a user would type it; "" if no parameter can have such a value.
std::string typed(const Json& value, ParameterType type) {
    if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
    if (value.is_number()) return typed_number(value);
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_array()) return "";
    std::vector<std::string> items;
    for (const Json& item : value) {
        if (!item.is_number()) return "";
        items.push_back(typed(item, type));
    }
    return joined(items, type == ParameterType::size ? "x" : ",");
}

using Settings = std::vector<Parameters::Entry>;

/// True if the value is empty although "none" is not allowed as input: other parameters cleared it.
bool is_worked_out(const Parameters::Entry& entry) {
    const bool may_be_none = entry.spec->default_value.empty() &&
                             entry.spec->type != ParameterType::text &&
                             entry.spec->type != ParameterType::path;
    return std::holds_alternative<NoValue>(entry.value) && !may_be_none;
}

/// True if `settings`, typed by a user over `defaults`, result in the parameters `wanted`. If the
/// settings name a file, they are compared without Encoding::plan, which opens the file: the
/// contents of a stranger's file must not make this program open other files.
bool means(const Encoding& encoding, Parameters defaults, const Settings& settings,
           const Parameters& wanted) {
    bool names_file = false;
    try {
        for (const Parameters::Entry& setting : settings) {
            defaults.set(setting.spec->name, to_string(setting), Origin::user);
            names_file = names_file || setting.spec->type == ParameterType::path;
        }
        if (!names_file) {
            defaults = plan_of(encoding, defaults, encoding.tables.front().name).parameters;
        }
    } catch (const UsageError&) {
        return false;
    }
    return std::ranges::equal(
        defaults.entries(), wanted.entries(), [](const auto& made, const auto& recorded) {
            return are_same(made.value, recorded.value) || is_worked_out(recorded);
        });
}

Settings without(Settings settings, std::size_t left_out) {
    settings.erase(settings.begin() + static_cast<std::ptrdiff_t>(left_out));
    return settings;
}

/// Returns the settings needed to turn `defaults` into `wanted`. Parameters that the encoding works
/// out from others are in `wanted` too and must be left out: typed, they may even contradict the
/// parameters they follow from, as --len contradicts a list of positions.
Settings needed(const Encoding& encoding, const Parameters& defaults, const Parameters& wanted) {
    Settings settings;
    for (std::size_t i = 0; i < wanted.entries().size(); ++i) {
        const Parameters::Entry& entry = wanted.entries()[i];
        if (!are_same(entry.value, defaults.entries()[i].value) && !is_worked_out(entry)) {
            settings.push_back(entry);
        }
    }
    const auto is_enough = [&](const Settings& some) {
        return means(encoding, defaults, some, wanted);
    };
    // Some encodings refuse a setting that another setting has cleared, even if it repeats the
    // cleared value.
    if (!is_enough(settings)) {
        Settings set = settings;
        std::erase_if(set, [](const Parameters::Entry& entry) {
            return std::holds_alternative<NoValue>(entry.value);
        });
        if (is_enough(set)) settings = std::move(set);
    }
    for (std::size_t i = 0; i < settings.size() && !is_enough(settings); ++i) {
        if (is_enough(without(settings, i))) settings = without(settings, i);
    }
    for (std::size_t i = settings.size(); i-- > 0;) {
        if (is_enough(without(settings, i))) settings = without(settings, i);
    }
    return settings;
}

/// True if an argument is read as an option and not as a value: "--x" and "-x", but not "-5".
bool is_like_option(std::string_view text) {
    constexpr std::string_view of_numbers = "0123456789.";
    return text.size() > 1 && text[0] == '-' && of_numbers.find(text[1]) == of_numbers.npos;
}

std::string option(const Parameters::Entry& setting) {
    const std::string text = to_string(setting);
    if (setting.spec->type != ParameterType::flag) {
        return fmt::format(" --{}{}{}", setting.spec->name, is_like_option(text) ? '=' : ' ',
                           shell_word(text));
    }
    return fmt::format(" --{}{}", setting.spec->name, text == "true" ? "" : "=false");
}

/// Reads the recorded values of the parameters of `owner`.
/// Throws: UsageError for a value that is not allowed.
Parameters recorded(std::string_view path, const Json& members, std::string_view owner,
                    std::span<const ParameterSpec> specs) {
    Parameters parameters(specs);
    for (const auto& [name, value] : members.items()) {
        const auto spec = std::ranges::find(specs, name, &ParameterSpec::name);
        if (spec == specs.end()) {
            throw FormatError(
                path,
                fmt::format("its provenance: '{}' has no parameter '{}' that this program knows",
                            owner, name));
        }
        if (value.is_null()) {
            parameters.resolve(name, Value());
        } else {
            parameters.set(name, typed(value, spec->type), Origin::user);
        }
    }
    return parameters;
}

/// Returns an object member of `provenance`.
const Json& object_member(std::string_view path, const Json& provenance, const char* name) {
    const Json* found = provenance.find(name);
    if (!found || !found->is_object()) {
        throw FormatError(path, fmt::format("its provenance has no {}", name));
    }
    return *found;
}

/// A table that the file holds, and its dtype.
struct RecordedTable {
    const TableSpec* spec;
    std::string dtype;
};

/// Returns the tables that the file holds: the members of "tables", which archives have, or
/// "table", which names several if a figure shows them as panels, and "dtype", which figures of
/// float32 leave out. Returns nothing if one is not known.
std::vector<RecordedTable> recorded_tables(std::string_view path, const Json& provenance,
                                           const Encoding& encoding) {
    std::vector<RecordedTable> tables;
    if (!provenance.contains("tables")) {
        const std::string names = text_member(path, provenance, "table");
        const std::string dtype = text_member(path, provenance, "dtype");
        for (const std::string_view name : fields(names, ',')) {
            tables.push_back({find_table(encoding, name), dtype.empty() ? "float32" : dtype});
        }
    } else {
        const Json& all = object_member(path, provenance, "tables");
        for (const auto& [name, dtype] : all.items()) {
            tables.push_back({find_table(encoding, name), text_member(path, all, name.c_str())});
        }
    }
    const bool is_known = std::ranges::count(tables, nullptr, &RecordedTable::spec) == 0;
    return is_known ? tables : std::vector<RecordedTable>();
}

/// Returns --table, or "" if the same tables are made without it: an archive then has all tables.
std::string table_option(const Json& provenance, const Encoding& encoding,
                         const std::vector<RecordedTable>& tables) {
    const std::size_t made = provenance.contains("tables") ? encoding.tables.size() : 1;
    const auto unnamed = encoding.tables.first(made);
    if (std::ranges::equal(tables, unnamed, {}, &RecordedTable::spec,
                           [](const TableSpec& table) { return &table; })) {
        return "";
    }
    std::vector<std::string_view> names;
    for (const RecordedTable& table : tables) names.push_back(table.spec->name);
    return fmt::format(" --table {}", joined(names, ","));
}

/// Returns --dtype, or "" if the table has its default dtype or the dtype of the file it is read
/// from.
std::string dtype_option(std::string_view path, const RecordedTable& table,
                         const Encoding& encoding) {
    const std::string& name = table.dtype;
    if (!encoding.file_parameter.empty() || name == info(table.spec->dtype).name) return "";
    if (std::ranges::find(dtypes, name, &DTypeInfo::name) == dtypes.end()) {
        throw FormatError(path, fmt::format("its provenance: '{}' is not a dtype", name));
    }
    return fmt::format(" --dtype {}", name);
}

/// Returns the options that the member `name` of the provenance records, without defaults; "" if
/// there is no such member.
std::string recorded_options(std::string_view path, const Json& provenance, const char* name,
                             std::span<const ParameterSpec> specs) {
    if (!provenance.contains(name)) return "";
    std::string options;
    const Parameters all = recorded(path, object_member(path, provenance, name), name, specs);
    for (const auto& entry : all.entries()) {
        if (!is_default(entry)) options += option(entry);
    }
    return options;
}

}  // namespace

std::string command_of(std::string_view path, std::string_view text) {
    const Json provenance = parse_json(text, path);
    if (!provenance.is_object()) {
        throw FormatError(path, "its provenance is not a JSON object");
    }
    const std::string name = text_member(path, provenance, "encoding");
    const std::string preset_name = text_member(path, provenance, "preset");
    if (name.empty()) return "";
    const Encoding* encoding = find_encoding(name);
    const std::vector<RecordedTable> tables =
        encoding ? recorded_tables(path, provenance, *encoding) : std::vector<RecordedTable>();
    const Preset* preset = preset_name.empty() ? nullptr : find_preset(preset_name);
    const bool is_known =
        !tables.empty() && (preset_name.empty() || (preset && preset->encoding == encoding));
    if (!is_known) {
        const Json table =
            provenance.value(provenance.contains("tables") ? "tables" : "table", Json());
        throw FormatError(
            path, fmt::format("its provenance: '{}', table {}, is not known to this program",
                              preset_name.empty() ? name : preset_name, utf8_json_line(table)));
    }
    std::string command = fmt::format("pe-gen {}", preset ? preset_name : name);
    command += table_option(provenance, *encoding, tables);
    const Parameters defaults = preset ? parameters_of(*preset) : Parameters(encoding->parameters);
    try {
        const Parameters wanted = recorded(path, object_member(path, provenance, "parameters"),
                                           name, encoding->parameters);
        for (const auto& setting : needed(*encoding, defaults, wanted)) command += option(setting);
        for (const RecordedTable& table : tables) {
            const std::string option = dtype_option(path, table, *encoding);
            command += option;
            if (!option.empty()) break;
        }
        command += recorded_options(path, provenance, "corruption", corruption_parameters());
        command += recorded_options(path, provenance, "figure", figure_parameters());
    } catch (const UsageError& error) {
        throw FormatError(path, fmt::format("its provenance: {}", error.what()));
    }
    return command;
}

std::string path_with_arrays(std::string_view path, std::string_view provenance) {
    const std::string arrays = text_member(path, parse_json(provenance, path), "arrays");
    return fmt::format("{}{}{}", path, arrays.empty() ? "" : ":", arrays);
}

std::string command_of(const Encoding& encoding, const FileDescription& description) {
    const Provenance provenance{std::string(encoding.name), "",
                                std::string(encoding.tables.front().name), description.parameters};
    return command_of(description.title, utf8_json_line(provenance_json(provenance)));
}

}  // namespace pegen
