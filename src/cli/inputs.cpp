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

/// Returns the files that the tables of --parts read.
std::vector<GivenOption> inputs_of_parts(const std::string& parts) {
    std::vector<GivenOption> inputs;
    for (const encodings::TablePart& part : encodings::parse_parts(parts)) {
        for (const Parameters::Entry& entry : part.parameters.entries()) {
            const std::string_view name = entry.spec->name;
            if (entry.spec->type != ParameterType::path || !part.parameters.has(name)) continue;
            inputs.push_back({entry.spec, part.parameters.word(name)});
        }
    }
    return inputs;
}

bool are_parts(const ParameterSpec& spec) { return spec.name == encodings::parts_parameter.name; }

}  // namespace

std::vector<GivenOption> inputs_among(const std::vector<GivenOption>& options,
                                      std::span<const ParameterSpec> specs) {
    std::vector<GivenOption> inputs;
    for (const GivenOption& option : options) {
        if (!is_among(specs, option.spec)) continue;
        if (option.spec->type == ParameterType::path) inputs.push_back(option);
        if (are_parts(*option.spec)) {
            std::ranges::copy(inputs_of_parts(option.text), std::back_inserter(inputs));
        }
    }
    return inputs;
}

std::vector<NamedFile> files_of(const Parameters& parameters) {
    std::vector<NamedFile> files;
    for (const Parameters::Entry& entry : parameters.entries()) {
        const std::string_view name = entry.spec->name;
        if (!parameters.has(name)) continue;
        if (entry.spec->type == ParameterType::path) {
            files.push_back({name, array_path(parameters.word(name)).file});
        }
        if (!are_parts(*entry.spec)) continue;
        for (const GivenOption& input : inputs_of_parts(parameters.word(name))) {
            files.push_back({input.spec->name, array_path(input.text).file});
        }
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
