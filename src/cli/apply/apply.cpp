#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "cli/apply/operations.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/generate.h"
#include "cli/help/help.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/names.h"
#include "core/parallel.h"
#include "encodings/registry.h"
#include "files/array_file.h"
#include "numerics/self_test.h"

namespace pegen::cli {
namespace {

constexpr std::array operations_in_order{
    &operations::rope, &operations::rope_grid,    &operations::mrope, &operations::add,
    &operations::bias, &operations::rope_permute, &operations::resize};

Usage operations_usage() {
    const std::vector<std::string> examples{
        "apply rope --x q.npy --npy rotated.npy",
        "apply add --x embedded.npy -o sum.npy -- sinusoid",
    };
    Operands operands{.title = "Operations"};
    for (const Operation* operation : all_operations()) {
        operands.words.push_back({operation->name, operation->summary});
    }
    Usage usage = command_usage("apply", examples, {}, std::move(operands));
    usage.remark = "pe-gen apply OPERATION --help has its options.";
    return usage;
}

/// Finds the operation by its name, or by the name of a preset of its encoding.
/// Throws: UsageError if there is none.
const Operation& find_operation(std::string_view name) {
    if (name.starts_with('-')) {
        throw UsageError(
            fmt::format("{}: the operation comes first, as in pe-gen apply rope {}", name, name));
    }
    const std::string wanted = hyphenated(name);
    const Preset* const preset = find_preset(wanted);
    const std::string_view encoding = preset ? preset->encoding->name : "";
    std::vector<std::string_view> names;
    for (const Operation* operation : all_operations()) {
        const bool is_of_preset = preset && operation->encoding == encoding;
        if (operation->name == wanted || is_of_preset) return *operation;
        names.push_back(operation->name);
    }
    throw UsageError(
        fmt::format("apply {}: must be one of {}, or a preset of rope, rope-grid or mrope{}", name,
                    joined(names, ", "), did_you_mean(wanted, names)));
}

std::vector<OptionGroup> options_of(const Operation& operation) {
    std::vector<OptionGroup> groups{{"Options", {}}};
    for (const ParameterSpec& spec : operation.parameters) groups[0].specs.push_back(&spec);
    if (operation.more_options) groups.push_back({"Parameters", operation.more_options()});
    for (const OptionGroup& group : common_option_groups()) {
        const bool is_of_tables = group.specs.front() == table_options().data();
        if (!is_of_tables) groups.push_back(group);
    }
    return groups;
}

Usage operation_usage(const Operation& operation) {
    std::vector<std::string> examples;
    for (const std::string_view line : words(operation.examples, '\n')) examples.emplace_back(line);
    return {.name = fmt::format("apply {}", operation.name),
            .summary = std::string(operation.summary),
            .arguments = std::string(operation.arguments),
            .examples = std::move(examples),
            .options = options_of(operation),
            .glossaries = operation.glossaries ? operation.glossaries() : std::vector<Glossary>()};
}

/// Returns the options that name input files of the operation's encoding.
std::vector<GivenOption> inputs_of_encoding(const Operation& operation,
                                            const std::vector<GivenOption>& options) {
    if (operation.encoding.empty()) return {};
    return inputs_among(options, find_encoding(operation.encoding)->parameters);
}

/// Returns the options that name one array of an archive. The output may not replace such a file,
/// since its other arrays would be lost.
std::vector<GivenOption> archives_among(const std::vector<GivenOption>& options,
                                        const Operation& operation) {
    std::vector<GivenOption> inputs = inputs_among(options, operation.parameters);
    std::erase_if(inputs, [](const GivenOption& input) { return !array_path(input.text).name; });
    return inputs;
}

OperationInput input_of(const Operation& operation, std::string_view name, Arguments given,
                        std::span<const Words> behind) {
    if (!given.positionals.empty()) {
        throw UsageError(fmt::format("unexpected argument '{}'; the array is --{} {}",
                                     given.positionals.front(), operation.parameters.front().name,
                                     given.positionals.front()));
    }
    Parameters own = set_options(operation.parameters, given.options);
    std::vector<GivenOption> inputs = inputs_among(given.options, operation.parameters);
    std::ranges::copy(inputs_of_encoding(operation, given.options), std::back_inserter(inputs));
    check_standard_input(inputs, 1);
    const std::string_view array = operation.parameters.front().name;
    if (!own.has(array)) {
        throw UsageError(
            fmt::format("apply {}: needs --{} FILE, an array of NumPy", operation.name, array));
    }
    return {operation.encoding.empty() ? Subject() : typed_subject(name), std::move(own),
            std::move(given.options), std::vector(behind.begin(), behind.end())};
}

}  // namespace

std::span<const Operation* const> all_operations() { return operations_in_order; }

Usage apply_usage(Words names, HelpLength) {
    return names.empty() ? operations_usage() : operation_usage(find_operation(names.front()));
}

ExitStatus run_apply(Words arguments) {
    if (arguments.empty()) return print(usage_help(operations_usage(), HelpLength::full));
    const Operation& operation = find_operation(arguments.front());
    const std::vector<Words> parts = parts_of(arguments.subspan(1));
    const Arguments given = parse_arguments(parts.front(), options_in(options_of(operation)),
                                            fmt::format("apply {}", operation.name));
    const RunSettings run = run_settings(given.options);
    if (run.action == Action::version) return print_version();

    const OperationInput input =
        input_of(operation, arguments.front(), given, std::span(parts).subspan(1));
    std::vector<Target> targets = targets_named(given.options);
    check_not_targets(inputs_of_encoding(operation, given.options), targets);
    check_not_targets(archives_among(given.options, operation), targets);
    const bool is_quiet = run.verbosity == Verbosity::quiet;
    if (targets.empty() && !is_quiet) targets.push_back(printed());
    const std::vector<Target> archives = take_archives(targets);
    if (run.threads) limit_threads(*run.threads);
    numerics::self_test();
    PlannedOutput output{operation.plan(input), std::move(targets)};
    if (const std::string name = arrays_of(archives); !name.empty()) {
        output.planned.table.name = name;
    }
    const Run what{fmt::format("apply {}", operation.name), run};
    ProgressLine line(run.verbosity);
    if (run.action == Action::dry_run) {
        print_notes(output.planned.notes, run.verbosity);
        return print(dry_run_text(output, what, line) + dry_run_text({&output, 1}, archives, what));
    }
    generate({&output, 1}, archives, what, line);
    return ExitStatus::done;
}

}  // namespace pegen::cli
