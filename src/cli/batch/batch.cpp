#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/arguments.h"
#include "cli/batch/files.h"
#include "cli/batch/index.h"
#include "cli/batch/manifest_schema.h"
#include "cli/batch/run.h"
#include "cli/batch/shard.h"
#include "cli/commands.h"
#include "cli/help/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "core/utf8.h"
#include "files/folders.h"
#include "files/input_file.h"
#include "files/json_text.h"
#include "files/open_file.h"
#include "files/system.h"

namespace pegen::cli {
namespace {

std::string_view name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::up_to_date:
            return "up to date";
        case Outcome::written:
            return "written";
        case Outcome::out_of_date:
            return "out of date";
        case Outcome::missing:
            return "missing";
        case Outcome::planned:
            return "planned";
        case Outcome::failed:
            return "failed";
        case Outcome::orphan:
            break;
    }
    return "orphan";
}

/// Returns a line of text on a file; "" if there is nothing to report.
std::string line_of(const FileReport& file, const std::string& shown) {
    switch (file.outcome) {
        case Outcome::up_to_date:
        case Outcome::failed:
            return "";
        case Outcome::written:
            return fmt::format("wrote {}\n", shown);
        case Outcome::planned:
            return fmt::format("{}: {}\n", shown, file.plan);
        case Outcome::out_of_date:
        case Outcome::missing:
        case Outcome::orphan:
            break;
    }
    return fmt::format("{}: {}{}{}\n", name_of(file.outcome), shown,
                       file.reason.empty() ? "" : ": ", file.reason);
}

std::string plural(std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// Returns the JSON members that all files of a job share.
Json head_of(const Batch& batch, const JobReport& report) {
    Json json = Json::object();
    json["job"] = report.job ? Json(batch.manifest.job(*report.job).place) : Json();
    return json;
}

std::string json_of(const Batch& batch, Json head, const FileReport& file,
                    const std::optional<Failure>& failure) {
    if (file.outcome == Outcome::orphan) head["job"] = nullptr;
    head["path"] = file.path;
    head["from_cwd"] = batch.from_start(file.path);
    head["format"] = text_or_null(file.format);
    head["status"] = name_of(file.outcome);
    if (!file.reason.empty()) head["reason"] = file.reason;
    if (!file.plan.empty()) head["plan"] = file.plan;
    if (file.outcome == Outcome::failed && failure) head["message"] = failure->message;
    return json_line(head) + "\n";
}

/// How many lines on files of one outcome, or on failures, are printed without --verbose.
constexpr std::size_t most_lines = 20;

/// Returns the message without what differs between failures for one reason: numbers, names of
/// files and quoted words.
std::string reason_of(std::string_view message) {
    std::string reason;
    for (const std::string_view word : words(message)) {
        reason += word.find_first_of("0123456789./'\"") == word.npos ? word : "#";
    }
    return reason;
}

/// Prints why jobs failed: all failures if there are few, or if `is_whole`, else the first one for
/// each reason.
void print_failures(std::span<const JobReport> reports, const std::string& path, bool is_whole) {
    std::vector<std::string_view> messages;
    for (const JobReport& report : reports) {
        if (report.failure) messages.push_back(report.failure->message);
    }
    const bool are_few = messages.size() <= most_lines;
    std::set<std::string> reasons;
    std::size_t printed = 0;
    for (const std::string_view message : messages) {
        const bool is_first = reasons.insert(reason_of(message)).second;
        if (!is_whole && !are_few && (!is_first || printed == most_lines)) continue;
        print_error(fmt::format("pe-gen: {}\n", message));
        ++printed;
    }
    if (printed == messages.size()) return;
    print_error(fmt::format("pe-gen: {}: {} more failures{}; --verbose names them\n", path,
                            messages.size() - printed,
                            reasons.size() > printed ? "" : " of these kinds"));
}

/// Returns a line for each file that is not up to date, except files that failed: reasons first,
/// "out of date: a.png: d: 64 -> 128", then "missing: a.csv", "orphan: old.npy", "wrote a.npy".
/// Unless `is_whole`, files of one outcome after the first most_lines are counted; orphans and
/// plans, which are asked for, are not.
std::string text_of(const Batch& batch, const std::vector<JobReport>& reports, bool is_whole) {
    constexpr std::array order{Outcome::out_of_date, Outcome::missing, Outcome::orphan,
                               Outcome::planned, Outcome::written};
    std::string text;
    for (const Outcome outcome : order) {
        const bool is_limited =
            !is_whole && outcome != Outcome::orphan && outcome != Outcome::planned;
        std::size_t lines = 0;
        for (const JobReport& report : reports) {
            for (const FileReport& file : report.files) {
                if (file.outcome != outcome) continue;
                if (++lines > most_lines && is_limited) continue;
                text += line_of(file, one_line(batch.from_start(file.path)));
            }
        }
        if (is_limited && lines > most_lines) {
            const std::string_view verb = outcome == Outcome::written ? "wrote" : name_of(outcome);
            text += fmt::format("{}{} {} more files; --verbose names them\n", verb,
                                outcome == Outcome::written ? "" : ":", lines - most_lines);
        }
    }
    return text;
}

/// Returns a summary such as "7 jobs: 2 files written, 5 up to date\n"; "" if the mode is describe.
std::string summary_of(const Batch& batch, const std::vector<JobReport>& reports) {
    if (batch.mode == BatchMode::describe) return "";
    std::array<std::int64_t, to_size(static_cast<int>(Outcome::orphan)) + 1> counts{};
    std::int64_t jobs = 0;
    std::int64_t failed = 0;
    for (const JobReport& report : reports) {
        const auto own = report.job ? static_cast<std::int64_t>(report.jobs) : 0;
        jobs += own;
        failed += report.failure ? own : 0;
        for (const FileReport& file : report.files) {
            ++counts[static_cast<std::size_t>(file.outcome)];
        }
    }
    const auto count = [&](Outcome outcome) { return counts[static_cast<std::size_t>(outcome)]; };
    const std::string stale =
        batch.mode == BatchMode::write
            ? plural(count(Outcome::written), "file") + " written"
            : plural(count(Outcome::out_of_date) + count(Outcome::missing), "file") +
                  " out of date or missing";
    std::string text = fmt::format("{}: {}, {} up to date", plural(jobs, "job"), stale,
                                   count(Outcome::up_to_date));
    if (count(Outcome::orphan) > 0) text += ", " + plural(count(Outcome::orphan), "orphan");
    if (failed > 0) text += fmt::format(", {} failed", plural(failed, "job"));
    return text + "\n";
}

/// Returns a line with a JSON object for each file, and for each job that failed before its files
/// were known. The jobs come first, in their order.
std::string json_of(const Batch& batch, const std::vector<JobReport>& reports) {
    std::string text;
    for (const JobReport& report : reports) {
        const Json head = head_of(batch, report);
        for (const FileReport& file : report.files) {
            text += json_of(batch, head, file, report.failure);
        }
        if (!report.failure || !report.files.empty()) continue;
        Json json = head;
        json["status"] = name_of(Outcome::failed);
        json["message"] = report.failure->message;
        text += json_line(json) + "\n";
    }
    return text;
}

constexpr std::array options{
    ParameterSpec{
        .name = "check",
        .type = ParameterType::flag,
        .summary = "write nothing; exit with status 1 if a file is missing or out of date"},
    dry_run_option,
    ParameterSpec{.name = "orphans",
                  .type = ParameterType::flag,
                  .summary = "write nothing; name the files that the index lists and the manifest "
                             "does not make any more; status 1 if there is one"},
    summarized(json_option, "print a JSON object in a line for each file"),
    ParameterSpec{.name = "jobs",
                  .aliases = "j",
                  .type = ParameterType::integer,
                  .range = {.lowest = 1, .highest = 1024},
                  .summary = "number of parallel jobs [number of processors]"},
    ParameterSpec{.name = "shard",
                  .type = ParameterType::text,
                  .summary = "do only the jobs of a share: 2/8 is the second of eight, which take "
                             "about the same time; the index stays as it is"},
    ParameterSpec{
        .name = "schema",
        .type = ParameterType::flag,
        .summary =
            "print the JSON Schema of manifests, with which editors complete and check them"},
    sync_option,
    no_sync_option,
    ParameterSpec{.name = "verbose",
                  .aliases = "v",
                  .type = ParameterType::flag,
                  .summary = "name every file, not the first 20, and every job that failed"},
    quiet_option,
};

/// Throws: UsageError if two of the options --check, --dry-run and --orphans are given.
void check_modes(const Parameters& parameters) {
    std::string_view first;
    for (const std::string_view mode : {"check", "dry-run", "orphans"}) {
        if (!parameters.flag(mode)) continue;
        if (!first.empty()) {
            throw UsageError(
                fmt::format("--{}: does not go together with --{}; leave one out", mode, first));
        }
        first = mode;
    }
}

/// Changes the current folder to the folder of the manifest, so that the paths in it, and the
/// provenance that files record, do not depend on where the program was started. Returns the path
/// of the folder; "" if it is the current one already.
std::string enter_folder_of(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    std::error_code error;
    // A pipe, /dev/stdin, is in no folder of the user's.
    const bool is_file = std::filesystem::is_regular_file(path, error);
    if (!is_file || folder.empty() || folder == ".") return "";
    if (::chdir(folder.c_str()) < 0) throw FileError(folder, "cannot enter", errno);
    return folder;
}

BatchMode mode_of(const Parameters& parameters) {
    if (parameters.flag("dry-run")) return BatchMode::describe;
    return parameters.flag("check") ? BatchMode::check : BatchMode::write;
}

int workers_for(const Parameters& parameters, std::size_t jobs) {
    if (parameters.has("jobs")) return static_cast<int>(parameters.integer("jobs"));
    const int processors = thread_count();
    // A few large jobs finish sooner one after another, each on all processors, than in parallel.
    return jobs < to_size(processors) ? 1 : processors;
}

std::optional<Shard> shard_of(const Parameters& parameters) {
    if (!parameters.has("shard")) return {};
    if (parameters.flag("orphans")) {
        throw UsageError("--orphans: is about all jobs; leave out --shard");
    }
    return shard_named(parameters.word("shard"));
}

std::vector<std::size_t> all_jobs(const Manifest& manifest) {
    std::vector<std::size_t> numbers(manifest.size);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
}

/// Runs the jobs. Returns the reports of all jobs and then of the index, or the reports of the jobs
/// of a share; nothing if another process reports.
std::optional<std::vector<JobReport>> run(const Batch& batch, const Parameters& parameters,
                                          const std::optional<Shard>& shard, const RunJobs& run_all,
                                          ProgressLine& line) {
    const Manifest& manifest = batch.manifest;
    // A small manifest is checked as a whole, also for a share of it.
    const bool reads_all =
        !shard || manifest.size <= most_jobs_estimated || has_shared_archives(manifest);
    const BatchFiles files =
        files_of(manifest, reads_all ? all_jobs(manifest) : jobs_by_number(*shard, manifest.size),
                 batch.path);
    std::vector<Unit> units = files.units;
    if (shard && reads_all) {
        units.clear();
        for (const std::size_t i : jobs_of(*shard, costs_of(batch, files.units))) {
            units.push_back(files.units[i]);
        }
    }
    const int workers = workers_for(parameters, units.size());
    keep_memory();
    MadeFolders folders;
    auto reports = run_all(batch, {std::move(units), workers, {}}, folders, line);
    if (reports && !shard && !batch.manifest.index.empty()) {
        reports->push_back(update_index(batch, *reports, files, folders));
    }
    return reports;
}

std::vector<JobReport> run_in_order(const Batch& batch, Jobs jobs, MadeFolders& folders,
                                    ProgressLine& line) {
    std::atomic<std::size_t> next = 0;
    jobs.next = [&] { return next++; };
    return run_jobs(batch, jobs, folders, line);
}

/// Returns a report on the orphans alone.
std::vector<JobReport> find_orphans(const Batch& batch) {
    if (batch.manifest.index.empty()) {
        throw FormatError(batch.path,
                          "--orphans needs an index; give it \"index\": "
                          "\"index.jsonl\"");
    }
    const BatchFiles files = files_of(batch.manifest, all_jobs(batch.manifest), batch.path);
    if (!files.unknown.empty()) throw FormatError(batch.path, files.unknown);
    return {{.files = orphans_of(batch, files)}};
}

/// Returns the exit status of the first failure. Without failures: `no` if `only_looks` and a file
/// is out of date, missing or an orphan; else `done`.
ExitStatus status_of(const std::vector<JobReport>& reports, bool only_looks) {
    bool is_stale = false;
    for (const JobReport& report : reports) {
        if (report.failure) return report.failure->status;
        is_stale = is_stale || std::ranges::any_of(report.files, [](const FileReport& file) {
                       return file.outcome == Outcome::out_of_date ||
                              file.outcome == Outcome::missing || file.outcome == Outcome::orphan;
                   });
    }
    return only_looks && is_stale ? ExitStatus::no : ExitStatus::done;
}

}  // namespace

Usage batch_usage(std::span<const std::string_view>, HelpLength) {
    Usage usage = command_usage(
        "batch", {"batch figures.json", "batch commands.txt", "batch data.json --check"},
        {option_group("Options", options)}, {.are_files = true});
    usage.glossaries.push_back(
        {"A manifest: lines of commands, or JSON",
         {{"commands", "sinusoid --d 64 -o {d}.npy, one in each line; - reads standard input"},
          {"jobs",
           "[{\"encoding\": \"rope\", \"d\": 64, \"npy\": \"rope_{d}.npy\"}, ...]: options "
           "of a command, or a command as a text"},
          {"defaults", "options of all jobs that have them"},
          {"sweep", "of a job: \"sweep\": {\"d\": [32, 64]} makes one for each combination"},
          {"sample",
           "of a job: \"sample\": 5000 makes as many, and draws what has a distribution: "
           "\"base\": {\"loguniform\": [100, 1e6]}, uniform, normal, integers, logintegers, "
           "choice"},
          {"labels", "of a job: names of your own, for paths and the index"},
          {"index", "\"index\": \"index.jsonl\" lists the files with their parameters"},
          {"mkdir", "\"mkdir\": true makes the folders of files"},
          {"{name}",
           "in a path is the value of an option or a label, {sample:04} the number of the "
           "sample; paths begin at the folder of the manifest"},
          {"FILE.npz:NAME",
           "puts the tables of many jobs into one file, as in all.npz:{sample}; "
           "all.npz:x[] stacks them; {shard}.npz:{sample} and \"shard-size\": "
           "\"64M\" make several files"}}});
    return usage;
}

ExitStatus run_batch(std::span<const std::string_view> arguments) {
    return run_batch(arguments, run_in_order);
}

ExitStatus run_batch(std::span<const std::string_view> arguments, const RunJobs& run_all) {
    const OptionGroup group = option_group("Options", options);
    const Arguments given = parse_arguments(arguments, group.specs, "batch");
    const Parameters parameters = set_options(options, given.options);
    if (parameters.flag("schema")) return print(manifest_schema());
    if (given.positionals.size() != 1) {
        throw UsageError(
            "batch: needs one manifest, as in pe-gen batch figures.json; - is standard input");
    }
    check_modes(parameters);
    const std::optional<Shard> shard = shard_of(parameters);
    constexpr std::int64_t most_bytes = std::int64_t{64} << 20;
    const std::string& path = given.positionals.front();
    const Manifest manifest = parse_manifest(read_whole(path, most_bytes), path);
    const BatchMode mode = mode_of(parameters);
    const Verbosity verbosity = parameters.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    const bool says_why =
        parameters.flag("json") || (mode == BatchMode::check && verbosity == Verbosity::normal);
    const Batch batch{manifest, path, enter_folder_of(path), mode, sync_of(parameters), says_why};
    const bool seeks_orphans = parameters.flag("orphans");
    std::optional<std::vector<JobReport>> reports;
    {
        const BeneathCurrentFolder beneath;
        ProgressLine line(verbosity);
        reports =
            seeks_orphans ? find_orphans(batch) : run(batch, parameters, shard, run_all, line);
    }
    if (!reports) return ExitStatus::done;
    const bool is_verbose = parameters.flag("verbose");
    print_failures(*reports, path, is_verbose);
    for (const JobReport& report : *reports) print_notes(report.notes, verbosity);
    if (parameters.flag("json")) {
        print(json_of(batch, *reports));
    } else if (verbosity == Verbosity::normal) {
        print(text_of(batch, *reports, is_verbose) +
              (seeks_orphans ? "" : summary_of(batch, *reports)));
    }
    return status_of(*reports, seeks_orphans || batch.mode == BatchMode::check);
}

}  // namespace pegen::cli
