#include "recognition/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/help/help.h"
#include "cli/identify/kernel_report.h"
#include "cli/identify/model.h"
#include "cli/identify/permuted.h"
#include "cli/identify/report.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "cli/subject.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/parameters.h"
#include "core/signals.h"
#include "files/array_file.h"
#include "files/folders.h"
#include "files/npy.h"
#include "files/output_file.h"
#include "numerics/self_test.h"
#include "recognition/kernel/kernel.h"

namespace pegen::cli {
namespace {

/// Says how far a search came if a signal ends it. To be made before the progress line, which is
/// cleared first.
class SearchReport {
  public:
    explicit SearchReport(Verbosity verbosity) : is_quiet_(verbosity == Verbosity::quiet) {}

    recognition::SearchStage stage() {
        return [this](std::string_view tried) { begin(tried); };
    }

    /// The search is over.
    void end() { text_ = nullptr; }

  private:
    void begin(std::string_view tried) {
        if (is_quiet_) return;
        texts_.push_back(fmt::format("pe-gen: ended before an answer, while it tried {}{}\n", tried,
                                     before_.empty() ? "" : "; before that " + before_));
        text_ = &texts_.back();
        before_ += fmt::format("{}{}", before_.empty() ? "" : "; ", tried);
    }

    static void say(const void* report) {
        const std::string* const text = static_cast<const SearchReport*>(report)->text_;
        if (text) print_error(*text);
    }

    bool is_quiet_;
    std::string before_;             ///< what was tried without an answer
    std::deque<std::string> texts_;  ///< all of them, since a signal may come at any time
    std::atomic<const std::string*> text_ = nullptr;
    BeforeSignal before_signal_{say, this};
};

constexpr std::array kernel_options{
    ParameterSpec{.name = "before",
                  .type = ParameterType::path,
                  .summary = "an array that your code was applied to, best of random numbers"},
    ParameterSpec{.name = "after", .type = ParameterType::path, .summary = "what it made of it"},
    ParameterSpec{.name = "position-axis",
                  .type = ParameterType::integer,
                  .range = any_index,
                  .summary = "the axis along which positions are counted [found]"},
    ParameterSpec{.name = "heads",
                  .type = ParameterType::integer,
                  .default_value = "1",
                  .range = any_count,
                  .summary = "heads in the last axis, one after the other, each rotated alike"},
};

constexpr std::array common_options{json_option, threads_option, quiet_option};

Table open_floats(const std::string& path) {
    Table table = open_array(path).table;
    if (!is_floating(table.dtype)) {
        throw UsageError(fmt::format("{}: has elements of type {}; a kernel turns real numbers",
                                     printable(path), info(table.dtype).name));
    }
    return table;
}

recognition::KernelQuestion question_of(const Parameters& own) {
    for (const auto& [name, other] : {std::pair{"before", "after"}, std::pair{"after", "before"}}) {
        if (own.has(name)) continue;
        throw UsageError(
            fmt::format("--{}: needs --{}, too, as in pe-gen identify --before x.npy --after y.npy",
                        other, name));
    }
    const std::string &before = own.word("before"), &after = own.word("after");
    if (array_path(before).file == "-" && array_path(after).file == "-") {
        throw UsageError("--before - --after -: standard input can be only one of them");
    }
    recognition::KernelQuestion question{.before = open_floats(before),
                                         .after = open_floats(after),
                                         .path = before,
                                         .position_axis = {},
                                         .heads = own.integer("heads")};
    const Shape& shape = question.before.shape;
    if (shape.rank() > 0 && shape.columns() % question.heads != 0) {
        throw UsageError(fmt::format("--heads {}: must divide {}, the last extent of {}, {}",
                                     question.heads, shape.columns(), printable(before),
                                     to_string(shape)));
    }
    if (own.has("position-axis")) {
        const std::int64_t axis = own.integer("position-axis");
        if (axis >= shape.rank() - 1) {
            throw UsageError(
                fmt::format("--position-axis {}: {} has shape {}; the last axis is that of the "
                            "channels, so it must be less than {}",
                            axis, printable(before), to_string(shape), shape.rank() - 1));
        }
        question.position_axis = static_cast<int>(axis);
    }
    return question;
}

/// Runs `pe-gen identify --before X.npy --after Y.npy`: finds out how a kernel changed an array.
/// Throws: as run().
ExitStatus run_identify_kernel(std::span<const std::string_view> arguments) {
    const std::vector<OptionGroup> groups{option_group("Options", kernel_options),
                                          option_group("Options", common_options)};
    const Arguments given = parse_arguments(arguments, options_in(groups), "identify");
    if (!given.positionals.empty()) {
        throw UsageError(
            fmt::format("unexpected argument '{}'; --before and --after name the two arrays, as in "
                        "pe-gen identify --before x.npy --after y.npy",
                        printable(given.positionals.front())));
    }
    const Parameters own = set_options(kernel_options, given.options);
    const Parameters common = set_options(common_options, given.options);
    if (common.has("threads")) limit_threads(common.integer("threads"));
    const Verbosity verbosity = common.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    numerics::self_test();
    const recognition::KernelQuestion question = question_of(own);
    SearchReport report(verbosity);
    ProgressLine line(verbosity);
    line.begin("identify");
    const recognition::KernelIdentification answer =
        recognition::identify_kernel(question, line.progress(), report.stage());
    line.hide();
    report.end();
    if (verbosity == Verbosity::normal || common.flag("json")) {
        print(cli::report(common.flag("json"), "identify-kernel",
                          as_json(answer, question, own.word("after")), as_text(answer, question)));
    }
    return answer.verdict == recognition::Verdict::not_identified ? ExitStatus::no
                                                                  : ExitStatus::done;
}

constexpr ParameterSpec data_option{
    .name = "data",
    .type = ParameterType::path,
    .summary =
        "a folder: write there what the command needs of the array itself, such as "
        "points.npy"};

constexpr std::array identify_options{
    summarized(json_option, "print the answer as one JSON object"),
    data_option,
    threads_option,
    quiet_option,
};

/// Returns the options of `identify FILE`, of `identify --before` and of `identify --permuted`.
std::vector<OptionGroup> all_options() {
    return {option_group("Options", identify_options),
            option_group("What a kernel does (--before X.npy --after Y.npy)", kernel_options),
            option_group("How a weight is permuted (--permuted Wq.npy --of Wq0.npy)",
                         permuted_options())};
}

/// Returns the first of the arguments that is one of the options, as "--name"; "" if there is none.
std::string first_of(std::span<const std::string_view> arguments,
                     std::span<const ParameterSpec> options) {
    for (const std::string_view argument : arguments) {
        if (!argument.starts_with("--")) continue;
        const std::string_view name = argument.substr(2, argument.find('=') - 2);
        const auto is_it = [&](const ParameterSpec& spec) { return is_called(spec, name); };
        if (std::ranges::any_of(options, is_it)) return fmt::format("--{}", name);
    }
    return "";
}

/// Makes the folder if it is below the current folder. Any other folder must exist already.
void make_folder(const std::filesystem::path& folder, MadeFolders& folders) {
    const std::filesystem::path normal = folder.lexically_normal();
    const bool is_below = normal.is_relative() && *normal.begin() != "..";
    if (is_below) folders.make_for((normal / "file").string());
}

OutputFile written(const evidence::DataFile& data, const std::filesystem::path& folder) {
    OutputFile file((folder / data.name).string());
    file.write(npy_header(data.table.dtype, data.table.shape));
    std::vector<std::byte> rows(total_bytes(data.table));
    data.table.rows({0, data.table.shape.rows()}, rows);
    file.write(rows);
    file.finish();
    return file;
}

const std::vector<evidence::DataFile>* data_of(const recognition::Identification& answer) {
    const auto& candidate = answer.found ? answer.found : answer.nearest;
    return candidate && !candidate->proposal.data.empty() ? &candidate->proposal.data : nullptr;
}

}  // namespace

Usage identify_usage(std::span<const std::string_view>, HelpLength) {
    return command_usage("identify",
                         {"identify mine.npy", "identify weights.safetensors:pos_embed",
                          "identify model.safetensors", "identify --before x.npy --after y.npy"},
                         all_options(), {.are_files = true});
}

ExitStatus run_identify(std::span<const std::string_view> arguments) {
    const std::string of_kernel = first_of(arguments, kernel_options),
                      of_weight = first_of(arguments, permuted_options()),
                      of_file = first_of(arguments, std::span(&data_option, 1));
    const auto refuse = [](const std::string& option, std::string_view question) {
        throw UsageError(fmt::format("{}: is for identify {}; leave it out", option, question));
    };
    if (!of_kernel.empty() && !of_weight.empty()) refuse(of_kernel, "--before X --after Y");
    if (!of_file.empty() && !(of_kernel + of_weight).empty()) refuse(of_file, "FILE");
    if (!of_kernel.empty()) return run_identify_kernel(arguments);
    if (!of_weight.empty()) return run_identify_permuted(arguments);
    const std::vector<OptionGroup> groups{option_group("Options", identify_options)};
    const Arguments given = parse_arguments(arguments, options_in(groups), "identify");
    if (given.positionals.size() == 2) {
        throw UsageError(fmt::format(
            "identify: needs one file; an array of one is {0}:{1}; pe-gen compare {0} {1} compares "
            "two",
            given.positionals[0], given.positionals[1]));
    }
    if (given.positionals.size() != 1) {
        throw UsageError(
            "identify: needs one file, as in pe-gen identify mine.npy; - is standard input");
    }
    const Parameters options = set_options(identify_options, given.options);
    if (options.has("threads")) limit_threads(options.integer("threads"));
    const Verbosity verbosity = options.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    numerics::self_test();
    const std::string_view path = given.positionals.front();
    if (names_encoding(path)) {
        throw UsageError(fmt::format(
            "identify: '{}' is an encoding; identify reads a file, and pe-gen describe {} says "
            "what an encoding is",
            path, path));
    }
    const ArrayPath parts = array_path(path);
    const Archive archive = open_archive(parts.file);
    SearchReport report(verbosity);
    ProgressLine line(verbosity);
    if (!parts.name && archive.members.size() > 1) {
        if (options.has("data")) {
            throw UsageError("--data: needs the name of one array, as in weights.npz:bias");
        }
        return identify_model(archive, path,
                              options.flag("json")             ? ReportForm::json
                              : verbosity == Verbosity::normal ? ReportForm::text
                                                               : ReportForm::none,
                              line);
    }
    const Table table = array_in(archive, parts.name).table;
    if (table.shape.size() == 0) {
        throw UsageError(fmt::format("{}: has shape {} and no values to identify", printable(path),
                                     to_string(table.shape)));
    }
    line.begin(fmt::format("identify: {}", path), row_bytes(table));
    const recognition::Identification answer =
        recognition::identify(table, line.progress(), report.stage());
    line.hide();
    report.end();

    MadeFolders folders;
    std::vector<OutputFile> files;
    const std::vector<evidence::DataFile>* const data = data_of(answer);
    if (options.has("data") && data) {
        make_folder(options.word("data"), folders);
        for (const evidence::DataFile& part : *data) {
            files.push_back(written(part, options.word("data")));
        }
    }
    if (verbosity == Verbosity::normal || options.flag("json")) {
        print(cli::report(options.flag("json"), "identify", as_json(answer, table, path),
                          as_text(answer)));
    }
    if (!files.empty()) {
        std::vector<OutputFile*> all;
        for (OutputFile& file : files) all.push_back(&file);
        end_with([&] { commit(all); });
    }
    return answer.verdict == recognition::Verdict::not_identified ? ExitStatus::no
                                                                  : ExitStatus::done;
}

}  // namespace pegen::cli
