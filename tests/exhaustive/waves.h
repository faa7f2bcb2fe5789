#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/table.h"
#include "number.h"

namespace exhaustive {

/// The exact table: channel 2 k is sin and 2 k + 1 is cos of position * base^(-2 k / d), the
/// position of row n is start + step * n. By MPFR, with nothing of the program's arithmetic:
///
///     f(n + 1) = 2 cos(step * frequency) f(n) - f(n - 1)
///
/// holds for both functions. From two values straight from MPFR it goes on for a few thousand rows.
class Waves {
  public:
    Waves(std::int64_t d, double base, double start, double step);

    using Visit = std::function<void(std::int64_t row, std::int64_t channel, mpfr_srcptr exact)>;

    /// Calls visit for every value of `rows`, channel by channel. The values are within 2^-160 of
    /// the exact ones. Throws: std::logic_error if the last ones are not.
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
