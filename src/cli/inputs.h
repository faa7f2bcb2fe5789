#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/request.h"

// The input files of a command, which its options name.
namespace pegen::cli {

/// Returns the options in `specs` that name input files; for --parts, an option for each file that
/// it names.
std::vector<GivenOption> inputs_among(const std::vector<GivenOption>& options,
                                      std::span<const ParameterSpec> specs);

/// An input file and the parameter that names it. The name of an array in the file is left out.
struct NamedFile {
    std::string_view parameter;
    std::string file;
};

/// Returns the files that the parameters name, including files in --parts.
std::vector<NamedFile> files_of(const Parameters& parameters);

/// Throws: UsageError if standard input would be read for more than one input, or for more than one
/// of `tables` tables.
void check_standard_input(const std::vector<GivenOption>& inputs, std::size_t tables);

/// Throws: UsageError if a target would replace one of the inputs.
void check_not_targets(const std::vector<GivenOption>& inputs, const std::vector<Target>& targets);

}  // namespace pegen::cli
