#include "numerics/rotations.h"

#include "numerics/clones.h"

namespace pegen::numerics {
namespace {

PEGEN_CLONES
void multiply(RotationArrays a, RotationArrays b, std::size_t size, double* __restrict sin_high,
              double* __restrict sin_low, double* __restrict cos_high, double* __restrict cos_low) {
    for (std::size_t k = 0; k < size; ++k) {
        const DoubleDouble sin = sum(product(a.sin(k), b.cos(k)), product(a.cos(k), b.sin(k)));
        const DoubleDouble sines = product(a.sin(k), b.sin(k));
        const DoubleDouble cos = sum(product(a.cos(k), b.cos(k)), {-sines.high, -sines.low});
        sin_high[k] = sin.high;
        sin_low[k] = sin.low;
        cos_high[k] = cos.high;
        cos_low[k] = cos.low;
    }
}

}  // namespace

Rotations product(const Rotations& a, const Rotations& b) {
    Rotations result(a.size());
    multiply(a.arrays(), b.arrays(), result.size(), result.sin_high.data(), result.sin_low.data(),
             result.cos_high.data(), result.cos_low.data());
    return result;
}

}  // namespace pegen::numerics
