#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>

#include "draws/torch/mt19937_words.h"

namespace pegen::torch {

/// The Mersenne Twister of std::mt19937, but with many draws at a time.
/// Source: Matsumoto and Nishimura 1998, ACM TOMACS 8(1).
class Mt19937 {
  public:
    explicit Mt19937(std::uint32_t seed);

    std::uint32_t next();

    /// Skips `draws` draws.
    void skip(std::int64_t draws);

    /// Fills `out` with floats in [0, 1), multiples of 2^-24, each from the low 24 bits of a draw.
    void draw_units(std::span<float> out);

  private:
    std::array<std::uint32_t, mersenne::size> state_;
    std::size_t used_ = mersenne::size;  ///< words of the state that were drawn already
};

/// The 32-bit draws of PyTorch's CPU generator after torch.manual_seed(seed), counted from 0, in
/// any order. The generator can only go forward, so some of its states are kept, at most a few
/// hundred. Thread-safe.
class Draws {
  public:
    /// Uses only the low 32 bits of the seed, as PyTorch does.
    explicit Draws(std::int64_t seed);

    /// Returns a generator whose next draw is draw `first`. After this, from(first + count, ...) is
    /// quick.
    Mt19937 from(std::int64_t first, std::int64_t count);

  private:
    std::mutex mutex_;
    std::map<std::int64_t, Mt19937> states_;  ///< states, by the number of the next draw
};

/// Makes a double in [0, 1), a multiple of 2^-53, from the next two draws.
double unit_double(Mt19937& generator);

}  // namespace pegen::torch
