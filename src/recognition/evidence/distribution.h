#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "recognition/evidence/sample.h"

// Are the values of an array independent draws, and of which distribution?
namespace pegen::evidence {

/// Returns false if values of rows of `columns` cannot be independent draws of one distribution
/// that initializers use: neighbours resemble each other, rows or columns differ in their means or
/// deviations, numbers of this precision occur more than once, or the distribution has other tails.
/// NaN stands for values that are not known. True if there are too few values to tell.
bool may_be_draws(std::span<const double> values, std::int64_t columns, const Precision& precision);

/// Returns the distribution of independent draws in words: "normal with mean 0 and deviation 0.02".
/// Empty if the values are not independent, as of a trained table, or too few to tell.
std::string distribution_of(const Sample& sample);

}  // namespace pegen::evidence
