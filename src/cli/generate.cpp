#include "cli/generate.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/open_files.h"
#include "cli/print.h"
#include "cli/table_command.h"
#include "core/error.h"
#include "core/names.h"
#include "core/parallel.h"
#include "core/signals.h"
#include "core/utf8.h"
#include "encodings/corruption.h"
#include "files/output_file.h"
#include "files/target.h"
#include "formats/write.h"
#include "numerics/self_test.h"
#include "rows/arranged.h"

namespace pegen::cli {
namespace {

std::vector<PlannedOutput> planned_outputs(const Request& request) {
    std::vector<PlannedOutput> all;
    for (const RequestedTable& wanted : request.tables) {
        all.push_back({planned_table(request, wanted), wanted.targets});
    }
    return all;
}

Run run_of(const Request& request) { return {std::string(request.subject.name()), request.run}; }

Rows prepared_rows(const PlannedTable& planned, const Run& run, ProgressLine& line) {
    line.begin(run.title + ": preparing");
    Rows rows = planned.make_rows(line.progress());
    line.hide();
    return rows;
}

bool is_terminal(const Target& target) {
    if (same_file(target.path, "-")) return isatty(STDOUT_FILENO) == 1;
    // Only a device is opened, since open() of a FIFO waits for a reader.
    std::error_code error;
    if (!std::filesystem::is_character_file(target.path, error)) return false;
    const int descriptor = open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    const bool is_one = isatty(descriptor) == 1;
    if (descriptor >= 0) close(descriptor);
    return is_one;
}

void check_target(const Target& target, const RunSettings& settings) {
    if (target.format->is_binary && is_terminal(target)) {
        throw UsageError(
            fmt::format("--{} {}: a terminal cannot show {}; redirect standard output to a file",
                        target.format->name, target.path, target.format->name));
    }
    if (target.format->archive && target.format->archive->is_rewritten) {
        if (find_target(target.path).is_written_directly()) {
            throw UsageError(fmt::format(
                "--{} {}: needs a file, as checksums are filled in at the end; name one, or use "
                "--safetensors {}",
                target.format->name, target.path, target.path));
        }
    }
    std::error_code error;
    if (settings.placing.existing == Existing::kept && find_target(target.path).descriptor < 0 &&
        std::filesystem::exists(target.path, error)) {
        throw FileError(target.path, "exists, and --no-clobber was given");
    }
}

/// Returns lines with the table that will be made and its parameters.
std::string origin_text(const Provenance& provenance) {
    std::string text = fmt::format("table       {}\n", provenance.table);
    std::vector<Parameters::Entry> entries = provenance.parameters.entries();
    const auto& corruption = provenance.corruption.entries();
    entries.insert(entries.end(), corruption.begin(), corruption.end());
    std::size_t width = 12;
    for (const Parameters::Entry& entry : entries) width = std::max(width, entry.spec->name.size());
    for (const Parameters::Entry& entry : entries) {
        text += fmt::format("  {:<{}}  {}\n", entry.spec->name, width, one_line(to_string(entry)));
    }
    return text;
}

std::vector<Table> tables_of(std::span<const PlannedOutput> outputs) {
    std::vector<Table> tables;
    for (const PlannedOutput& output : outputs) tables.push_back(output.planned.table);
    return tables;
}

std::string size_text(std::optional<std::int64_t> bytes) {
    return bytes ? fmt::format("{} bytes", *bytes) : "size depends on the values";
}

std::string target_line(const Target& target, const std::string& size) {
    return fmt::format("{:<12}{}, {}\n", target.format->name,
                       target.path == "-" ? "standard output" : one_line(target.path), size);
}

/// Prints several tables, each below its name.
void print_tables(const Request& request, ProgressLine& line) {
    const std::vector<PlannedOutput> all = planned_outputs(request);
    const Run run = run_of(request);
    const Target target = printed();
    print_notes(all.front().planned.notes, run.settings.verbosity);
    std::string text;
    for (const PlannedOutput& output : all) {
        Table table = output.planned.table;
        table.rows = prepared_rows(output.planned, run, line);
        text +=
            fmt::format("{}\n{}", table.name, whole_file(table, *target.format, target.parameters));
    }
    print(text);
}

/// Plans a table of a request alone, without the others of a figure.
PlannedTable planned_alone(const Request& request, const RequestedTable& wanted,
                           const TableSpec& spec, DType dtype) {
    const Preset* preset = request.subject.preset;
    PlannedTable planned = plan_table(*request.subject.encoding, spec, request.parameters, dtype,
                                      preset ? preset->name : "");
    planned.table.other = other_table;
    if (!wanted.array.empty()) {
        planned.table.name = wanted.array;
        planned.table.provenance.arrays = request.archives.front().arrays;
    }
    if (!is_corruption(request.corruption)) return planned;
    const auto number = &spec - request.subject.encoding->tables.data();
    return corrupted(std::move(planned), request.corruption, static_cast<int>(number));
}

/// Returns the texts as one, in which the words that all begin or end with occur once:
/// "RoPE cos (d=8)" and "RoPE sin (d=8)" are "RoPE cos, sin (d=8)".
std::string merged_text(const std::vector<std::string>& texts) {
    std::vector<std::vector<std::string_view>> rests;
    for (const std::string& text : texts) rests.push_back(words(text));
    const auto are_same = [&](auto word_of) {
        return std::ranges::all_of(rests, [&](const auto& rest) {
            return !rest.empty() && word_of(rest) == word_of(rests.front());
        });
    };
    std::vector<std::string_view> begin, end;
    while (are_same([](const auto& rest) { return rest.front(); })) {
        begin.push_back(rests.front().front());
        for (auto& rest : rests) rest.erase(rest.begin());
    }
    while (are_same([](const auto& rest) { return rest.back(); })) {
        end.insert(end.begin(), rests.front().back());
        for (auto& rest : rests) rest.pop_back();
    }
    std::vector<std::string> different;
    for (const auto& rest : rests) {
        const std::string text = joined(rest, " ");
        if (!text.empty() && std::ranges::count(different, text) == 0) different.push_back(text);
    }
    std::vector<std::string> parts{joined(begin, " "), joined(different, ", "), joined(end, " ")};
    std::erase(parts, "");
    return joined(parts, " ");
}

/// Returns "float32 (8, 64) of (query, key)".
std::string form_of(const Table& table) {
    std::vector<std::string> names;
    for (const Axis& axis : table.axes) names.push_back(axis.name);
    return fmt::format("{} {} of ({})", info(table.dtype).name, to_string(table.shape),
                       joined(names, ", "));
}

/// Returns the tables along a new first axis, of which a figure shows each index as a panel. It has
/// their rows, if these have been made. Throws: UsageError if a table has one axis, or another
/// shape, dtype or kind of axis.
Table as_panels(const std::vector<Table>& tables) {
    Table all = tables.front();
    Axis axis{.kind = AxisKind::function, .name = "table", .label = "Table"};
    const auto texts_of = [&](std::string Table::*text) {
        std::vector<std::string> texts;
        for (const Table& table : tables) texts.push_back(table.*text);
        return texts;
    };
    constexpr const char* advice = "draw each by itself, as --png {table}.png does";
    for (const Table& table : tables) {
        axis.index_names.push_back(table.name);
        if (table.shape.rank() < 2) {
            throw UsageError(fmt::format("{}: has one axis, and panels of a figure have two; {}",
                                         table.name, advice));
        }
        const bool are_alike =
            table.shape.extents() == all.shape.extents() && table.dtype == all.dtype &&
            std::ranges::equal(table.axes, all.axes, {}, &Axis::kind, &Axis::kind);
        if (!are_alike) {
            throw UsageError(fmt::format(
                "{} and {}: panels of a figure have the same axes and dtype, not {} and "
                "{}; {}",
                all.name, table.name, form_of(all), form_of(table), advice));
        }
    }
    all.axes.insert(all.axes.begin(), std::move(axis));
    std::vector<std::int64_t> extents{std::ssize(tables)};
    extents.insert(extents.end(), all.shape.extents().begin(), all.shape.extents().end());
    all.shape = Shape(std::move(extents));
    all.title = merged_text(texts_of(&Table::title));
    for (std::size_t i = 1; i < all.axes.size(); ++i) {
        std::vector<std::string> labels;
        for (const Table& table : tables) labels.push_back(table.axes[i - 1].label);
        all.axes[i].label = merged_text(labels);
    }
    const std::vector<std::string> masked_titles = texts_of(&Table::masked_title);
    const bool are_masked = std::ranges::count(masked_titles, "") == 0;
    all.masked_title = are_masked ? merged_text(masked_titles) : "";
    all.value_label = merged_text(texts_of(&Table::value_label));
    all.name = all.provenance.table = joined(texts_of(&Table::name), ",");
    std::vector<Rows> parts;
    for (const Table& table : tables) parts.push_back(table.rows);
    all.rows = rows::concatenated(parts);
    all.pairs = nullptr;
    const bool has_scores =
        std::ranges::all_of(tables, [](const Table& table) { return table.scored_by.empty(); });
    all.scored_by = has_scores ? "" : "none";
    all.has_whole_values = std::ranges::all_of(tables, &Table::has_whole_values);
    all.has_shares = std::ranges::all_of(tables, &Table::has_shares);
    all.sibling = [tables](const Sibling& wanted) {
        if (!wanted.table.empty()) return tables.front().sibling(wanted);
        std::vector<Table> others;
        for (const Table& table : tables) others.push_back(table.sibling(wanted));
        return as_panels(others);
    };
    return all;
}

PlannedTable as_panels(std::vector<PlannedTable> panels) {
    std::vector<Table> tables;
    PlannedTable all;
    for (const PlannedTable& panel : panels) {
        tables.push_back(panel.table);
        append(all.notes, panel.notes);
        all.terms += panel.terms;
    }
    all.table = as_panels(tables);
    all.make_rows = [=, panels = std::move(panels)](const Progress& progress) {
        std::vector<Table> made = tables;
        for (std::size_t i = 0; i < made.size(); ++i) made[i].rows = panels[i].make_rows(progress);
        return as_panels(made).rows;
    };
    return all;
}

}  // namespace

PlannedTable planned_table(const Request& request, const RequestedTable& wanted) {
    PlannedTable planned = planned_alone(request, wanted, *wanted.spec, wanted.dtype);
    if (wanted.others.empty()) return planned;
    std::vector<PlannedTable> panels{std::move(planned)};
    for (const auto& [spec, dtype] : wanted.others) {
        panels.push_back(planned_alone(request, wanted, *spec, dtype));
    }
    return as_panels(std::move(panels));
}

Table table_of(const Request& request, const RequestedTable& wanted, const Progress& progress) {
    PlannedTable planned = planned_table(request, wanted);
    planned.table.rows = planned.make_rows(progress);
    return std::move(planned.table);
}

void check_targets(std::span<const Target> targets, const RunSettings& settings) {
    for (const Target& target : targets) check_target(target, settings);
}

std::string size_text(const Target& target, const Table& table) {
    return size_text(file_size(table, *target.format, target.parameters));
}

std::string size_text(const Target& archive, std::span<const Table> tables) {
    return size_text(archive.format->archive->size(tables, archive.parameters));
}

void generate(std::span<const PlannedOutput> tables, std::span<const Target> archives,
              const Run& run, ProgressLine& line) {
    // Targets are checked and files are opened before any value is computed.
    for (const PlannedOutput& table : tables) check_targets(table.targets, run.settings);
    check_targets(archives, run.settings);
    OpenFiles files;
    files.placing = run.settings.placing;
    for (const auto& [planned, targets] : tables) open_outputs(files, planned.table, targets);
    open_archives(files, archives);
    print_notes(tables.front().planned.notes, run.settings.verbosity);
    for (std::size_t i = 0; i < tables.size(); ++i) {
        files.tables[i].rows = prepared_rows(tables[i].planned, run, line);
    }

    // The progress line is not shown on a terminal that shows the table.
    const bool shows_line = std::ranges::none_of(tables, [](const PlannedOutput& table) {
        return std::ranges::any_of(table.targets, is_terminal);
    });
    const auto show = [&](const std::string& what, std::int64_t bytes) {
        if (shows_line) line.begin(what, bytes);
    };
    const std::string waiting = run.title + ": waiting for the disk";
    const auto progress_of = [&](const Table& table) {
        show(run.title, row_bytes(table));
        return line.progress();
    };
    std::vector<std::string> notes;
    for (std::size_t i = 0; i < files.tables.size(); ++i) {
        if (files.outputs[i].empty()) continue;
        append(notes, write_table(files.tables[i], files.outputs[i], progress_of(files.tables[i])));
        show(waiting, 0);
        finish(files.outputs[i]);
    }
    for (Output& archive : files.archives) {
        write_archive(files.tables, archive, progress_of);
        show(waiting, 0);
        archive.file.finish();
    }
    line.hide();
    print_notes(notes, run.settings.verbosity);
    end_with([&] { commit(files_of(files)); });
}

std::string dry_run_text(const PlannedOutput& output, const Run& run, ProgressLine& line) {
    check_targets(output.targets, run.settings);
    Table table = output.planned.table;
    table.rows = prepared_rows(output.planned, run, line);
    std::string text = fmt::format("shape       {}\n", to_string(table.shape));
    text += fmt::format("dtype       {}\n", info(table.dtype).name);
    std::vector<std::string> axes;
    for (const Axis& axis : table.axes) axes.push_back(axis.name);
    text += fmt::format("axes        {}\n", joined(axes, ", "));
    for (const Target& target : output.targets) {
        text += target_line(target, size_text(target, table));
    }
    return text;
}

std::string dry_run_text(std::span<const PlannedOutput> tables, std::span<const Target> archives,
                         const Run& run) {
    std::string text;
    for (const Target& archive : archives) {
        check_target(archive, run.settings);
        text += target_line(archive, size_text(archive, tables_of(tables)));
    }
    return text;
}

void generate(const Request& request, ProgressLine& line) {
    if (request.run.threads) limit_threads(*request.run.threads);
    numerics::self_test();
    if (all_targets(request).empty() && request.run.verbosity == Verbosity::normal) {
        return print_tables(request, line);
    }
    generate(planned_outputs(request), request.archives, run_of(request), line);
}

void print_dry_run(const Request& request, ProgressLine& line) {
    const std::vector<PlannedOutput> all = planned_outputs(request);
    const Run run = run_of(request);
    print_notes(all.front().planned.notes, run.settings.verbosity);
    const Provenance& first = all.front().planned.table.provenance;
    std::string text = fmt::format("encoding    {}\n", first.encoding);
    if (request.subject.preset) text += fmt::format("preset      {}\n", first.preset);
    for (const PlannedOutput& output : all) {
        text += origin_text(output.planned.table.provenance) + dry_run_text(output, run, line);
    }
    print(text + dry_run_text(all, request.archives, run));
}

}  // namespace pegen::cli
