#include "files/array_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "files/foreign_file.h"
#include "files/npy.h"
#include "files/text_table.h"

namespace pegen {
namespace {

bool exists(std::string_view path) {
    std::error_code error;  // a file that cannot be examined is refused when it is opened
    return std::filesystem::exists(path, error);
}

/// Returns the first names as a list for a message, and the number of the remaining names.
std::string some_of(const std::vector<std::string_view>& names) {
    constexpr std::size_t most = 20;
    const std::size_t shown = std::min(names.size(), most);
    std::string text = joined(std::span(names).first(shown), ", ");
    return shown < names.size() ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

/// Returns a name for an example, of positions if there are any.
std::string_view example_of(const std::vector<std::string_view>& names) {
    const auto is_of_positions = [](std::string_view name) {
        return name.find("pos") != name.npos || name.find("freq") != name.npos;
    };
    const auto found = std::ranges::find_if(names, is_of_positions);
    return found == names.end() ? names.front() : *found;
}

/// True if the name of a member is `part` behind a '.' or a '/': model.pos_embed ends with
/// pos_embed.
bool has_end(std::string_view member, std::string_view part) {
    return member.ends_with(fmt::format(".{}", part)) || member.ends_with(fmt::format("/{}", part));
}

/// True if `part` is between separators in the name of a member, or before the first one:
/// transformer.wpe.weight and wpe.weight have the part wpe.
bool has_inner_part(std::string_view member, std::string_view part) {
    return member.starts_with(fmt::format("{}.", part)) ||
           member.find(fmt::format(".{}.", part)) != member.npos;
}

/// Asks for a member, or for the last part of a name, that is spelled nearly like the name.
std::string did_you_mean_name(std::string_view name, std::vector<std::string_view> members) {
    for (std::size_t i = 0, count = members.size(); i < count; ++i) {
        members.push_back(members[i].substr(members[i].find_last_of("./") + 1));
    }
    std::ranges::sort(members);
    members.erase(std::unique(members.begin(), members.end()), members.end());
    return did_you_mean(name, members);
}

}  // namespace

StoredArray read_single(const std::shared_ptr<const InputFile>& file) {
    if (begins_as_npy(*file)) return read_npy(file);
    if (begins_as_text_table(*file)) return read_text_table(file);
    if (begins_as_json_table(*file)) return read_json_table(file);
    throw FormatError(file->path(), foreign_text(*file));
}

ArrayFile array_in(const Archive& archive, const std::optional<std::string>& name) {
    if (archive.format.empty()) {
        Table table = read_single(archive.file).table;
        if (!name) return {archive.path, std::move(table)};
    }
    const ArchiveMember& member = member_of(archive, name, archive.path);
    Table table = member.open().table;
    table.name = member.name;
    return {member.path, std::move(table)};
}

ArrayPath array_path(std::string_view path) {
    if (exists(path)) return {std::string(path), {}};
    for (std::size_t end = path.find(':'); end != path.npos; end = path.find(':', end + 1)) {
        const std::string_view file = path.substr(0, end);
        if (file == "-" || exists(file)) {
            return {std::string(file), std::string(path.substr(end + 1))};
        }
    }
    return {std::string(path), {}};
}

ArrayFile open_array(std::string_view path) {
    const ArrayPath parts = array_path(path);
    return array_in(open_archive(parts.file), parts.name);
}

Table read_array(std::string_view path) {
    const ArrayPath parts = array_path(path);
    return array_in(open_archive(parts.file, Pipes::refused), parts.name).table;
}

ArrayFile with_floats(ArrayFile file, std::string_view what) {
    if (is_floating(file.table.dtype)) return file;
    throw FormatError(file.path, fmt::format("dtype {}: {} must be floats; save {}.astype(float)",
                                             info(file.table.dtype).name, what, what));
}

ArrayFile with_numbers(ArrayFile file, std::string_view what) {
    if (file.table.dtype != DType::boolean) return file;
    throw FormatError(
        file.path, fmt::format("dtype bool: {} must be numbers; save {}.astype(int)", what, what));
}

void check_finite(const ArrayFile& file, std::span<const double> elements, std::int64_t first,
                  std::string_view what) {
    const bool is_whole = !is_floating(file.table.dtype);
    const auto is_exact = [&](double x) {
        return is_whole ? std::fabs(x) < two_to_53 : std::isfinite(x);
    };
    const auto found = std::ranges::find_if_not(elements, is_exact);
    if (found == elements.end()) return;
    const std::vector<std::int64_t> place =
        index_of(first + (found - elements.begin()), file.table.shape.extents());
    throw FormatError(file.path,
                      fmt::format("{}[{}] is {}: must be {}", what, joined(place, ", "),
                                  shortest(*found), is_whole ? "less than 2^53" : "finite"));
}

std::vector<double> finite_elements(const ArrayFile& file, std::string_view what) {
    std::vector<double> elements = read_rows(file.table, {0, file.table.shape.rows()});
    check_finite(file, elements, 0, what);
    return elements;
}

const ArchiveMember& member_of(const Archive& archive, const std::optional<std::string>& name,
                               std::string_view path) {
    if (archive.format.empty()) {
        throw FormatError(path, fmt::format("holds a single array, so there is none called {}",
                                            name.value_or("")));
    }
    if (!name && archive.members.size() == 1) return archive.members.front();
    std::vector<std::string_view> names;
    for (const ArchiveMember& member : archive.members) {
        if (member.name == name) return member;
        names.push_back(member.name);
    }
    if (names.empty()) throw FormatError(path, "has no arrays");
    if (!name || name->empty()) {
        throw FormatError(path, fmt::format("has several arrays, {}; name one, as in {}:{}",
                                            some_of(names), path, example_of(names)));
    }
    for (const auto has_part : {has_end, has_inner_part}) {
        std::vector<const ArchiveMember*> found;
        std::vector<std::string_view> found_names;
        for (const ArchiveMember& member : archive.members) {
            if (!has_part(member.name, *name)) continue;
            found.push_back(&member);
            found_names.push_back(member.name);
        }
        if (found.size() == 1) return *found.front();
        if (found.empty()) continue;
        throw FormatError(path, fmt::format("{} may be {}", *name, some_of(found_names)));
    }
    throw FormatError(path, fmt::format("has no array '{}'; there are {}{}", *name, some_of(names),
                                        did_you_mean_name(*name, names)));
}

}  // namespace pegen
