#include "numerics/rotations.h"

#include <algorithm>

#include "core/clones.h"
#include "core/progress.h"

namespace pegen::numerics {

namespace {

PEGEN_CLONES
void multiply(const Rotations& a, const Rotations& b, double* __restrict sin_high,
              double* __restrict sin_low, double* __restrict cos_high, double* __restrict cos_low) {
    const auto x = a.arrays(), y = b.arrays();
    for (std::size_t k = 0, size = a.size(); k < size; ++k) {
        const Rotation xy = product(x[k], y[k]);
        sin_high[k] = xy.sin.high;
        sin_low[k] = xy.sin.low;
        cos_high[k] = xy.cos.high;
        cos_low[k] = xy.cos.low;
    }
}

}  // namespace

Rotations identity(std::size_t size) {
    Rotations result(size);
    std::fill_n(result.arrays().cos_high, size, 1.0);
    return result;
}

Rotations product(const Rotations& a, const Rotations& b) {
    report_work(10 * static_cast<std::int64_t>(a.size()));
    Rotations result(a.size());
    const auto [sin_high, sin_low, cos_high, cos_low] = result.arrays();
    multiply(a, b, sin_high, sin_low, cos_high, cos_low);
    return result;
}

Rotations inverse(Rotations rotations) {
    for (std::size_t k = 0; k < rotations.size(); ++k) {
        const auto [sin, cos] = rotations[k];
        rotations.set(k, {negative(sin), cos});
    }
    return rotations;
}

Rotations scaled(Rotations rotations, double scale) {
    if (scale == 1) return rotations;
    for (std::size_t k = 0; k < rotations.size(); ++k) {
        const auto [sin, cos] = rotations[k];
        rotations.set(k, {product(sin, {scale, 0}), product(cos, {scale, 0})});
    }
    return rotations;
}

std::vector<Rotations> powers(const Rotations& generator, std::int64_t size) {
    std::vector<Rotations> result{identity(generator.size())};
    while (std::ssize(result) < size) result.push_back(product(result.back(), generator));
    return result;
}

}  // namespace pegen::numerics
