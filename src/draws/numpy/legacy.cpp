#include "draws/numpy/legacy.h"

#include <cmath>

namespace pegen::numpy {

double Legacy::unit() {
    const double high = words_.next() >> 5;
    const double low = words_.next() >> 6;
    return (high * 0x1p26 + low) * 0x1p-53;
}

double Legacy::normal() {
    if (left_) {
        const double normal = *left_;
        left_.reset();
        return normal;
    }
    double x = 0, y = 0, square = 0;
    do {
        x = 2 * unit() - 1;
        y = 2 * unit() - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double factor = std::sqrt(-2 * std::log(square) / square);
    left_ = factor * x;
    return factor * y;
}

}  // namespace pegen::numpy
