#include "cli/generate.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/print.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/signals.h"
#include "files/output_file.h"
#include "files/target.h"
#include "formats/write.h"
#include "numerics/self_test.h"

namespace pegen::cli {
namespace {

Progress shown_in(ProgressLine& line) {
    return [&line](std::int64_t done, std::int64_t total) { line.update(done, total); };
}

PlannedTable planned_table(const Request& request, const RequestedTable& wanted) {
    const Preset* preset = request.subject.preset;
    return plan_table(*request.subject.encoding, *wanted.spec, request.parameters, wanted.dtype,
                      preset ? preset->name : "");
}

RowSource prepared_rows(const PlannedTable& planned, const Request& request, ProgressLine& line) {
    line.begin(fmt::format("{}: preparing", request.subject.name()));
    RowSource rows = planned.make_rows(shown_in(line));
    line.hide();
    return rows;
}

bool is_terminal(const Target& target) {
    if (same_file(target.path, "-")) return isatty(STDOUT_FILENO) == 1;
    // Only a device is opened: open() of a FIFO waits for a reader.
    std::error_code error;
    if (!std::filesystem::is_character_file(target.path, error)) return false;
    const int descriptor = open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    const bool is_one = isatty(descriptor) == 1;
    if (descriptor >= 0) close(descriptor);
    return is_one;
}

void check_target(const Target& target, const Request& request) {
    if (target.format->is_binary && is_terminal(target)) {
        throw UsageError(
            fmt::format("--{} {}: a terminal cannot show {}; redirect standard output to a file",
                        target.format->name, target.path, target.format->name));
    }
    std::error_code error;
    if (request.keep_existing_files && target.path != "-" &&
        std::filesystem::exists(target.path, error)) {
        throw FileError(target.path, "exists, and --no-clobber was given");
    }
}

std::vector<Output> open_outputs(const std::vector<Target>& targets, const Table& table) {
    std::vector<Output> outputs;
    for (const Target& target : targets) {
        outputs.push_back({target.format, target.parameters, OutputFile(target.path)});
    }
    reserve(table, outputs);
    return outputs;
}

/// Prints what the user should know of the parameters of all tables.
void print_notes(const PlannedTable& planned, const Request& request) {
    if (request.verbosity == Verbosity::quiet) return;
    for (const std::string& note : planned.notes)
        fmt::print(stderr, "pe-gen: {}\n", printable(note));
}

/// Says what a table will be.
std::string table_text(const Table& table, const std::vector<Target>& targets) {
    std::string text = fmt::format("table       {}\n", table.provenance.table);
    const auto& entries = table.provenance.parameters.entries();
    std::size_t width = 12;
    for (const Parameters::Entry& entry : entries) width = std::max(width, entry.spec->name.size());
    for (const Parameters::Entry& entry : entries) {
        text += fmt::format("  {:<{}}  {}\n", entry.spec->name, width, to_string(entry));
    }
    text += fmt::format("shape       {}\n", to_string(table.shape));
    text += fmt::format("dtype       {}\n", info(table.dtype).name);
    for (const Target& target : targets) {
        text += fmt::format("{:<12}{}, {}\n", target.format->name,
                            target.path == "-" ? "standard output" : target.path,
                            size_text(target, table));
    }
    return text;
}

/// A table on its way into its files.
struct TableWork {
    PlannedTable planned;
    std::vector<Output> outputs;
};

/// Plans the tables, then opens the files: what they refuse, they refuse before a value is
/// computed.
std::vector<TableWork> prepared_work(const Request& request) {
    std::vector<TableWork> all;
    for (const RequestedTable& wanted : request.tables) {
        all.push_back({planned_table(request, wanted), {}});
    }
    for (const Target& target : all_targets(request)) check_target(target, request);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].outputs = open_outputs(request.tables[i].targets, all[i].planned.table);
    }
    return all;
}

void commit_all(std::span<TableWork> all) {
    std::vector<OutputFile*> files;
    for (TableWork& work : all) {
        for (Output& output : work.outputs) files.push_back(&output.file);
    }
    commit(files);
}

}  // namespace

Table table_of(const Request& request, const RequestedTable& wanted, const Progress& progress) {
    PlannedTable planned = planned_table(request, wanted);
    planned.table.rows = planned.make_rows(progress);
    return std::move(planned.table);
}

std::string size_text(const Target& target, const Table& table) {
    const auto bytes = file_size(table, *target.format, target.parameters);
    return bytes ? fmt::format("{} bytes", *bytes) : "size depends on the values";
}

void write_targets(std::span<const TableOfTargets> tables, const Progress& progress) {
    std::vector<TableWork> all;
    for (const auto& [table, targets] : tables) {
        all.push_back({{table, nullptr}, open_outputs(targets, table)});
    }
    for (TableWork& work : all) {
        write_table(work.planned.table, work.outputs, progress);
        finish(work.outputs);
    }
    commit_all(all);
}

void generate(const Request& request, ProgressLine& line) {
    if (request.threads) limit_threads(*request.threads);
    numerics::self_test();
    std::vector<TableWork> all = prepared_work(request);
    print_notes(all.front().planned, request);
    for (TableWork& work : all)
        work.planned.table.rows = prepared_rows(work.planned, request, line);

    const std::string title(request.subject.name());
    // No progress line on a terminal that shows the table.
    const bool shows_line = std::ranges::none_of(all_targets(request), is_terminal);
    for (TableWork& work : all) {
        const Table& table = work.planned.table;
        if (shows_line) line.begin(title, row_bytes(table));
        write_table(table, work.outputs, shown_in(line));
        if (shows_line) line.begin(title + ": waiting for the disk");
        finish(work.outputs);
    }
    // Others may have made a file meanwhile.
    for (const Target& target : all_targets(request)) check_target(target, request);
    // A signal either arrives before commit() and changes nothing, or has no effect.
    const PostponedSignals held;
    commit_all(all);
    ignore_signals();
}

void print_dry_run(const Request& request, ProgressLine& line) {
    std::vector<PlannedTable> all;
    for (const RequestedTable& wanted : request.tables) {
        all.push_back(planned_table(request, wanted));
    }
    for (const Target& target : all_targets(request)) check_target(target, request);
    print_notes(all.front(), request);
    const Provenance& first = all.front().table.provenance;
    std::string text = fmt::format("encoding    {}\n", first.encoding);
    if (request.subject.preset) text += fmt::format("preset      {}\n", first.preset);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].table.rows = prepared_rows(all[i], request, line);
        text += table_text(all[i].table, request.tables[i].targets);
    }
    print(text);
}

}  // namespace pegen::cli
