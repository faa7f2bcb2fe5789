#pragma once

#include <cstdint>
#include <string>

#include "core/table.h"
#include "evidence/proposal.h"
#include "evidence/sample.h"

namespace pegen::identify {

/// Returns the angle of an element of the proposal's table, 0 if it has none. `per_index` is the
/// number of elements of one index of the first axis.
double angle_at(const evidence::Proposal& proposal, std::int64_t element, std::int64_t per_index);

/// The arithmetic whose errors are no differences.
enum class Arithmetic { float64, float32 };

/// Returns float64 if most of the array's first values have its digits and agree with the table's
/// within its errors: then a difference that float32 code would make is one.
Arithmetic arithmetic_of(const Table& made, const evidence::Sample& array,
                         const evidence::Proposal& proposal);

/// True if a value of a table and that of the array agree as such code makes them at that angle, or
/// within the sample's noise.
bool is_alike(double made, double given, double angle, const evidence::Sample& array,
              Arithmetic arithmetic);

/// How much of an array a table has.
struct Likeness {
    double agreeing = 0;    ///< part of the values, zeros of both aside, that are alike: 0 ... 1
    double remaining = 1;   ///< root mean square of the differences, divided by that of the array
    bool is_of_all = true;  ///< the whole array was looked at
    /// What was done to all values of the table at once, if that is what separates it from the
    /// array: "the rows are in another order", "all values are multiplied by -1". "" otherwise.
    std::string change{};
};

/// Compares a table with the first values of the array, some ten thousand.
Likeness likeness_of(const Table& made, const evidence::Sample& array,
                     const evidence::Proposal& proposal);

}  // namespace pegen::identify
