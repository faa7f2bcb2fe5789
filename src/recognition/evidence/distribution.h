#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "recognition/evidence/sample.h"

// Tests whether the values of an array are independent draws, and of which distribution.
namespace pegen::evidence {

/// Returns false if values, in rows of `columns`, cannot be independent draws of one distribution
/// that initializers use: neighbours resemble each other, rows or columns differ in their means or
/// deviations, numbers of this precision occur more than once, or the distribution has other tails.
/// NaN marks values that are not known. Returns true if there are too few values to tell.
bool may_be_draws(std::span<const double> values, std::int64_t columns, const Precision& precision);

/// Returns the distribution of independent draws in words: "normal with mean 0 and deviation 0.02".
/// Empty if the values are not independent, as in a trained table, or too few to tell.
std::string distribution_of(const Sample& sample);

}  // namespace pegen::evidence
