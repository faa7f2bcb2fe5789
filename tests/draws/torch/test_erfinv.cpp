#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "draws/torch/fill.h"

using namespace pegen::torch;

namespace {

/// The inverse of erf by Newton's steps in double precision.
double exact_erfinv(double y, double start) {
    double x = start;
    for (int step = 0; step < 4; ++step) {
        x -= (std::erf(x) - y) * std::sqrt(std::numbers::pi) / 2 * std::exp(x * x);
    }
    return x;
}

}  // namespace

TEST_CASE("erfinv: is the inverse of erf to single precision, and odd") {
    for (const CodePath path : {CodePath::vectors, CodePath::scalar}) {
        for (float y = 0x1p-20F; y < 0.99F; y *= 1.01F) {
            CAPTURE(y);
            const float x = erfinv(y, path);
            CHECK(x == doctest::Approx(exact_erfinv(y, x)).epsilon(1e-6));
            CHECK(erfinv(-y, path) == -x);
        }
        CHECK(erfinv(0, path) == 0);
        CHECK(erfinv(1, path) == std::numeric_limits<float>::infinity());
        CHECK(erfinv(-1, path) == -std::numeric_limits<float>::infinity());
    }
}
