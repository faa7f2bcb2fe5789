#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/table.h"
#include "encodings/cell.h"
#include "encodings/encoding.h"
#include "rows/by_distance.h"

// Tables over queries and keys whose values depend only on the offset key - query.
namespace pegen::encodings {

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

}  // namespace pegen::encodings
