#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/dtype.h"
#include "core/table.h"

namespace pegen::numerics {

/// base^(-k * step / (width - shift)) * scale  for k = 0 ... count - 1: the frequencies of Vaswani
/// et al. 2017, section 3.5, with step 2, shift 0 and scale 1. The exponent of k = 0 is 0, whatever
/// the denominator.
struct GeometricProgression {
    double base;
    double step;
    std::int64_t width;
    double shift;
    double scale;
    std::int64_t count;
};

/// over / under, exactly.
struct Ratio {
    double over;
    double under;
};

/// Angular frequencies, in radians per position, known to about 300 bits: the product with a
/// position of 53 bits keeps more than twice the precision of a double.
/// A value; copies share the numbers.
class Frequencies {
  public:
    /// Precondition: base > 0, and width > shift if count > 1.
    explicit Frequencies(const GeometricProgression& progression);

    /// Precondition: no `under` is 0.
    explicit Frequencies(std::span<const Ratio> ratios);

    std::int64_t size() const;

    /// The largest |frequency|, rounded to a double; 0 if there are none.
    double largest() const;
    /// The smallest |frequency|, rounded to a double; infinity if there are none.
    double smallest() const;

    /// One by one: a scale for each frequency, as the position interpolation of RoPE has, and
    /// products of powers, as its NTK-aware scaling. Precondition: a.size() == b.size().
    friend Frequencies product(const Frequencies& a, const Frequencies& b);

    /// What only this room looks into.
    struct Reals;
    const Reals& reals() const { return *reals_; }

  private:
    explicit Frequencies(std::shared_ptr<const Reals> reals);

    std::shared_ptr<const Reals> reals_;
};

Frequencies product(const Frequencies& a, const Frequencies& b);

/// The frequencies as a column, each correctly rounded.  Shape: (size,).
RowSource frequency_rows(Frequencies frequencies, DType dtype);

/// The wavelengths 2 pi / frequency, in positions, each correctly rounded.  Shape: (size,).
RowSource wavelength_rows(Frequencies frequencies, DType dtype);

}  // namespace pegen::numerics
