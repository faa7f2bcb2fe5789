#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "cli/behind_dashes.h"
#include "cli/check_concat.h"
#include "cli/check_options.h"
#include "cli/check_report.h"
#include "cli/commands.h"
#include "cli/generate.h"
#include "cli/help.h"
#include "cli/other_table.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/names.h"
#include "core/one_line.h"
#include "core/parallel.h"
#include "core/signals.h"
#include "encodings/registry.h"
#include "files/array_file.h"
#include "files/target.h"
#include "formats/write.h"
#include "inspect/properties/position_vectors.h"
#include "numerics/self_test.h"

namespace pegen::cli {
namespace {

/// A table to check, and what is asked of it.
struct Checking {
    std::string name;
    Table table;
    Demands demands;
    std::vector<Target> figures;
};

Arguments parse(const Words& arguments, const Subject* subject) {
    Arguments given = parse_arguments(arguments, options_in(check_options(subject)),
                                      subject ? subject->name() : "check");
    if (!given.positionals.empty()) {
        throw UsageError(fmt::format("unexpected argument '{}'; check takes one table",
                                     given.positionals.front()));
    }
    return given;
}

/// True if a row of the table is the vector of a position: of pairs of positions, or with channels
/// first, it is not.
bool has_rows_of_positions(const Table& table) {
    const VectorsOrReason found = vectors_of(table);
    return found.vectors && found.vectors->first_channels == 1;
}

/// Returns the figures to draw: of similarities where rows are positions, unless the user chose
/// another plot.
std::vector<Target> figures_of(std::vector<Target> targets, const Table& table) {
    for (Target& target : targets) {
        if (same_file(target.path, "-")) {
            throw UsageError(fmt::format("--{} {}: standard output has the report; name a file",
                                         target.format->name, target.path));
        }
        if (!target.parameters.given("plot") && has_rows_of_positions(table)) {
            target.parameters.resolve("plot", std::string("similarity"));
        }
    }
    return targets;
}

/// The table as one would type it, without the options of `check` itself or of pictures.
std::string command_of(const Subject& subject, const Arguments& given) {
    std::string command(subject.name());
    for (const GivenOption& option : given.options) {
        const bool is_of_table = is_among(subject.encoding->parameters, option.spec) ||
                                 is_among(table_options(), option.spec);
        const bool is_flag = option.spec->type == ParameterType::flag;
        if (!is_of_table || (is_flag && option.text != "true")) continue;
        command += fmt::format(" --{}", option.spec->name);
        if (!is_flag) command += fmt::format(" {}", option.text);
    }
    return command;
}

/// Returns the table to check: unless the user chose one, rotary cosines are checked with their
/// sines, as they turn queries and keys together.
const TableSpec& checked_table(const Subject& subject, const TableSpec& wanted,
                               const Arguments& given) {
    const bool is_chosen = std::ranges::any_of(given.options, [](const GivenOption& option) {
        return option.spec->name == "table" || option.spec->name == "keep-channels";
    });
    const TableSpec* const scored = find_table(*subject.encoding, wanted.scored_by);
    return scored && !is_chosen ? *scored : wanted;
}

Checking checking_of(const Subject& subject, const Arguments& given, const Parameters& own,
                     ProgressLine& line) {
    const Request request = make_request(subject, given.options);
    if (request.tables.size() != 1) {
        throw UsageError("--table: check takes one table; name one");
    }
    const RequestedTable& wanted = request.tables.front();
    const TableSpec& spec = checked_table(subject, *wanted.spec, given);
    PlannedTable planned = plan_table(*subject.encoding, spec, request.parameters, wanted.dtype,
                                      subject.preset ? subject.preset->name : "");
    const Verbosity verbosity = own.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    print_notes(planned.notes, verbosity);
    if (&spec != wanted.spec) {
        print_notes(
            std::array{fmt::format("checks the table {}: {} alone turns no pair of channels",
                                   spec.name, wanted.spec->name)},
            verbosity);
    }
    line.begin(fmt::format("check {}: preparing", subject.name()));
    planned.table.rows = planned.make_rows(line.progress());
    planned.table.other = other_table;
    std::vector<Target> figures = figures_of(wanted.targets, planned.table);
    const std::string chosen = &spec == wanted.spec ? "" : fmt::format(" --table {}", spec.name);
    return {command_of(subject, given) + chosen, std::move(planned.table),
            demands_of(own, &spec.promises), std::move(figures)};
}

/// Says that the last two axes of an array are queries and keys.
void set_pair_axes(Table& table) {
    const std::size_t rank = table.axes.size();
    if (rank < 2) {
        throw UsageError(fmt::format("--require relative: shape {}: needs axes of queries and keys",
                                     to_string(table.shape)));
    }
    table.axes[rank - 2].kind = AxisKind::query;
    table.axes[rank - 1].kind = AxisKind::key;
}

Checking checking_of_file(const std::string& path, const Arguments& given, const Parameters& own) {
    auto [name, table] = open_array(path);
    Demands demands = demands_of(own, nullptr);
    const auto is_relative = [](const Property* property) { return property->name == "relative"; };
    const bool asks_for_pairs = demands.asked && std::ranges::any_of(*demands.asked, is_relative);
    if (asks_for_pairs) set_pair_axes(table);
    const int rank = table.shape.rank();
    if (!asks_for_pairs && rank > 1 && table.shape[rank - 2] == table.shape[rank - 1]) {
        print_notes(std::array{fmt::format("{}: is read as positions and channels; --require "
                                           "relative reads its last two axes as queries and keys",
                                           one_line(name))},
                    own.flag("quiet") ? Verbosity::quiet : Verbosity::normal);
    }
    std::vector<Target> figures = figures_of(targets_named(given.options), table);
    for (const Target& figure : figures) {
        if (same_file(figure.path, array_path(path).file)) {
            throw UsageError(
                fmt::format("--{} {}: is the table that is checked; choose another "
                            "name",
                            figure.format->name, figure.path));
        }
    }
    return {std::move(name), std::move(table), std::move(demands), std::move(figures)};
}

std::vector<Output> drawn(const Checking& checking, Verbosity verbosity) {
    std::vector<Output> outputs;
    for (const Target& target : checking.figures) {
        outputs.push_back({target.format, target.parameters, OutputFile(target.path)});
    }
    if (!outputs.empty()) print_notes(write_table(checking.table, outputs), verbosity);
    finish(outputs);
    return outputs;
}

}  // namespace

Usage check_usage(Words names, HelpLength) {
    if (!names.empty() && names.front() == "concat") return check_concat_usage();
    Usage usage = command_usage(
        "check",
        {"check sinusoid --d 64 --len 200 --png similarity.png", "check note1 --d 64 --len 200",
         "check table.npy --require rotation", "check concat -- sinusoid --d 16 --len 20"},
        check_options(nullptr),
        {.are_names = true,
         .are_files = true,
         .bring_parameters = true,
         .words = {{"concat", "that concatenating positions to words is adding them"}}});
    Glossary& properties = usage.glossaries.emplace_back(Glossary{"Properties", {}});
    for (const Property* property : all_properties()) {
        properties.entries.push_back({std::string(property->name),
                                      fmt::format("{}: {}", property->formula, property->summary)});
    }
    usage.remark =
        "The parameters of a table, --table and --dtype are those of pe-gen NAME --help.";
    return usage;
}

ExitStatus run_check(Words arguments) {
    if (arguments.empty()) {
        throw UsageError("check: needs a table, as in pe-gen check sinusoid --d 64 --len 200");
    }
    const std::string_view name = arguments.front();
    if (name == "concat") return check_concat(arguments.subspan(1));
    if (name.starts_with('-') && !names_file(name)) {
        throw UsageError(
            fmt::format("{}: the table comes first, as in pe-gen check sinusoid {}", name, name));
    }
    std::optional<Subject> subject;
    Words rest = arguments.subspan(1);
    if (!names_file(name)) {
        const NamedArguments named = named_arguments(arguments);
        subject = named.subject;
        rest = named.rest;
    }
    const Arguments given = parse(rest, subject ? &*subject : nullptr);
    const Parameters own = set_options(own_check_options(), given.options);
    if (own.has("threads")) limit_threads(own.integer("threads"));
    const Verbosity verbosity = own.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    ProgressLine line(verbosity);
    numerics::self_test();
    const Checking checking = subject ? checking_of(*subject, given, own, line)
                                      : checking_of_file(std::string(name), given, own);
    std::vector<Output> figures = drawn(checking, verbosity);
    line.begin("check", row_bytes(checking.table));
    const CheckReport report{checking.name, checking.table,
                             check_properties(checking.table, checking.demands, line.progress())};
    line.hide();
    if (verbosity == Verbosity::normal) print(own.flag("json") ? as_json(report) : as_text(report));
    // Last: if the report cannot be written, no file is left behind.
    if (!figures.empty()) end_with([&] { commit(figures); });
    return report.holds() ? ExitStatus::done : ExitStatus::no;
}

}  // namespace pegen::cli
