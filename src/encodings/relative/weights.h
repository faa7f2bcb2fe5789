#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "core/table.h"
#include "rows/gathered.h"

// Tables of weights that training fills: read from a file, or drawn by --init and --seed.
namespace pegen::encodings {

/// A table of weights (rows, columns), neither read nor drawn yet.
struct Weights {
    std::int64_t rows;
    std::int64_t columns;
    std::string path;  ///< of the file; empty for weights that are drawn
    std::function<std::vector<double>()> values;
};

/// What a table of weights has to be: "bias-table" names the parameter of its file, "(num-buckets,
/// heads)" says in messages what its extents are.
struct WeightsSpec {
    std::string_view file_parameter;
    std::string_view extents;
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t drawn_before = 0;
};

/// Opens the weights that the parameters name: an NPY file of floats, or --init, --seed and --rng.
/// Throws: UsageError if there are more than 2^26; FileError; FormatError if the file has another
/// shape or dtype.
Weights open_weights(const Parameters& parameters, const WeightsSpec& spec);

/// Reads or draws the weights: eight bytes each.
/// Throws: FileError; FormatError if one is not finite; UsageError if `dtype` cannot hold them all.
rows::KeptRows read_weights(const Weights& weights, DType dtype);

/// Returns the weights as rows of a table.
/// Throws: as read_weights.
RowSource weight_rows(const Weights& weights, DType dtype);

/// Checks that --init, --seed and --rng have something to draw, and removes them if not.
/// Throws: UsageError if one is given though all weights stand in the files of `file_parameters`.
Parameters without_idle_initializer(Parameters parameters,
                                    const std::vector<std::string_view>& file_parameters);

}  // namespace pegen::encodings
