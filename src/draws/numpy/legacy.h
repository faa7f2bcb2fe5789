#pragma once

#include <cstdint>
#include <optional>

#include "draws/torch/mt19937.h"

namespace pegen::numpy {

/// NumPy's RandomState. Source: Marsaglia and Bray 1964, SIAM Review 6(3), for the normals.
class Legacy {
  public:
    explicit Legacy(std::uint32_t seed) : words_(seed) {}

    /// Returns a multiple of 2^-53 in [0, 1).
    double unit();
    double normal();

  private:
    torch::Mt19937 words_;
    std::optional<double> left_;  ///< the second normal of a pair, if not drawn yet
};

}  // namespace pegen::numpy
