#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "cli/request.h"

// The files that a command reads because its options name them.
namespace pegen::cli {

/// Returns the options that are a path among `specs`.
std::vector<GivenOption> inputs_among(const std::vector<GivenOption>& options,
                                      std::span<const ParameterSpec> specs);

/// A file that a parameter names, without the name of an array in it.
struct NamedFile {
    std::string_view parameter;
    std::string file;
};

/// Returns the files that the parameters name.
std::vector<NamedFile> files_of(const Parameters& parameters);

/// Throws: UsageError if standard input is to be read for more than one input, or for more than one
/// of the `tables`.
void check_standard_input(const std::vector<GivenOption>& inputs, std::size_t tables);

/// Throws: UsageError if a target would replace one of the inputs.
void check_not_targets(const std::vector<GivenOption>& inputs, const std::vector<Target>& targets);

}  // namespace pegen::cli
