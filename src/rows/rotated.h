#pragma once

#include <cstdint>

#include "core/table.h"

namespace pegen::rows {

/// The channels that are turned together: of r rotary channels, pair m is (m, m + r/2) or (2m, 2m +
/// 1).
enum class Pairing { half, interleaved };

/// Returns which of `r` channels of a head is at place `i` when they are put from the one pairing
/// into the other, `to`.
constexpr std::int64_t channel_at(std::int64_t i, std::int64_t r, Pairing to) {
    if (to == Pairing::interleaved) return i % 2 * (r / 2) + i / 2;
    return i < r / 2 ? 2 * i : 2 * (i - r / 2) + 1;
}

/// The rotation of each position, as tables (positions, pairs) of float64: element (p, m) belongs
/// to pair m at position p.
struct Rotation {
    Rows cos;  ///< times the attention factor if there is one
    Rows sin;
    Pairing pairing;
    bool is_inverse = false;  ///< undo the rotation, and the attention factor
};

/// Returns `x`, rows of an array (..., positions, d) with d >= 2 pairs, with the pairs of each row
/// turned by the angles of its position:
///   y_a = x_a cos - x_b sin,  y_b = x_a sin + x_b cos.
/// The other channels are copied. Computed in double and rounded once to `dtype`: the error of y is
/// at most 0.5 ULP of y plus 2^-51 of the length of its pair. `x` and `dtype` are floating.
/// cos and sin are computed now and kept if they have at most 2^24 values together.
Rows rotated(const Rows& x, const Rotation& rotation, DType dtype);

}  // namespace pegen::rows
