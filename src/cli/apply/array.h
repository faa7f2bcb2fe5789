#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/apply/operation.h"
#include "cli/options.h"
#include "core/parameters.h"
#include "core/table.h"
#include "files/array_file.h"

// What all operations of `apply` share: options, the array they read, and their result.
namespace pegen::cli {

inline constexpr ParameterSpec x_parameter{.name = "x",
                                           .aliases = "input",
                                           .type = ParameterType::path,
                                           .summary =
                                               "the array: an NPY file, or FILE:NAME in an NPZ, "
                                               "safetensors or PyTorch file; - is standard "
                                               "input"};

inline constexpr ParameterSpec dtype_parameter{.name = "dtype",
                                               .type = ParameterType::word,
                                               .choices = float_dtype_words,
                                               .summary = "type of the result [that of the array]"};

/// Opens an array of floats that has at least one value.
/// Throws: as open_array(); UsageError if the array is of integers or is empty.
ArrayFile open_floats(const std::string& path);

/// Returns the dtype that --dtype names; the dtype of the array if the option is not given.
DType result_dtype(const Parameters& own, const ArrayFile& array);

/// Returns a table of the array's shape for the result of an operation, without its rows.
/// `last_axes` replace the last axes of the array; `what` ends the title.
Table result_of(const ArrayFile& array, DType dtype, const std::vector<Axis>& last_axes,
                std::string_view what);

/// Throws: UsageError if there are arguments after a "--". `name` is the operation's name.
void refuse_dashes(const OperationInput& input, std::string_view name);

}  // namespace pegen::cli
