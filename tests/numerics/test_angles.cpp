#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "core/dtype.h"
#include "numerics/real.h"
#include "numerics/sinusoid.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

std::vector<double> angles(const Positions& positions, const Frequencies& frequencies,
                           DType dtype) {
    Table table;
    table.shape = {positions.size(), frequencies.size()};
    table.dtype = dtype;
    table.rows = angle_rows(positions, frequencies, dtype);
    return read_rows(table, {0, positions.size()});
}

Frequencies ratio(double numerator, double denominator) {
    return Frequencies(std::vector<Ratio>{{numerator, denominator}});
}

}  // namespace

TEST_CASE("angles: are the products by MPFR, rounded once") {
    const Frequencies omega(
        {.base = 10000, .step = 2, .width = 32, .shift = 0, .scale = 1, .count = 16});
    std::vector<double> positions{0, 1, -3.25, 0.1, 1e-300, 1e-320, 0x1p53 - 1};
    for (int i = 0; i < 2000; ++i) positions.push_back(12345 + 7 * i);
    for (const DType dtype : {DType::float32, DType::float64}) {
        const std::vector<double> table = angles(Positions(positions), omega, dtype);
        for (std::size_t i = 0; i < table.size(); ++i) {
            CAPTURE(i);
            Real exact = omega.reals()[i % 16];
            mpfr_mul_d(exact.get(), exact.get(), positions[i / 16], MPFR_RNDN);
            CHECK(table[i] == (dtype == DType::float64 ? mpfr_get_d(exact.get(), MPFR_RNDN)
                                                       : mpfr_get_flt(exact.get(), MPFR_RNDN)));
        }
    }
}

TEST_CASE("angles: those at a midpoint are rounded to even, those next to one are not") {
    const auto angle = [](double position, const Frequencies& frequency, DType dtype) {
        return angles(Positions({position}), frequency, dtype).front();
    };
    const double midpoint = 0x1p24 + 1;
    CHECK(angle(midpoint, ratio(1, 1), DType::float32) == 0x1p24);
    CHECK(angle(midpoint + 2, ratio(1, 1), DType::float32) == 0x1p24 + 4);
    // (2^24 + 1) (1 + 2^-52): above the midpoint by less than a double shows.
    CHECK(angle(midpoint, ratio(1 + 0x1p-52, 1), DType::float32) == 0x1p24 + 2);
    CHECK(angle(-midpoint, ratio(1 + 0x1p-52, 1), DType::float32) == -0x1p24 - 2);
    CHECK(angle(2049, ratio(1, 1), DType::float16) == 2048);
    CHECK(angle(257, ratio(1, 1), DType::bfloat16) == 256);
    CHECK(angle(1, ratio(1e6, 1), DType::float16) == HUGE_VAL);
}

TEST_CASE("angles: those at a midpoint are rounded to even where the frequency is no double") {
    // 2051 times a number that is 1 but not made as one: halfway between 2050 and 2052.
    const auto angle = [](const std::function<Real()>& one, double position) {
        const Frequencies frequency([=] { return std::vector<Real>{one()}; });
        return angles(Positions({position}), frequency, DType::float16).front();
    };
    CHECK(angle([] { return Real(1) / 3; }, 3 * 2051) == 2052);
    CHECK(angle([] { return pow(8192, Real(-1) / 13); }, 2 * 2051) == 2052);
    CHECK(angle([] { return pow(10, Real(1) / 3) * pow(10, Real(2) / 3) / 10; }, 2051) == 2052);
    CHECK(angle([] { return exp(log(Real(5))) / 5; }, 2051) == 2052);
}
