#include "cli/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/options.h"
#include "core/error.h"
#include "encodings/combined/table_parts.h"
#include "files/array_file.h"
#include "files/target.h"

namespace pegen::cli {

namespace {

std::vector<GivenOption> inputs_of_parts(const std::string& parts);

/// Returns the options that name input files, including tables in --parts.
std::vector<GivenOption> inputs_of(const Parameters& parameters) {
    std::vector<GivenOption> inputs;
    for (const Parameters::Entry& entry : parameters.entries()) {
        const ParameterSpec& spec = *entry.spec;
        if (!parameters.has(spec.name)) continue;
        if (spec.type == ParameterType::path) {
            inputs.push_back({&spec, parameters.word(spec.name)});
        } else if (spec.name == encodings::parts_parameter.name) {
            std::ranges::copy(inputs_of_parts(parameters.word(spec.name)),
                              std::back_inserter(inputs));
        }
    }
    return inputs;
}

std::vector<GivenOption> inputs_of_parts(const std::string& parts) {
    std::vector<GivenOption> inputs;
    for (const encodings::TablePart& part : encodings::parse_parts(parts)) {
        std::ranges::copy(inputs_of(part.parameters), std::back_inserter(inputs));
    }
    return inputs;
}

}  // namespace

std::vector<GivenOption> inputs_among(const std::vector<GivenOption>& options,
                                      std::span<const ParameterSpec> specs) {
    std::vector<GivenOption> inputs;
    for (const GivenOption& option : options) {
        if (!is_among(specs, option.spec)) continue;
        if (option.spec->type == ParameterType::path) {
            inputs.push_back(option);
        } else if (option.spec->name == encodings::parts_parameter.name) {
            std::ranges::copy(inputs_of_parts(option.text), std::back_inserter(inputs));
        }
    }
    return inputs;
}

std::vector<NamedFile> files_of(const Parameters& parameters) {
    std::vector<NamedFile> files;
    for (const GivenOption& input : inputs_of(parameters)) {
        files.push_back({input.spec->name, array_path(input.text).file});
    }
    return files;
}

void check_standard_input(const std::vector<GivenOption>& inputs, std::size_t tables) {
    const GivenOption* first = nullptr;
    for (const GivenOption& input : inputs) {
        if (array_path(input.text).file != "-") continue;
        if (first) {
            throw UsageError(fmt::format("--{} - --{} -: standard input can be only one of them",
                                         first->spec->name, input.spec->name));
        }
        if (tables > 1) {
            throw UsageError(fmt::format(
                "--{} -: standard input can be read for one table only; give a file for {}",
                input.spec->name, tables));
        }
        first = &input;
    }
}

void check_not_targets(const std::vector<GivenOption>& inputs, const std::vector<Target>& targets) {
    for (const GivenOption& input : inputs) {
        for (const Target& target : targets) {
            const std::string file = array_path(input.text).file;
            if (same_file(target.path, "-") || !same_file(target.path, file)) continue;
            throw UsageError(fmt::format(
                "--{} {}: would be replaced by the {} of the table; choose another name",
                input.spec->name, input.text, target.format->name));
        }
    }
}

}  // namespace pegen::cli
