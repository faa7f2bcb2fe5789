#include "cli/batch/index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <system_error>

#include "cli/batch/files.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/utf8.h"
#include "files/folders.h"
#include "files/input_file.h"
#include "files/json_text.h"
#include "files/output_file.h"
#include "files/sha256.h"
#include "formats/command.h"
#include "formats/metadata.h"

namespace pegen::cli {
namespace {

constexpr std::string_view index_format = "jsonl";
/// Members of an entry that are known only when the file exists.
constexpr std::array of_content{"bytes", "sha256"};

/// Returns the provenance of a file as figures record it, always with the dtype.
Json origin_of(const Target& target, std::span<const Table> tables) {
    if (target.format->archive) return parse_json(archive_provenance(tables), target.path);
    const Table& table = tables.front();
    Json origin =
        parse_json(target_provenance(*target.format, table, target.parameters), target.path);
    origin["dtype"] = info(table.dtype).name;
    return origin;
}

/// Returns the command that makes the file when it is run in the manifest's folder.
std::string command_for(const Target& target, const Json& origin) {
    const std::string provenance = utf8_json_line(origin);
    std::string command = command_of(target.path, provenance);
    if (!is_figure(*target.format)) {
        for (const Parameters::Entry& entry : target.parameters.entries()) {
            if (is_default(entry)) continue;
            command += fmt::format(" --{}={}", entry.spec->name, shell_word(to_string(entry)));
        }
    }
    return fmt::format("{} --{} {}", command, target.format->name,
                       shell_word(path_with_arrays(target.path, provenance)));
}

Json json_of(const Setting& label) {
    return label.value.is_text ? Json(label.value.text) : parse_json(label.value.text, label.key);
}

/// Adds the members of one table.
void add_table(Json& entry, const Json& origin, const Table& table) {
    entry["table"] = origin["table"];
    entry["shape"] = table.shape.extents();
    entry["dtype"] = origin["dtype"];
}

/// Adds what the table or tables were made of, and the labels of the job.
void add_origin(Json& entry, const Json& origin, const Job& job) {
    for (const char* name : {"encoding", "preset", "parameters"}) {
        entry[name] = origin.value(name, Json());
    }
    if (origin.contains("corruption")) entry["corruption"] = origin["corruption"];
    entry["labels"] = Json::object();
    for (const Setting* label : job.labels) entry["labels"][label->key] = json_of(*label);
}

/// Adds size and hash, if the file has its content.
void add_content(Json& entry, const Sha256* digest) {
    if (!digest) return;
    entry["bytes"] = digest->size();
    entry["sha256"] = digest->hex();
}

/// Returns the lines of a text, without their line breaks.
std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines = fields(text, '\n');
    if (lines.back().empty()) lines.pop_back();
    return lines;
}

bool exists(const std::string& path) {
    std::error_code error;
    return std::filesystem::exists(std::filesystem::symlink_status(path, error));
}

/// An entry of an index file, which may have been edited by hand or by other programs.
struct Entry {
    Json members;
    std::string path;
};

/// Parses a line of the index.
/// Throws: FormatError, with the number of the line, if the line is not an object with a "path".
Entry entry_of(const Batch& batch, std::string_view line, std::size_t number) {
    const std::string place =
        fmt::format("{}: line {}", batch.from_start(batch.manifest.index), number);
    Json members = parse_json(line, place);
    const bool has_path =
        members.is_object() && members.contains("path") && members["path"].is_string();
    if (!has_path) throw FormatError(place, "is no object with a \"path\"");
    auto path = members["path"].get<std::string>();
    return {std::move(members), std::move(path)};
}

/// Returns the entry without the members that depend on the content of the file.
Json without_content(Json members) {
    for (const char* name : of_content) members.erase(name);
    return members;
}

/// Returns how an entry differs from the wanted entry; "" if it does not.
std::string entry_change(const Entry& found, const Entry& wanted) {
    if (found.path != wanted.path) {
        return fmt::format("lists {} where {} must be", one_line(found.path),
                           one_line(wanted.path));
    }
    const bool has_content = wanted.members.contains(of_content.front());
    const Json members = has_content ? found.members : without_content(found.members);
    if (members == wanted.members) return "";
    for (const auto& [name, value] : wanted.members.items()) {
        if (members.value(name, Json()) != value) {
            return fmt::format("{}: {} differs", one_line(found.path), name);
        }
    }
    return fmt::format("{}: has more members", one_line(found.path));
}

/// Returns why the index is out of date; "" if it is up to date.
std::string index_change(const Batch& batch, const std::vector<std::string_view>& entries) {
    try {
        const std::string text = read_whole(batch.manifest.index, most_bytes_of_index);
        if (!text.empty() && text.back() != '\n') return "ends within a line";
        const std::vector<std::string_view> lines = lines_of(text);
        for (std::size_t i = 0; i < std::min(lines.size(), entries.size()); ++i) {
            if (lines[i] == entries[i]) continue;
            const std::string change =
                entry_change(entry_of(batch, lines[i], i + 1), entry_of(batch, entries[i], i + 1));
            if (!change.empty()) return change;
        }
        if (lines.size() == entries.size()) return "";
        return fmt::format("lists {} files -> {}", lines.size(), entries.size());
    } catch (const FormatError&) {
        return "is not an index";
    }
}

std::vector<std::string_view> entries_of(const std::vector<JobReport>& reports) {
    std::vector<std::string_view> entries;
    for (const JobReport& report : reports) {
        for (const FileReport& file : report.files) {
            if (file.entry.empty()) continue;
            for (const std::string_view line : fields(file.entry, '\n')) entries.push_back(line);
        }
    }
    return entries;
}

/// Throws: FormatError if the entries of all files together are longer than most_bytes_of_index.
void check_size(const Batch& batch, const std::vector<JobReport>& reports) {
    std::int64_t bytes = 0;
    for (const JobReport& report : reports) {
        for (const FileReport& file : report.files) bytes += std::ssize(file.entry);
    }
    if (bytes <= most_bytes_of_index) return;
    throw FormatError(batch.path,
                      fmt::format("index: would have more than {} bytes", most_bytes_of_index));
}

void write_index(const Batch& batch, const std::vector<std::string_view>& entries,
                 MadeFolders& folders) {
    prepare_folder(batch, batch.manifest.index, folders);
    OutputFile file(batch.manifest.index, {Existing::replaced, batch.sync});
    for (const std::string_view entry : entries) {
        file.write(entry);
        file.write("\n");
    }
    file.finish();
    OutputFile* const files[] = {&file};
    commit(files);
}

/// Compares the index with the entries that it should have, and reports its outcome and reason.
void look_at_index(const Batch& batch, const std::vector<std::string_view>& entries,
                   FileReport& report) {
    if (!exists(batch.manifest.index)) {
        report.outcome = Outcome::missing;
        return;
    }
    report.reason = index_change(batch, entries);
    report.outcome = report.reason.empty() ? Outcome::up_to_date : Outcome::out_of_date;
}

void do_index(const Batch& batch, const std::vector<std::string_view>& entries,
              MadeFolders& folders, FileReport& report) {
    if (batch.mode == BatchMode::describe) {
        report.outcome = Outcome::planned;
        report.plan = "a line for each file";
        return;
    }
    look_at_index(batch, entries, report);
    if (batch.mode == BatchMode::check || report.outcome == Outcome::up_to_date) return;
    report.outcome = Outcome::failed;  // until the index is written
    write_index(batch, entries, folders);
    report.outcome = Outcome::written;
}

/// Returns the orphans; no files if the mode is describe, if the files of some job are unknown, or
/// if the index cannot be read.
std::vector<FileReport> known_orphans(const Batch& batch, const BatchFiles& files) {
    if (batch.mode == BatchMode::describe || !files.unknown.empty()) return {};
    try {
        return orphans_of(batch, files);
    } catch (const FormatError&) {
        return {};  // a new index replaces the invalid one
    }
}

}  // namespace

std::string index_entry(const Job& job, const Target& target, std::span<const Table> tables,
                        const Sha256* digest) {
    const Json origin = origin_of(target, tables);
    Json entry = Json::object();
    entry["path"] = target.path;
    entry["format"] = target.format->name;
    if (target.format->archive) {
        entry["tables"] = Json::object();
        for (const Table& table : tables) {
            entry["tables"][table.name] = {{"shape", table.shape.extents()},
                                           {"dtype", info(table.dtype).name}};
        }
    } else {
        add_table(entry, origin, tables.front());
    }
    add_origin(entry, origin, job);
    entry["command"] = command_for(target, origin);
    add_content(entry, digest);
    return json_line(entry);
}

std::string index_entry_of_array(const Job& job, const Target& archive, const ArrayPlace& place,
                                 const Table& table) {
    Json origin = parse_json(figure_provenance(table, {}), archive.path);
    origin["dtype"] = info(table.dtype).name;
    Json entry = Json::object();
    entry["path"] = archive.path;
    entry["format"] = archive.format->name;
    entry["array"] = place.name;
    if (place.index) entry["index"] = *place.index;
    add_table(entry, origin, table);
    add_origin(entry, origin, job);
    entry["command"] = command_of(archive.path, utf8_json_line(origin));
    return json_line(entry);
}

std::string index_entry_of_archive(const Target& archive, std::span<const Table> arrays,
                                   const Sha256* digest) {
    Json entry = Json::object();
    entry["path"] = archive.path;
    entry["format"] = archive.format->name;
    entry["arrays"] = arrays.size();
    add_content(entry, digest);
    return json_line(entry);
}

JobReport update_index(const Batch& batch, const std::vector<JobReport>& reports,
                       const BatchFiles& files, MadeFolders& folders) {
    check_size(batch, reports);
    JobReport report{.files = {{batch.manifest.index, index_format, Outcome::failed}}};
    try {
        // The orphans are read first: the new index no longer lists them.
        const std::vector<FileReport> orphans = known_orphans(batch, files);
        do_index(batch, entries_of(reports), folders, report.files.front());
        report.files.insert(report.files.end(), orphans.begin(), orphans.end());
    } catch (...) {
        report.failure = failure_at(batch, "index", {batch.manifest.index});
    }
    return report;
}

std::vector<FileReport> orphans_of(const Batch& batch, const BatchFiles& files) {
    std::vector<FileReport> orphans;
    if (!exists(batch.manifest.index)) return orphans;
    const std::string text = read_whole(batch.manifest.index, most_bytes_of_index);
    std::size_t number = 0;
    std::set<std::string> seen;  // an archive of several jobs has many lines
    for (const std::string_view line : lines_of(text)) {
        const Entry entry = entry_of(batch, line, ++number);
        try {
            check_beneath(entry.path);
        } catch (const UsageError&) {
            continue;  // pe-gen never writes such a path
        }
        if (files.has(entry.path) || !seen.insert(entry.path).second || !exists(entry.path)) {
            continue;
        }
        orphans.push_back({entry.path, "", Outcome::orphan});
    }
    return orphans;
}

}  // namespace pegen::cli
