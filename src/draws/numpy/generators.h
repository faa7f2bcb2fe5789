#pragma once

#include <cstdint>
#include <variant>

#include "draws/numpy/legacy.h"
#include "draws/numpy/pcg64.h"

// NumPy's random numbers, bit for bit, in the order in which an array is filled with them.
namespace pegen::numpy {

/// A generator of NumPy. `legacy`: np.random.RandomState(seed), also np.random.seed(seed): the
/// Mersenne Twister and the polar method. `modern`: np.random.default_rng(seed): PCG64 and the
/// ziggurat.
enum class Generator { legacy, modern };

/// The largest seed that np.random.seed takes.
inline constexpr std::int64_t largest_legacy_seed = 0xffffffff;

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
