#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/table.h"
#include "number.h"
#include "numerics/frequencies.h"

namespace exhaustive {

/// The exact table: channel 2 k is sin and 2 k + 1 is cos of position * frequency k, where the
/// position of row n is start + step * n. It is computed by MPFR, without the program's arithmetic:
///
///     f(n + 1) = 2 cos(step * frequency) f(n) - f(n - 1)
///
/// holds for both functions and continues two values of MPFR for a few thousand rows.
class Waves {
  public:
    Waves(const pegen::numerics::GeometricProgression& frequencies, double start, double step);

    using Visit = std::function<void(std::int64_t row, std::int64_t channel, mpfr_srcptr exact)>;

    /// Calls visit for every value of `rows`, channel by channel. The values are within 2^-160 of
    /// the exact ones. Throws: std::logic_error if the values after the last row are not.
    void for_each_value(pegen::RowRange rows, const Visit& visit) const;

  private:
    struct Wave {
        Number frequency;
        Number twice_cos;
    };

    double start_;
    double step_;
    std::vector<Wave> waves_;
};

}  // namespace exhaustive
