#include "cli/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/options.h"
#include "core/error.h"
#include "files/array_file.h"
#include "files/target.h"

namespace pegen::cli {

std::vector<GivenOption> inputs_among(const std::vector<GivenOption>& options,
                                      std::span<const ParameterSpec> specs) {
    std::vector<GivenOption> inputs;
    std::ranges::copy_if(options, std::back_inserter(inputs), [&](const GivenOption& option) {
        return option.spec->type == ParameterType::path && is_among(specs, option.spec);
    });
    return inputs;
}

std::vector<NamedFile> files_of(const Parameters& parameters) {
    std::vector<NamedFile> files;
    for (const Parameters::Entry& entry : parameters.entries()) {
        const std::string_view name = entry.spec->name;
        if (entry.spec->type != ParameterType::path || !parameters.has(name)) continue;
        files.push_back({name, array_path(parameters.word(name)).file});
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
