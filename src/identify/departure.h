#pragma once

#include <string>

#include "core/table.h"
#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::identify {

/// How much of an array a table has.
struct Likeness {
    double agreeing = 0;   ///< part of the values that agree as float32 code makes them, or within
                           ///< the sample's noise: 0 ... 1
    double remaining = 1;  ///< root mean square of the differences, divided by that of the array
};

/// Compares a table with the first values of the array, some ten thousand.
Likeness likeness_of(const Table& made, const evidence::Sample& array,
                     const evidence::Proposal& proposal);

/// Says where the array leaves the table, in words: "rows 10 to 19", "channel 17", "one value, at
/// (3, 17)", "the rows are in another order", "all values, by 0.01 on average". "" if it does not.
/// Precondition: equal shapes, but for extents of 1.
std::string departure_from(const Table& made, const evidence::Sample& array,
                           const evidence::Proposal& proposal);

}  // namespace pegen::identify
