#pragma once

#include <vector>

#include "numerics/real.h"
#include "pegen/numerics/frequencies.h"

namespace pegen::numerics {

struct Frequencies::Reals {
    std::vector<Real> values;
};

}  // namespace pegen::numerics
