#pragma once

#include <optional>
#include <vector>

#include "core/progress.h"
#include "identify/identify.h"
#include "identify/views.h"

namespace pegen::identify {

/// Returns the answer for an array that no command makes: the nearest convention, if one has at
/// least some of its values, and where the array leaves it; or what kind of random numbers it has.
/// `candidates` are those that were tried, for each view.
Identification nearest_to(const std::vector<View>& views,
                          const std::vector<std::vector<Candidate>>& candidates,
                          const Progress& progress);

/// Returns the answer for an array whose first values a candidate has, but not all: where the array
/// leaves it. `note` says how the array was looked at; it may be empty.
/// Precondition: the candidate's encoding can make its table.
Identification left_by(const Candidate& candidate, const std::string& note,
                       const evidence::Sample& array, const Progress& progress);

/// Returns the answer for a candidate that agrees with the array only with its rows or channels in
/// an order that nobody chooses: the same candidate in the usual order, as the nearest one. None if
/// the order is usual.
std::optional<Identification> in_another_order(const Candidate& candidate);

}  // namespace pegen::identify
