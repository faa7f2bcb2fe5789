#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "recognition/evidence/sample.h"

namespace pegen::evidence {

/// Returns the median; of an even number of values, the larger of the two in the middle.
/// Precondition: there is a value.
inline double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// Returns the correlation of two lists of the same length, from -1 to 1; 1 if a list has no spread
/// or a number that is not finite.
double correlation_of(std::span<const double> a, std::span<const double> b);

/// True if rows of (rows, columns) are like the rows before them, as in most tables along positions
/// or pixels, also within noise; false for independent random numbers. Looks at some rows.
bool are_rows_alike(std::span<const double> values, std::int64_t columns);

// Tests whether the values of an array are independent draws, and of which distribution.

/// Returns false if values, in rows of `columns`, cannot be independent draws of one distribution
/// that initializers use: neighbours resemble each other, rows or columns differ in their means or
/// deviations, numbers of this precision occur more than once, or the distribution has other tails.
/// NaN marks values that are not known. Returns true if there are too few values to tell.
bool may_be_draws(std::span<const double> values, std::int64_t columns, const Precision& precision);

/// Returns the distribution of independent draws in words: "normal with mean 0 and deviation 0.02".
/// Empty if the values are not independent, as in a trained table, or too few to tell.
std::string distribution_of(const Sample& sample);

}  // namespace pegen::evidence
