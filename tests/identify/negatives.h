#pragma once

#include <vector>

#include "identify/draws.h"
#include "identify/trial.h"

namespace pegen::trials {

/// Returns arrays that are no encoding's table, though some look like one.
std::vector<Trial> all_negatives(Random& random);

}  // namespace pegen::trials
