#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "encodings/encoding.h"
#include "encodings/parameters/wave_cell.h"
#include "numerics/frequencies.h"

namespace pegen::encodings {

/// Returns the plan of a table (frequency) of `count` values: the frequencies, in radians per
/// position, or the wavelengths 2 pi / frequency if `table` is wavelengths. Each value is correctly
/// rounded. `terms` returns the formula of each frequency; null if a frequency has no short
/// formula.
Plan frequency_plan(Parameters parameters, std::string_view table, std::int64_t count,
                    std::function<numerics::Frequencies()> frequencies,
                    FrequencyTerms terms = nullptr);

}  // namespace pegen::encodings
