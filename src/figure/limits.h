#pragma once

#include <limits>
#include <mutex>
#include <span>

#include "core/table.h"

namespace pegen {

/// The values of the first and the last colour, or the ends of an axis.
struct Limits {
    double low;
    double high;

    bool operator==(const Limits&) const = default;
};

/// The limits of an empty set of values.
inline constexpr Limits no_limits{std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity()};

/// Returns the smallest and the largest finite value; no_limits if there is none.
Limits limits_of(std::span<const double> values);

/// Returns the limits of the values of both sets.
Limits merge(Limits a, Limits b);

/// Returns the limits, or 0 and 1 for no_limits.
Limits or_any(Limits limits);

/// True if no value within the limits has the sign of another one.
inline bool have_one_sign(Limits limits) { return limits.low >= 0 || limits.high <= 0; }

/// Returns the smallest and the largest finite value of the table; no_limits if there is none.
/// Reads the table once, in blocks.
Limits finite_limits(const Table& table);

/// The limits of values that several threads see.
class SharedLimits {
  public:
    void add(std::span<const double> values);
    Limits get() const { return limits_; }

  private:
    Limits limits_ = no_limits;
    std::mutex mutex_;
};

/// Returns limits that differ: if both are equal (or differ only by rounding), each is moved
/// outwards by a tenth of its magnitude; if both are zero (or below 1e-287), they become -0.1 and
/// 0.1.
Limits set_apart(Limits limits);

}  // namespace pegen
