#pragma once

#include <cstdint>

namespace pegen::numpy {

/// The generator of np.random.default_rng: a linear congruential one of 128 bits, whose state is
/// folded and rotated, seeded by NumPy's SeedSequence.
/// Source: O'Neill 2014, PCG, Harvey Mudd College HMC-CS-2014-0905.
class Pcg64 {
  public:
    /// Precondition: seed >= 0.
    explicit Pcg64(std::int64_t seed);

    std::uint64_t next();

    /// Returns a multiple of 2^-53 in [0, 1).
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

    /// Draws a normal by the ziggurat. Source: Marsaglia and Tsang 2000, J. Stat. Soft. 5(8).
    double normal();

  private:
    __extension__ using Wide = unsigned __int128;

    void step();

    Wide state_ = 0;
    Wide increment_;
};

}  // namespace pegen::numpy
