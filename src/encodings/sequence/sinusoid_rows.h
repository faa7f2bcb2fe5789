#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "encodings/parameters/position_proposals.h"
#include "evidence/sample.h"
#include "evidence/wave_table.h"

// The rows of an array that `sinusoid` may have made: positions and zeros.
namespace pegen::encodings {

/// An array as rows of channels; a vector is one row.
struct SinusoidRows {
    std::int64_t count;
    std::int64_t channels;
    std::int64_t zeros_in_front = 0;
    std::optional<std::int64_t> zero_row{};  ///< the first one behind those
    std::vector<std::int64_t> others{};      ///< all rows behind the zeros in front
};

/// Sorts the rows in memory of an array of one or two axes.
SinusoidRows sinusoid_rows_of(const evidence::Sample& array);

/// True if the last channel may be that of --odd zero-pad: zero, unless it is standardised.
bool has_constant_end(const evidence::Sample& array, const SinusoidRows& rows);

/// Returns the ways to say the positions, the rows of zeros in front and the zero
/// row.
std::vector<PricedSettings> row_proposals(const evidence::WaveTable& table,
                                          const SinusoidRows& rows);

}  // namespace pegen::encodings
