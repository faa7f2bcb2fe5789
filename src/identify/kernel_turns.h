#pragma once

#include <cstdint>
#include <vector>

#include "identify/kernel_convention.h"
#include "identify/kernel_view.h"

// By how much the pairs of channels are turned, measured from arrays before and after.
namespace pegen::identify {

/// The cosine and the sine that a pair is turned by, times a factor that all pairs have.
struct Turn {
    double cos;
    double sin;
    double error;  ///< each is within it of the true one; infinity where nothing is known
};

/// The turns of (positions, pairs).
struct Turns {
    std::int64_t positions;
    std::int64_t pairs;
    std::vector<Turn> values;
    double factor = 1;  ///< the length of (cos, sin)
    double fit = 0;     ///< the share of turns, where any, that are rotations by one factor

    const Turn& at(std::int64_t position, std::int64_t pair) const {
        return values[static_cast<std::size_t>(position * pairs + pair)];
    }
};

/// Solves the equations of a convention for cos and sin, at each position and for each pair.
/// `unit` is half a unit in the last place of the arithmetic, relative to 1.
Turns measure_turns(const KernelSample& sample, const Convention& convention, double unit);

/// True if angles, or cosines and sines, of doubles are numbers of float32, as code has them that
/// makes these in float32.
bool are_of_float32(const Turns& turns);

/// Returns the turns of a kernel in which cos and sin have changed places.
Turns with_cos_and_sin_exchanged(Turns turns);

}  // namespace pegen::identify
