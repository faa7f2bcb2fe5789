#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/double_double.h"
#include "core/positions.h"
#include "numerics/frequencies.h"

namespace pegen::numerics {

/// The sin and cos of an angle. Adding angles means multiplying rotations:
///     sin(a + b) = sin a cos b + cos a sin b,  cos(a + b) = cos a cos b - sin a sin b.
struct Rotation {
    DoubleDouble sin, cos;
};

// Return sin and cos of the sum of the angles. Each adds an error of at most 2^-102.
inline DoubleDouble sin_of_sum(Rotation a, Rotation b) {
    return sum_of_products(a.sin, b.cos, a.cos, b.sin);
}
inline DoubleDouble cos_of_sum(Rotation a, Rotation b) {
    return sum_of_products(a.cos, b.cos, negative(a.sin), b.sin);
}

/// Returns the rotation by the sum of the angles.
inline Rotation product(Rotation a, Rotation b) { return {sin_of_sum(a, b), cos_of_sum(a, b)}; }

/// Pointers to the parts of rotations, an array for each part: the kernel for float32 reads only
/// the high parts.
template <class Double>
struct RotationArrays {
    Double *sin_high, *sin_low, *cos_high, *cos_low;

    Rotation operator[](std::size_t k) const {
        return {{sin_high[k], sin_low[k]}, {cos_high[k], cos_low[k]}};
    }
    RotationArrays from(std::size_t k) const {
        return {sin_high + k, sin_low + k, cos_high + k, cos_low + k};
    }
};

/// Rotations by position * frequency, one for each frequency.
class Rotations {
  public:
    /// Makes `size` rotations of zeros, which the caller then sets.
    explicit Rotations(std::size_t size) : size_(size), parts_(4 * size) {}

    std::size_t size() const { return size_; }
    RotationArrays<const double> arrays() const { return arrays_of(parts_.data(), size_); }
    RotationArrays<double> arrays() { return arrays_of(parts_.data(), size_); }

    Rotation operator[](std::size_t k) const { return arrays()[k]; }
    void set(std::size_t k, Rotation rotation) {
        const auto [sin_high, sin_low, cos_high, cos_low] = arrays();
        sin_high[k] = rotation.sin.high;
        sin_low[k] = rotation.sin.low;
        cos_high[k] = rotation.cos.high;
        cos_low[k] = rotation.cos.low;
    }

  private:
    template <class Double>
    static RotationArrays<Double> arrays_of(Double* parts, std::size_t size) {
        return {parts, parts + size, parts + 2 * size, parts + 3 * size};
    }

    std::size_t size_;
    std::vector<double> parts_;
};

/// Returns rotations by 0.
Rotations identity(std::size_t size);

/// Returns the products a[k] b[k].
Rotations product(const Rotations& a, const Rotations& b);

/// Returns the rotations by the negative angles.
Rotations inverse(Rotations rotations);

/// Returns scale * sin and scale * cos, which are no rotations any more, each off by at most 2^-103
/// of itself.
Rotations scaled(Rotations rotations, double scale);

/// Returns the rotations by 0, 1, ... size - 1 times the angles of `generator`.
std::vector<Rotations> powers(const Rotations& generator, std::int64_t size);

/// The rotations by position * frequency for many positions, made by the addition theorem. Every
/// position is a whole multiple of a unit, a power of two. The multiple is written in digits of a
/// few bits, and for each place of a digit a rung holds the rotation of every value of the digit.
///
/// Error of at(): at most 2^-92 for each sin and cos.
class Ladder {
  public:
    /// Prepares for these positions and for positions up to `beyond` units farther from 0.
    /// Precondition: fits(positions).
    Ladder(const Positions& positions, const Frequencies& frequencies, std::int64_t beyond = 0);

    /// True if all positions, as multiples of one unit, have at most 128 bits.
    static bool fits(const Positions& positions);

    /// Returns the rotations by position * frequency for each frequency.
    Rotations at(double position) const;

    double unit() const { return unit_; }

    /// Returns the rotations by 0, 1, ... units: 2^digit_bits of them, or fewer if the ladder
    /// serves no more.
    const std::vector<Rotations>& steps() const { return rungs_.front(); }

  private:
    double unit_;
    int digit_bits_;
    std::size_t frequencies_;
    std::vector<std::vector<Rotations>> rungs_;  ///< [rung][digit]
};

/// Returns the number of bits of a digit: 6, or fewer, but at least 2, if the rotations of all
/// rungs would exceed 64 MiB.
int digit_bits(const Positions& positions, const Frequencies& frequencies);

/// A position as the sum of a base, which neighbouring rows share if possible, and a step, one of a
/// few, given by its number.
struct Split {
    double base;
    std::size_t step;
};

/// The rotation of each position of a table, split into the rotations of its base and of its step,
/// which the kernel multiplies. In an exact progression, 64 rows share a base, the position of the
/// first of them; other positions share a base if they differ only in their lowest digit.
class SplitRotations {
  public:
    /// Precondition: Ladder::fits(positions).
    SplitRotations(const Positions& positions, const Frequencies& frequencies);

    Split split(std::int64_t row, double position) const;

    // Return the rotations of base and step. The error of their product is at most 2^-91 for each
    // sin and cos.
    Rotations base(const Split& split) const { return ladder_.at(split.base); }
    const Rotations& step(const Split& split) const { return steps_[split.step]; }

  private:
    int digit_bits_;
    std::optional<Positions> bases_;  ///< the bases of an exact progression
    Ladder ladder_;
    std::vector<Rotations> steps_;
};

}  // namespace pegen::numerics
