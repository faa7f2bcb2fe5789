#pragma once

#include <cstdint>
#include <string>

#include "core/progress.h"
#include "core/table.h"

namespace pegen {

/// Statistics of all values of a table.
struct Statistics {
    std::int64_t nans = 0;
    std::int64_t infinities = 0;  ///< of either sign
    std::int64_t finite = 0;      ///< all other values, which the members below describe

    /// The shortest text that reads back as the lowest value; "" if no value is finite.
    std::string lowest;
    std::string highest;

    /// The mean of the finite values. For integers and bools it is the exact sum, divided with an
    /// error of less than 2 ULP. For floats it is correct to 2 ULP plus 2^-90 of the mean
    /// magnitude. 0 if no value is finite.
    double mean = 0;
};

/// Reads the table once, in tiles, with memory for one tile in each thread. The result does not
/// depend on the number of threads. Throws what reading the rows throws.
Statistics statistics_of(const Table& table, const Progress& progress = ignore_progress);

}  // namespace pegen
