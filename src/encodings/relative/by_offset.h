#pragma once

#include <cstdint>
#include <functional>

#include "core/table.h"
#include "encodings/encoding.h"
#include "rows/by_distance.h"

// Tables over queries and keys whose values depend only on the offset key - query.
namespace pegen::encodings {

/// A function that returns an integer for an offset key - query.
using NumberOfOffset = std::function<std::int64_t(std::int64_t offset)>;

/// Returns the numbers of all offsets, smallest offset first, as a table with one row.
RealRows line_of(const NumberOfOffset& number, rows::AttentionSize size);

/// Plans the table (len, key-len), axes (query, key), of the number of each offset. The rows throw
/// UsageError if the dtype cannot hold all numbers.
Plan plan_by_offset(Parameters parameters, rows::AttentionSize size, const NumberOfOffset& number);

}  // namespace pegen::encodings
