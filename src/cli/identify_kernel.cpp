#include "cli/identify_kernel.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "cli/arguments.h"
#include "cli/identify_kernel_report.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/progress_line.h"
#include "core/error.h"
#include "core/parallel.h"
#include "files/array_file.h"
#include "identify/kernel.h"
#include "numerics/self_test.h"

namespace pegen::cli {
namespace {

constexpr std::array options{
    ParameterSpec{.name = "before",
                  .type = ParameterType::path,
                  .summary = "an array that a kernel was applied to, best of random numbers"},
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

identify::KernelQuestion question_of(const Parameters& own) {
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
    identify::KernelQuestion question{.before = open_floats(before),
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

}  // namespace

std::span<const ParameterSpec> kernel_options() { return options; }

ExitStatus run_identify_kernel(std::span<const std::string_view> arguments) {
    const std::vector<OptionGroup> groups{option_group("Options", options),
                                          option_group("Options", common_options)};
    const Arguments given = parse_arguments(arguments, options_in(groups), "identify");
    if (!given.positionals.empty()) {
        throw UsageError(
            fmt::format("unexpected argument '{}'; --before and --after name the two arrays",
                        printable(given.positionals.front())));
    }
    const Parameters own = set_options(options, given.options);
    const Parameters common = set_options(common_options, given.options);
    if (common.has("threads")) limit_threads(common.integer("threads"));
    const Verbosity verbosity = common.flag("quiet") ? Verbosity::quiet : Verbosity::normal;
    numerics::self_test();
    const identify::KernelQuestion question = question_of(own);
    ProgressLine line(verbosity);
    line.begin("identify");
    const identify::KernelIdentification answer =
        identify::identify_kernel(question, line.progress());
    line.hide();
    if (verbosity == Verbosity::normal || common.flag("json")) {
        print(common.flag("json") ? as_json(answer, question, own.word("after"))
                                  : as_text(answer, question));
    }
    return answer.verdict == identify::Verdict::not_identified ? ExitStatus::no : ExitStatus::done;
}

}  // namespace pegen::cli
