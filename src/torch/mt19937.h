#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pegen::torch {

/// The Mersenne Twister, the same as std::mt19937, many draws at a time.
/// Source: Matsumoto and Nishimura 1998, ACM TOMACS 8(1).
class Mt19937 {
  public:
    explicit Mt19937(std::uint32_t seed);

    std::uint32_t next();

    /// Leaves out as many draws.
    void skip(std::int64_t draws);

    /// Fills `out` with floats in [0, 1), multiples of 2^-24: the low 24 bits of a draw each.
    void draw_units(std::span<float> out);

  private:
    static constexpr std::size_t size = 624;

    std::array<std::uint32_t, size> state_;
    std::size_t used_ = size;  ///< words of the state that have been drawn
};

}  // namespace pegen::torch
