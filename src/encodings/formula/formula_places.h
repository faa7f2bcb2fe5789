#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/axis.h"
#include "core/dtype.h"
#include "core/parameters.h"
#include "core/shape.h"
#include "core/table.h"
#include "encodings/cell.h"

// Tables whose values are a formula of the user. The names in the formula say which axes the table
// has: positions or tokens (pos, x, y, t), or pairs of a query and a key (q, k, xq, xk ...), heads
// (h) and channels (i), all counted from 0.
namespace pegen::encodings {

inline constexpr ParameterSpec value_parameter{
    .name = "value",
    .aliases = "formula expression expr f",
    .type = ParameterType::text,
    .summary = "the formula of pos, of q and k, h, i, ..., as in Python"};

inline constexpr ParameterSpec token_count_parameter{
    .name = "len",
    .aliases = "n queries query-len max-len length seq-len",
    .type = ParameterType::integer,
    .default_value = "64",
    .range = any_count,
    .summary = "number of positions, or of queries",
    .role = Role::extent};

inline constexpr ParameterSpec more_keys_parameter{
    .name = "key-len",
    .aliases = "keys",
    .type = ParameterType::integer,
    .range = any_count,
    .summary = "number of keys; of more keys than queries, the queries are the last [--len]",
    .role = Role::extent};

inline constexpr ParameterSpec token_image_parameter{
    .name = "image",
    .aliases = "grid",
    .type = ParameterType::text,
    .summary = "ROWSxCOLUMNS, or FRAMESxROWSxCOLUMNS: the tokens are those of an image or a video"};

inline constexpr ParameterSpec token_points_parameter{
    .name = "points",
    .type = ParameterType::path,
    .summary = "NPY file: numbers (tokens, axes), each token's x, or y and x, or t, y and x",
    .role = Role::tokens};

/// What the values of a formula are.
enum class FormulaOf { values, row_numbers };

/// Clears the extents that the formula does not use, and fills in --key-len. Throws: UsageError if
/// the formula is none, if its names do not go together, if the user gave an extent that it does
/// not use, or if a formula of row numbers names heads or channels; FileError and FormatError for
/// --points.
Parameters resolve_places(Parameters parameters, FormulaOf what);

/// The table of a formula's values: axes head, position (or point), query, key, channel, of which
/// it has those that the formula names.
struct FormulaTable {
    Shape shape;
    std::vector<Axis> axes;
    bool is_of_pairs;
    bool is_by_distance;  ///< query and key matter only by their distance
    /// Returns the value at a place, with an index for each axis, as a double whose rounding to
    /// `dtype` is the exact value rounded once. Throws: UsageError if there is none.
    std::function<double(std::span<const std::int64_t> index, DType dtype)> value;
    /// Returns the formula with the numbers of a place in it, for messages.
    std::function<std::string(std::span<const std::int64_t> index)> text;
    std::function<Cell(std::span<const std::int64_t> index)> cell;
};

/// Returns the table for resolved parameters. Throws: UsageError if the formula names no axis;
/// FileError and FormatError for --points.
FormulaTable formula_table(const Parameters& parameters);

/// A function that returns the value at a place. Throws: UsageError if there is none.
using ValueAt = std::function<double(std::span<const std::int64_t> index)>;

/// Returns the rows that `made_of` makes of the values of all places of the table. If these depend
/// on the distance of key and query alone, the rows of all distances are made now and kept, up to
/// 2^24 values. Throws, where rows are asked for: UsageError if a place has no value.
Rows rows_of(const FormulaTable& table, const ValueAt& value,
             const std::function<Rows(const RealRows& values)>& made_of);

}  // namespace pegen::encodings
