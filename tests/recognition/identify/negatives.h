#pragma once

#include <vector>

#include "encodings/drawn/draws.h"
#include "recognition/identify/trial.h"

namespace pegen::trials {

/// Returns arrays that are no encoding's table, though some look like one.
std::vector<Trial> all_negatives(Random& random);

}  // namespace pegen::trials
