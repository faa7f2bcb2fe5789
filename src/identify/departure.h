#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/table.h"
#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::identify {

/// Names indices: "row 3", "rows 3 and 5", "rows 10 to 19", "rows 1, 5, 9, 12, 13 and 22 more".
std::string indices_text(std::string_view noun, const std::vector<std::int64_t>& indices);

/// How much of an array a table has.
struct Likeness {
    double agreeing = 0;    ///< part of the values that agree as float32 code makes them, or within
                            ///< the sample's noise: 0 ... 1
    double remaining = 1;   ///< root mean square of the differences, divided by that of the array
    bool is_of_all = true;  ///< the whole array was looked at
};

/// Compares a table with the first values of the array, some ten thousand.
Likeness likeness_of(const Table& made, const evidence::Sample& array,
                     const evidence::Proposal& proposal);

/// Says what was done to all values of the table at once, if that is what separates it from the
/// array: "the rows are in another order", "all values are multiplied by -1". "" otherwise. Looks
/// at the first values of the array, some ten thousand.
std::string change_of(const Table& made, const evidence::Sample& array,
                      const evidence::Proposal& proposal);

/// Says where the array leaves the table, in words: "rows 10 to 19", "channel 17", "one value, at
/// (3, 17)", "all values, by 0.01 on average". "" if it does not.
/// Precondition: equal shapes, but for extents of 1.
std::string departure_from(const Table& made, const evidence::Sample& array,
                           const evidence::Proposal& proposal);

}  // namespace pegen::identify
