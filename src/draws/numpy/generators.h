#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <variant>
#include <vector>

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
    /// Fills `words` with the next words, several at a time. Precondition: their number is a
    /// multiple of 4.
    void fill(std::span<std::uint64_t> words);
    /// Passes over words, in a time that hardly depends on their number.
    void pass(std::uint64_t words);

    /// Returns a multiple of 2^-53 in [0, 1).
    double unit();

    /// Draws a normal by the ziggurat. Source: Marsaglia and Tsang 2000, J. Stat. Soft. 5(8).
    double normal();

  private:
    __extension__ using Wide = unsigned __int128;

    /// One or more steps of the state.
    struct Steps {
        Wide multiplier;
        Wide addend;

        Wide operator()(Wide state) const { return state * multiplier + addend; }
        Steps twice() const { return {multiplier * multiplier, (*this)(addend)}; }
    };

    static std::uint64_t word_of(Wide state);

    Wide state_ = 0;
    Steps step_;
};

/// The normals of np.random.default_rng(seed), for many threads, each of which may begin at any
/// normal. A normal takes one word of the generator or more, so this counts how many normals begin
/// in each block of words.
class Normals {
  public:
    /// Counts the first `count` normals, with several threads, and reports how far it is. Keeps 16
    /// bytes for 4096 normals. Precondition: seed >= 0, count >= 1.
    Normals(std::int64_t seed, std::int64_t count);

    /// Calls take(values) for normals first, first + 1, ..., first + count - 1, some at a time.
    /// Precondition: they have been counted.
    void read(std::int64_t first, std::int64_t count,
              const std::function<void(std::span<double> values)>& take) const;

  private:
    /// The first normal that begins in a block.
    struct Begin {
        std::int64_t normal;
        std::int64_t word;
    };

    Pcg64 generator_;
    std::vector<Begin> blocks_;
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
