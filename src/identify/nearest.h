#pragma once

#include <string>
#include <vector>

#include "identify/identify.h"
#include "identify/views.h"

namespace pegen::identify {

/// Returns the answer for an array that no command makes: the nearest convention, if one has at
/// least some of its values, and where the array leaves it.
Identification nearest_to(const std::vector<View>& views);

/// Says that rows or channels are in an order that nobody chooses, "the rows are in another order",
/// of a candidate that agrees only with a list of positions or channels; "" otherwise.
std::string order_of(const Candidate& candidate);

}  // namespace pegen::identify
