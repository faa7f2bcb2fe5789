#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/double_double.h"

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

}  // namespace pegen::numerics
