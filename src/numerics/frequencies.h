#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "core/table.h"
#include "numerics/real.h"

namespace pegen::numerics {

/// The progression  base^(-k * step / (width - shift)) * scale  for k = 0 ... count - 1. With step
/// 2, shift 0 and scale 1 its terms are the frequencies of Vaswani et al. 2017, section 3.5. For k
/// = 0 the exponent is 0 even if the denominator is.
struct GeometricProgression {
    double base;
    double step;
    std::int64_t width;
    double shift;
    double scale;
    std::int64_t count;
};

/// Returns  base^(-2k / channels), one for each pair of channels.
constexpr GeometricProgression paired_progression(double base, std::int64_t channels) {
    return {
        .base = base, .step = 2, .width = channels, .shift = 0, .scale = 1, .count = channels / 2};
}

/// The exact number  numerator / denominator.
struct Ratio {
    double numerator;
    double denominator;
};

/// Angular frequencies in radians per position: a formula that is evaluated with as many bits as
/// are asked for. Each frequency is off by at most rounding_errors() of itself. Copies share the
/// numbers.
class Frequencies {
  public:
    using Formula = std::function<std::vector<Real>()>;

    explicit Frequencies(Formula formula);

    /// Precondition: base > 0, and width > shift if count > 1.
    explicit Frequencies(const GeometricProgression& progression);

    /// Precondition: no denominator is 0.
    explicit Frequencies(std::span<const Ratio> ratios);

    std::int64_t size() const;

    /// Returns the numbers, with the bits of Precision.
    const std::vector<Real>& reals() const;

    /// Returns the largest |frequency|, rounded to a double; 0 if there are none.
    double largest() const;
    /// Returns the smallest |frequency|, rounded to a double; infinity if there are none.
    double smallest() const;

  private:
    struct Numbers;

    std::shared_ptr<Numbers> numbers_;
};

/// Returns a[k] * b[k] for each k: frequencies with a scale each, as in RoPE's position
/// interpolation, or products of powers, as in its NTK-aware scaling.
/// Precondition: a.size() == b.size().
Frequencies product(const Frequencies& a, const Frequencies& b);

/// Returns the `count` frequencies of the numbers first, first + stride, ..., counted from 0.
Frequencies slice(const Frequencies& frequencies, std::int64_t first, std::int64_t count,
                  std::int64_t stride = 1);

/// Returns the frequencies of `a`, then the frequencies of `b`.
Frequencies concatenated(const Frequencies& a, const Frequencies& b);

/// Returns the doubles nearest to the frequencies.
std::vector<double> nearest_doubles(const Frequencies& frequencies);

/// Returns the frequencies as a column, each correctly rounded.  Shape: (size,).
Rows frequency_rows(Frequencies frequencies, DType dtype);

/// Returns the wavelengths 2 pi / frequency as a column, in positions, each correctly rounded.
/// Shape: (size,).
Rows wavelength_rows(Frequencies frequencies, DType dtype);

}  // namespace pegen::numerics
