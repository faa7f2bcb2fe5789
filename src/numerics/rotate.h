#pragma once

#include <cstddef>

#include "core/dtype.h"
#include "numerics/channel_layout.h"
#include "numerics/rotations.h"

namespace pegen::numerics {

/// The values of one function for every frequency, in memory.
template <class T>
struct Channel {
    Function function;
    T* out;
};

/// The places for the values of a row: the values of frequency k go to first.out[k * stride] and
/// second.out[k * stride]. The functions may be equal. If second.out is null, there is no second
/// function.
template <class T>
struct Channels {
    Channel<T> first, second;
    std::size_t stride;
};

/// Evaluates the functions of the sums of two angles, times `scale`, for each frequency, each value
/// rounded once to T: float, double, float16 or bfloat16. `base` carries the scale, `step` is a
/// rotation. Computes in double-doubles for T double, else in doubles.
/// Returns true if every value is certain. Otherwise estimate() and in the end MPFR decide.
/// Precondition: the stride is 1, or 2 with second.out = first.out + 1.
template <class T>
bool rotate(const Rotations& base, const Rotations& step, double scale,
            const Channels<T>& channels);

/// A value and a bound of its distance from the exact value.
struct Estimate {
    DoubleDouble value;
    double error;
};

/// Evaluates the value of rotate() for frequency k in double-doubles.
Estimate estimate(Function function, const Rotations& base, const Rotations& step, std::size_t k,
                  double scale);

}  // namespace pegen::numerics
