#pragma once

#include <vector>

#include "numerics/frequencies.h"
#include "numerics/real.h"

namespace pegen::numerics {

struct Frequencies::Reals {
    std::vector<Real> values;
};

}  // namespace pegen::numerics
