#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/apply/operation.h"
#include "cli/options.h"
#include "core/parameters.h"
#include "core/table.h"
#include "files/array_file.h"

// What the operations of `apply` share: the array and their result.
namespace pegen::cli {

inline constexpr ParameterSpec x_parameter{
    .name = "x",
    .aliases = "input",
    .type = ParameterType::path,
    .summary =
        "the array: an NPY file, or FILE:NAME in an NPZ or safetensors file; - is standard input"};

inline constexpr ParameterSpec dtype_parameter{.name = "dtype",
                                               .type = ParameterType::word,
                                               .choices = float_dtype_words,
                                               .summary = "type of the result [that of the array]"};

/// Opens an array of floats with values in it. Throws: as open_array(); UsageError if it is none.
ArrayFile open_floats(const std::string& path);

/// Returns the dtype that --dtype names, or else that of the array.
DType result_dtype(const Parameters& own, const ArrayFile& array);

/// Returns the result of an operation on `array`, without its rows; `what` ends its title. Its last
/// axes are those of a table.
Table result_of(const ArrayFile& array, DType dtype, const std::vector<Axis>& last_axes,
                std::string_view what);

/// Throws: UsageError if something stands behind a "--".
void refuse_dashes(const OperationInput& input, std::string_view name);

}  // namespace pegen::cli
