#include "inspect/out_of_date.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/utf8.h"
#include "figure/figure.h"
#include "files/archive.h"
#include "files/json_text.h"
#include "files/npy.h"
#include "formats/csv.h"
#include "formats/json.h"
#include "formats/metadata.h"
#include "formats/npy.h"
#include "formats/safetensors.h"
#include "inspect/facts.h"

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

namespace {

/// A file that is out of date, and the content that would be written.
struct Case {
    std::string_view path;
    const Standing& standing;
    std::span<const Table> tables;
    const Format& format;
    const Parameters& parameters;
};

template <class T>
std::string change(std::string_view what, const T& before, const T& now) {
    return fmt::format("{} {} -> {}", what, before, now);
}

std::string_view name_of(DType dtype) { return info(dtype).name; }

/// Calls `take` with the text of the file, piece by piece, until `take` returns false.
template <class Take>
void read_text(const InputFile& file, const Take& take) {
    file.read_pieces(0, file.size(), [&](std::span<const std::byte> piece) {
        return take(std::string_view(reinterpret_cast<const char*>(piece.data()), piece.size()));
    });
}

/// Returns the reason that the offset of the first difference gives: the line of a text, or the
/// byte.
std::string why_by_offset(const Case& of) {
    if (!of.standing.difference) return "its size differs";
    const std::int64_t offset = *of.standing.difference;
    const InputFile file(of.path);
    if (offset >= file.size()) return fmt::format("ends too early, after {} bytes", file.size());
    if (of.format.is_binary) return fmt::format("byte {} differs", offset);
    std::int64_t line = 1, left = offset;
    read_text(file, [&](std::string_view piece) {
        const auto before = piece.substr(0, std::min<std::int64_t>(left, std::ssize(piece)));
        line += std::ranges::count(before, '\n');
        left -= std::ssize(before);
        return left > 0;
    });
    return fmt::format("line {} differs", line);
}

std::string why_npy(const Case& of) {
    const InputFile file(of.path);
    const ArrayLayout found = read_npy_header(file);
    const Table& table = of.tables.front();
    if (found.shape != table.shape) {
        return change("shape", to_string(found.shape), to_string(table.shape));
    }
    if (found.dtype != table.dtype) {
        return change("dtype", name_of(found.dtype), name_of(table.dtype));
    }
    const std::int64_t end = found.begin + total_bytes(table);
    if (file.size() < end) return fmt::format("ends too early, after {} bytes", file.size());
    if (file.size() > end) return "goes on after its end";
    const std::int64_t offset = of.standing.difference.value_or(0) - found.begin;
    if (offset < 0) return "its header differs";
    return fmt::format("row {} differs", offset / row_bytes(table));
}

/// Returns why a CSV file is out of date; for a table with two axes, compares the shapes first.
std::string why_csv(const Case& of) {
    const Table& table = of.tables.front();
    if (table.shape.rank() != 2) return why_by_offset(of);
    const InputFile file(of.path);
    std::int64_t commas = 0, lines = 0;
    read_text(file, [&](std::string_view piece) {
        if (lines == 0) commas += std::ranges::count(piece.substr(0, piece.find('\n')), ',');
        lines += std::ranges::count(piece, '\n');
        return true;
    });
    // A header row comes with columns of indices.
    const std::string head = of.format.head(table, of.parameters);
    const std::int64_t rows = head.empty() ? lines : lines - 1;
    const std::int64_t columns =
        head.empty() ? 1 + commas : commas - std::ranges::count(head, ',') + table.shape.columns();
    if (rows < 1 || columns < 1) return why_by_offset(of);
    const Shape found{rows, columns};
    if (found == table.shape) return why_by_offset(of);
    return change("shape", to_string(found), to_string(table.shape));
}

/// Compares the arrays of an NPZ file.
std::string why_npz(const Case& of) {
    const Archive archive = open_archive(InputFile::regular_or_pipe(of.path));
    for (const Table& table : of.tables) {
        const auto member = std::ranges::find(archive.members, table.name, &ArchiveMember::name);
        if (member == archive.members.end()) return fmt::format("has no array {}", table.name);
        const Table found = member->open().table;
        if (found.shape != table.shape) {
            return fmt::format("{}: {}", table.name,
                               change("shape", to_string(found.shape), to_string(table.shape)));
        }
        if (found.dtype != table.dtype) {
            return fmt::format("{}: {}", table.name,
                               change("dtype", name_of(found.dtype), name_of(table.dtype)));
        }
    }
    return archive.members.size() > of.tables.size() ? "has more arrays" : "its values differ";
}

/// Returns the origin that the file would have; "" if it would have none.
std::string origin_of(const Case& of) {
    if (&of.format == &formats::safetensors) return archive_provenance(of.tables);
    return target_provenance(of.format, of.tables.front(), of.parameters);
}

/// Compares the origin that the file holds, then its bytes.
std::string why_by_origin(const Case& of) {
    const std::vector<Fact> facts = facts_of(of.path);
    const auto recorded = std::ranges::find(facts, "provenance", &Fact::name);
    const std::string now = origin_of(of);
    if (recorded == facts.end() && !now.empty()) return "does not say what made it";
    const std::string changes = now.empty() ? "" : changed_origin(of.path, recorded->json, now);
    if (!changes.empty()) return changes;
    if (!of.format.says_the_same) return why_by_offset(of);
    return recorded->json == now ? "what it shows differs" : "another version of pe-gen wrote it";
}

std::string why(const Case& of) {
    if (&of.format == &formats::csv) return why_csv(of);
    const bool is_array = &of.format == &formats::npy || &of.format == &formats::npz;
    const bool has_origin =
        is_figure(of.format) || &of.format == &formats::json || &of.format == &formats::safetensors;
    if (!is_array && !has_origin) return why_by_offset(of);
    if (format_of(of.path) != of.format.name) {
        return fmt::format("is not in the format {}", of.format.name);
    }
    if (has_origin) return why_by_origin(of);
    return &of.format == &formats::npy ? why_npy(of) : why_npz(of);
}

}  // namespace

std::string why_out_of_date(std::string_view path, const Standing& standing,
                            std::span<const Table> tables, const Format& format,
                            const Parameters& parameters) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return "is not a regular file";
    try {
        return why({path, standing, tables, format, parameters});
    } catch (const Error& failure) {
        std::string_view text = failure.what();
        const std::string own = fmt::format("{}: ", path);
        if (text.starts_with(own)) text.remove_prefix(own.size());
        return one_line(text);
    }
}

}  // namespace pegen
