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

PlannedTable planned_table(const Request& request) {
    const Preset* preset = request.subject.preset;
    return plan_table(*request.subject.encoding, *request.table, request.parameters, request.dtype,
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

}  // namespace

Table table_of(const Request& request, const Progress& progress) {
    PlannedTable planned = planned_table(request);
    planned.table.rows = planned.make_rows(progress);
    return std::move(planned.table);
}

std::string size_text(const Target& target, const Table& table) {
    const auto bytes = file_size(table, *target.format, target.parameters);
    return bytes ? fmt::format("{} bytes", *bytes) : "size depends on the values";
}

void write_targets(const Table& table, const std::vector<Target>& targets,
                   const Progress& progress) {
    std::vector<Output> outputs = open_outputs(targets, table);
    write_table(table, outputs, progress);
    finish(outputs);
    commit(outputs);
}

void generate(const Request& request, ProgressLine& line) {
    if (request.threads) limit_threads(*request.threads);
    numerics::self_test();
    PlannedTable planned = planned_table(request);
    Table& table = planned.table;
    for (const Target& target : request.targets) check_target(target, request);
    // What the files refuse, they refuse before a value is computed.
    std::vector<Output> outputs = open_outputs(request.targets, table);
    table.rows = prepared_rows(planned, request, line);

    const std::string title(request.subject.name());
    // No progress line on a terminal that shows the table.
    const bool shows_line = std::ranges::none_of(request.targets, is_terminal);
    if (shows_line) line.begin(title, row_bytes(table));
    write_table(table, outputs, shown_in(line));
    if (shows_line) line.begin(title + ": waiting for the disk");
    finish(outputs);
    // Others may have made the file meanwhile.
    for (const Target& target : request.targets) check_target(target, request);
    // A signal either arrives before commit() and changes nothing, or has no effect.
    const PostponedSignals held;
    commit(outputs);
    ignore_signals();
}

void print_dry_run(const Request& request, ProgressLine& line) {
    PlannedTable planned = planned_table(request);
    const Table& table = planned.table;
    for (const Target& target : request.targets) check_target(target, request);
    planned.table.rows = prepared_rows(planned, request, line);
    std::string text = fmt::format("encoding    {}\n", table.provenance.encoding);
    if (request.subject.preset) text += fmt::format("preset      {}\n", table.provenance.preset);
    text += fmt::format("table       {}\n", table.provenance.table);
    for (const Parameters::Entry& entry : table.provenance.parameters.entries()) {
        text += fmt::format("  {:<14}{}\n", entry.spec->name, to_string(entry));
    }
    text += fmt::format("shape       {}\n", to_string(table.shape));
    text += fmt::format("dtype       {}\n", info(table.dtype).name);
    for (const Target& target : request.targets) {
        text += fmt::format("{:<12}{}, {}\n", target.format->name,
                            target.path == "-" ? "standard output" : target.path,
                            size_text(target, table));
    }
    print(text);
}

}  // namespace pegen::cli
