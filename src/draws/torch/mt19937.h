#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

}  // namespace pegen::torch
