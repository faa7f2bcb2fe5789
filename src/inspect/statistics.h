#pragma once

#include <cstdint>
#include <string>

#include "core/progress.h"
#include "core/table.h"

namespace pegen {

/// What the values of a table are like, all together.
struct Statistics {
    std::int64_t nans = 0;
    std::int64_t infinities = 0;  ///< of either sign
    std::int64_t finite = 0;      ///< all other values, of which the following are

    /// As the shortest text that reads back as the same element; "" where no value is finite.
    std::string lowest;
    std::string highest;

    /// Of integers and bools: their exact sum, divided with an error of less than 2 ULP. Of floats:
    /// within 2 ULP and 2^-90 of the mean magnitude. 0 where no value is finite.
    double mean = 0;
};

/// Goes through the table once, in tiles; memory is threads x tile, and the result does not depend
/// on the number of threads. Throws: what the rows throw.
Statistics statistics_of(const Table& table, const Progress& progress = ignore_progress);

}  // namespace pegen
