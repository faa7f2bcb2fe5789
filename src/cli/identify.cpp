#include "identify/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/identify_kernel.h"
#include "cli/identify_permuted.h"
#include "cli/identify_report.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "cli/subject.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/signals.h"
#include "core/to_size.h"
#include "files/array_file.h"
#include "files/made_folders.h"
#include "files/npy_header.h"
#include "files/output_file.h"
#include "numerics/self_test.h"

namespace pegen::cli {
namespace {

constexpr std::array identify_options{
    summarized(json_option, "print the answer as one JSON object"),
    ParameterSpec{.name = "data",
                  .type = ParameterType::path,
                  .summary = "a folder: write there what the command needs of the array "
                             "itself, such as points.npy"},
    threads_option,
    quiet_option,
};

/// The options of `identify FILE`, and those of its other questions.
std::vector<OptionGroup> all_options() {
    return {option_group("Options", identify_options),
            option_group("What a kernel does (--before X.npy --after Y.npy)", kernel_options()),
            option_group("How a weight is permuted (--permuted Wq.npy --of Wq0.npy)",
                         permuted_options())};
}

/// True if one of the options of this list is among the arguments.
bool has_any(std::span<const std::string_view> arguments, std::span<const ParameterSpec> options) {
    return std::ranges::any_of(arguments, [&](std::string_view argument) {
        if (!argument.starts_with("--")) return false;
        const std::string_view name = argument.substr(2, argument.find('=') - 2);
        return std::ranges::any_of(
            options, [&](const ParameterSpec& spec) { return is_called(spec, name); });
    });
}

/// Makes the folder if it is to be below the current one; any other must exist.
void make_folder(const std::filesystem::path& folder, MadeFolders& folders) {
    const std::filesystem::path normal = folder.lexically_normal();
    const bool is_below = normal.is_relative() && *normal.begin() != "..";
    if (is_below) folders.make_for((normal / "file").string());
}

OutputFile written(const evidence::DataFile& data, const std::filesystem::path& folder) {
    OutputFile file((folder / data.name).string());
    file.write(npy_header(data.table.dtype, data.table.shape));
    std::vector<std::byte> rows(to_size(total_bytes(data.table)));
    data.table.rows({0, data.table.shape.rows()}, rows);
    file.write(rows);
    file.finish();
    return file;
}

const std::vector<evidence::DataFile>* data_of(const identify::Identification& answer) {
    const auto& candidate = answer.found ? answer.found : answer.nearest;
    return candidate && !candidate->proposal.data.empty() ? &candidate->proposal.data : nullptr;
}

}  // namespace

Usage identify_usage(std::span<const std::string_view>, HelpLength) {
    return command_usage("identify",
                         {"identify mine.npy", "identify weights.safetensors:pos_embed",
                          "identify --before x.npy --after y.npy"},
                         all_options(), {.are_files = true});
}

ExitStatus run_identify(std::span<const std::string_view> arguments) {
    if (has_any(arguments, kernel_options())) return run_identify_kernel(arguments);
    if (has_any(arguments, permuted_options())) return run_identify_permuted(arguments);
    const std::vector<OptionGroup> groups{option_group("Options", identify_options)};
    const Arguments given = parse_arguments(arguments, options_in(groups), "identify");
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
    const Table table = open_array(path).table;
    if (table.shape.size() == 0) {
        throw UsageError(fmt::format("{}: has shape {} and no values to identify", printable(path),
                                     to_string(table.shape)));
    }
    ProgressLine line(verbosity);
    line.begin(fmt::format("identify: {}", path), row_bytes(table));
    const identify::Identification answer = identify::identify(table, line.progress());
    line.hide();

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
        print(options.flag("json") ? as_json(answer, table, path) : as_text(answer));
    }
    if (!files.empty()) {
        std::vector<OutputFile*> all;
        for (OutputFile& file : files) all.push_back(&file);
        end_with([&] { commit(all); });
    }
    return answer.verdict == identify::Verdict::not_identified ? ExitStatus::no : ExitStatus::done;
}

}  // namespace pegen::cli
