#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "draws/torch/mt19937.h"

// NumPy's random numbers, bit for bit, in the order in which an array is filled with them.
namespace pegen::numpy {

/// A generator of NumPy. `legacy`: np.random.RandomState(seed), also np.random.seed(seed): the
/// Mersenne Twister and the polar method. `modern`: np.random.default_rng(seed): PCG64 and the
/// ziggurat.
enum class Generator { legacy, modern };

/// The largest seed that np.random.seed takes.
inline constexpr std::int64_t largest_legacy_seed = 0xffffffff;

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

/// The draws of a generator, one after the other. Compared with NumPy 1.24, with glibc's logarithms
/// and exponentials; those functions of another C library may change the last bit of one normal in
/// many thousands.
class Stream {
  public:
    /// Precondition: 0 <= seed, and seed <= largest_legacy_seed if the generator is legacy.
    Stream(Generator generator, std::int64_t seed)
        : draws_(generator == Generator::legacy ? Draws(Legacy(static_cast<std::uint32_t>(seed)))
                                                : Draws(Pcg64(seed))) {}

    /// Returns a double of [0, 1), as random() does.
    double unit() {
        return std::visit([](auto& draws) { return draws.unit(); }, draws_);
    }
    /// Returns a normal of mean 0 and deviation 1, as normal() does.
    double normal() {
        return std::visit([](auto& draws) { return draws.normal(); }, draws_);
    }

  private:
    using Draws = std::variant<Legacy, Pcg64>;

    Draws draws_;
};

}  // namespace pegen::numpy
