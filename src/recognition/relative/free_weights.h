#pragma once

#include <cstdint>
#include <span>

// A test whether weights by distance that were not drawn are a trained table or the values of a
// formula.
namespace pegen::recognition {

/// True if weights (rows, columns) may be trained: most are not simple numbers, and most weights of
/// a column differ from each other. Functions of |distance|, bands and a few levels fail this test.
/// NaN marks unknown weights.
bool may_be_trained(std::span<const double> weights, std::int64_t columns);

}  // namespace pegen::recognition
