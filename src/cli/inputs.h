#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cli/arguments.h"
#include "cli/request.h"

// The files that a command reads because its options name them.
namespace pegen::cli {

/// Returns the options that are a path among `specs`.
std::vector<GivenOption> inputs_among(const std::vector<GivenOption>& options,
                                      std::span<const ParameterSpec> specs);

/// Throws: UsageError if standard input is to be read for more than one input, or for more than one
/// of the `tables`.
void check_standard_input(const std::vector<GivenOption>& inputs, std::size_t tables);

/// Throws: UsageError if a target would replace one of the inputs.
void check_not_targets(const std::vector<GivenOption>& inputs, const std::vector<Target>& targets);

}  // namespace pegen::cli
