#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "cli/arguments.h"
#include "cli/batch_run.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/manifest_schema.h"
#include "cli/options.h"
#include "cli/print.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/to_size.h"
#include "files/open_file.h"
#include "files/whole_file.h"

namespace pegen::cli {
namespace {

constexpr std::array options{
    ParameterSpec{
        .name = "check",
        .type = ParameterType::flag,
        .summary = "write nothing; exit with status 1 if a file is missing or out of date"},
    dry_run_option,
    ParameterSpec{.name = "jobs",
                  .aliases = "j",
                  .type = ParameterType::integer,
                  .range = {.lowest = 1, .highest = 1024},
                  .summary = "number of parallel jobs [number of processors]"},
    ParameterSpec{
        .name = "schema",
        .type = ParameterType::flag,
        .summary =
            "print the JSON Schema of manifests, with which editors complete and check them"},
    quiet_option,
};

/// Reads the manifest and makes its folder the current one: its paths, and the provenance that
/// files record, do not depend on where the program was started.
Manifest enter_manifest(const std::string& path) {
    constexpr std::int64_t most_bytes = std::int64_t{64} << 20;
    Manifest manifest = parse_manifest(read_whole(path, most_bytes), path);
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (path == "-" || folder.empty()) return manifest;
    if (::chdir(folder.c_str()) < 0) throw FileError(folder.string(), "cannot enter", errno);
    return manifest;
}

BatchMode mode_of(const Parameters& parameters) {
    if (parameters.flag("dry-run")) return BatchMode::describe;
    return parameters.flag("check") ? BatchMode::check : BatchMode::write;
}

int workers_for(const Parameters& parameters, const Manifest& manifest) {
    if (parameters.has("jobs")) return static_cast<int>(parameters.integer("jobs"));
    const int processors = thread_count();
    // A few large jobs finish sooner one after another, each on all processors.
    return manifest.size < to_size(processors) ? 1 : processors;
}

std::string plural(std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "7 jobs: 2 files written, 5 up to date"
std::string summary(const std::vector<JobReport>& reports, BatchMode mode) {
    if (mode == BatchMode::describe) return "";
    std::int64_t stale = 0, fresh = 0, failed = 0;
    for (const JobReport& report : reports) {
        stale += std::ssize(report.lines);
        fresh += report.fresh;
        failed += report.failure ? 1 : 0;
    }
    return fmt::format("{}: {} {}, {} up to date{}\n", plural(std::ssize(reports), "job"),
                       plural(stale, "file"),
                       mode == BatchMode::check ? "out of date or missing" : "written", fresh,
                       failed > 0 ? fmt::format(", {} failed", plural(failed, "job")) : "");
}

/// The exit status of the first failure, if there is one.
ExitStatus status_of(const std::vector<JobReport>& reports, BatchMode mode) {
    const auto failed = std::ranges::find_if(
        reports, [](const JobReport& report) { return report.failure.has_value(); });
    if (failed != reports.end()) return failed->failure->status;
    const bool is_stale =
        std::ranges::any_of(reports, [](const JobReport& report) { return !report.lines.empty(); });
    return mode == BatchMode::check && is_stale ? ExitStatus::no : ExitStatus::done;
}

void print_reports(const std::vector<JobReport>& reports, BatchMode mode, Verbosity verbosity) {
    std::string text;
    for (const JobReport& report : reports) {
        if (report.failure) print_error(fmt::format("pe-gen: {}\n", report.failure->message));
        print_notes(report.notes, verbosity);
        for (const std::string& line : report.lines) text += line + "\n";
    }
    if (verbosity == Verbosity::normal) print(text + summary(reports, mode));
}

}  // namespace

std::string batch_help(std::span<const std::string_view>, HelpLength length) {
    return usage_help(command_usage("batch", {"batch figures.json", "batch figures.json --check"},
                                    {option_group("Options", options)}),
                      length);
}

ExitStatus run_batch(std::span<const std::string_view> arguments) {
    const OptionGroup group = option_group("Options", options);
    const Arguments given = parse_arguments(arguments, group.specs, "batch");
    const Parameters parameters = with_options(Parameters(options), given.options);
    if (parameters.flag("schema")) return print(manifest_schema());
    if (given.positionals.size() != 1) {
        throw UsageError("batch: needs one manifest, as in pe-gen batch figures.json");
    }
    const std::string& path = given.positionals.front();
    const Manifest manifest = enter_manifest(path);
    const BatchMode mode = mode_of(parameters);
    const Verbosity verbosity = parameters.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    std::vector<JobReport> reports;
    {
        const BeneathCurrentFolder beneath;
        ProgressLine line(verbosity);
        reports = run_jobs(manifest, path, mode, workers_for(parameters, manifest), line);
    }
    print_reports(reports, mode, verbosity);
    return status_of(reports, mode);
}

}  // namespace pegen::cli
