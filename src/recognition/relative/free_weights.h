#pragma once

#include <cstdint>
#include <span>

// Weights by distance that no generator drew: are they a trained table, or does a formula make
// them?
namespace pegen::recognition {

/// Returns true if weights (rows, columns) may be trained: they are no simple numbers, and most of
/// a column are different from each other. Those of a function of |distance|, of a band or of a few
/// levels are not. NaN stands for weights that are not known.
bool may_be_trained(std::span<const double> weights, std::int64_t columns);

}  // namespace pegen::recognition
