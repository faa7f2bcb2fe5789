#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "core/table.h"
#include "rows/kept.h"

// Tables of learned weights: read from a file, or drawn by --init and --seed.
namespace pegen::encodings {

/// A table of weights (rows, columns), not yet read or drawn.
struct Weights {
    std::int64_t rows;
    std::int64_t columns;
    std::function<std::vector<double>()> values;  ///< reads or draws them, row by row
};

/// The requirements for a table of weights: the parameter that names its file, such as
/// "bias-table", and its extents as messages name them, such as "(num-buckets, heads)".
struct WeightsSpec {
    std::string_view file_parameter;
    std::string_view extents;
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t drawn_before = 0;
};

/// Fills in the parameter `name`, such as "heads", with the extent of this axis, 0 or 1, of the
/// file of weights, if there is a file and the user gave no `name`; a list is one column. Throws:
/// FileError; FormatError.
Parameters with_extent_of(Parameters parameters, std::string_view file_parameter, int axis,
                          std::string_view name);

/// Opens the weights that the parameters describe: an NPY file of floats, or --init, --seed and
/// --rng. Throws: UsageError if there are more than 2^26 weights; FileError; FormatError if the
/// file has another shape or dtype.
Weights open_weights(const Parameters& parameters, const WeightsSpec& spec);

/// Reads or draws the weights, which take eight bytes each. Throws: FileError; FormatError if a
/// weight is not finite; UsageError if `dtype` cannot hold all weights.
rows::KeptRows read_weights(const Weights& weights, DType dtype);

/// Returns the weights as rows of a table.
/// Throws: as read_weights.
Rows weight_rows(const Weights& weights, DType dtype);

/// Clears --init, --seed and --rng if all weights are read from the files of `file_parameters`.
/// Throws: UsageError if the user gave one of them in that case.
Parameters without_idle_initializer(Parameters parameters,
                                    const std::vector<std::string_view>& file_parameters);

}  // namespace pegen::encodings
