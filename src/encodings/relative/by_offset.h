#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/parameters.h"
#include "core/positions.h"
#include "core/table.h"
#include "encodings/cell.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "rows/by_distance.h"

namespace pegen::encodings {

// Tables over queries and keys whose values depend only on the offset key - query.

/// A function that returns an integer for an offset key - query.
using NumberOfOffset = std::function<std::int64_t(std::int64_t offset)>;

/// A function that returns the formula of the number of an offset: "clip(3, -16, 16) + 16".
using FormulaOfOffset = std::function<std::string(std::int64_t offset)>;

/// Returns the cell of a table that holds `number` for a key at this offset from its query, by this
/// formula.
Cell cell_at_offset(std::int64_t offset, std::int64_t number, std::string formula);

/// Returns the numbers of all offsets, smallest offset first. Uses all threads.
std::vector<double> line_of(const NumberOfOffset& number, rows::AttentionSize size);

/// Plans the table (len, key-len), axes (query, key), of the number of each offset. The rows throw
/// UsageError if the dtype cannot hold all numbers.
Plan plan_by_offset(Parameters parameters, rows::AttentionSize size, const NumberOfOffset& number,
                    const FormulaOfOffset& formula);

// Sines and cosines of the distances between queries and keys.

inline constexpr ParameterSpec wave_layout_parameter{
    .name = "layout",
    .type = ParameterType::word,
    .default_value = "halves",
    .choices = "halves interleaved",
    .summary = "all sines then all cosines, or sin cos sin cos ..."};

inline constexpr ParameterSpec wave_arith_parameter = rare_arith_parameter(
    "the exact formula, or float32 arithmetic: distance * (1 / base^(2i / d))");

/// The limits to which distances are clamped.
struct DistanceLimits {
    double lowest;
    double highest;
};

/// Plans a table (distances, d), axes (distance, channel), by --d, --base, --layout and --arith,
/// with the frequencies base^(-2i / d). Each row encodes a distance, clamped to `limits`. Throws:
/// UsageError if d is odd, or if there are limits and more than 2^28 rows.
Plan plan_distance_waves(Parameters parameters, const Positions& distances,
                         std::optional<DistanceLimits> limits = std::nullopt);

}  // namespace pegen::encodings
