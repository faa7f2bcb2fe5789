#include "cli/generate.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/other_table.h"
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
    PlannedTable planned = plan_table(*request.subject.encoding, *wanted.spec, request.parameters,
                                      wanted.dtype, preset ? preset->name : "");
    planned.table.other = other_table;
    return planned;
}

std::vector<PlannedOutput> planned_outputs(const Request& request) {
    std::vector<PlannedOutput> all;
    for (const RequestedTable& wanted : request.tables) {
        all.push_back({planned_table(request, wanted), wanted.targets});
    }
    return all;
}

Run run_of(const Request& request) { return {std::string(request.subject.name()), request.run}; }

RowSource prepared_rows(const PlannedTable& planned, const Run& run, ProgressLine& line) {
    line.begin(run.title + ": preparing");
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

void check_target(const Target& target, const Run& run) {
    if (target.format->is_binary && is_terminal(target)) {
        throw UsageError(
            fmt::format("--{} {}: a terminal cannot show {}; redirect standard output to a file",
                        target.format->name, target.path, target.format->name));
    }
    std::error_code error;
    if (run.settings.keep_existing_files && target.path != "-" &&
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

void check_targets(std::span<const PlannedOutput> tables, const Run& run) {
    for (const PlannedOutput& table : tables) {
        for (const Target& target : table.targets) check_target(target, run);
    }
}

/// Says what table will be made, of which parameters.
std::string origin_text(const Provenance& provenance) {
    std::string text = fmt::format("table       {}\n", provenance.table);
    const auto& entries = provenance.parameters.entries();
    std::size_t width = 12;
    for (const Parameters::Entry& entry : entries) width = std::max(width, entry.spec->name.size());
    for (const Parameters::Entry& entry : entries) {
        text += fmt::format("  {:<{}}  {}\n", entry.spec->name, width, to_string(entry));
    }
    return text;
}

/// A table on its way into its files.
struct TableWork {
    Table table;
    std::vector<Output> outputs;
};

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

void print_notes(const PlannedTable& planned, const Run& run) {
    if (run.settings.verbosity == Verbosity::quiet) return;
    for (const std::string& note : planned.notes)
        fmt::print(stderr, "pe-gen: {}\n", printable(note));
}

void write_targets(std::span<const TableOfTargets> tables, const Progress& progress) {
    std::vector<TableWork> all;
    for (const auto& [table, targets] : tables) {
        all.push_back({table, open_outputs(targets, table)});
    }
    for (TableWork& work : all) {
        write_table(work.table, work.outputs, progress);
        finish(work.outputs);
    }
    commit_all(all);
}

void generate(std::span<const PlannedOutput> tables, const Run& run, ProgressLine& line) {
    // What files refuse, they refuse before a value is computed.
    check_targets(tables, run);
    std::vector<TableWork> all;
    for (const auto& [planned, targets] : tables) {
        all.push_back({planned.table, open_outputs(targets, planned.table)});
    }
    print_notes(tables.front().planned, run);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].table.rows = prepared_rows(tables[i].planned, run, line);
    }

    // No progress line on a terminal that shows the table.
    const bool shows_line = std::ranges::none_of(tables, [](const PlannedOutput& table) {
        return std::ranges::any_of(table.targets, is_terminal);
    });
    for (TableWork& work : all) {
        const Table& table = work.table;
        if (shows_line) line.begin(run.title, row_bytes(table));
        write_table(table, work.outputs, shown_in(line));
        if (shows_line) line.begin(run.title + ": waiting for the disk");
        finish(work.outputs);
    }
    // Others may have made a file meanwhile.
    check_targets(tables, run);
    // A signal either arrives before commit() and changes nothing, or has no effect.
    const PostponedSignals held;
    commit_all(all);
    ignore_signals();
}

std::string dry_run_text(const PlannedOutput& output, const Run& run, ProgressLine& line) {
    for (const Target& target : output.targets) check_target(target, run);
    Table table = output.planned.table;
    table.rows = prepared_rows(output.planned, run, line);
    std::string text = fmt::format("shape       {}\n", to_string(table.shape));
    text += fmt::format("dtype       {}\n", info(table.dtype).name);
    for (const Target& target : output.targets) {
        text += fmt::format("{:<12}{}, {}\n", target.format->name,
                            target.path == "-" ? "standard output" : target.path,
                            size_text(target, table));
    }
    return text;
}

void generate(const Request& request, ProgressLine& line) {
    if (request.run.threads) limit_threads(*request.run.threads);
    numerics::self_test();
    generate(planned_outputs(request), run_of(request), line);
}

void print_dry_run(const Request& request, ProgressLine& line) {
    const std::vector<PlannedOutput> all = planned_outputs(request);
    const Run run = run_of(request);
    print_notes(all.front().planned, run);
    const Provenance& first = all.front().planned.table.provenance;
    std::string text = fmt::format("encoding    {}\n", first.encoding);
    if (request.subject.preset) text += fmt::format("preset      {}\n", first.preset);
    for (const PlannedOutput& output : all) {
        text += origin_text(output.planned.table.provenance) + dry_run_text(output, run, line);
    }
    print(text);
}

}  // namespace pegen::cli
