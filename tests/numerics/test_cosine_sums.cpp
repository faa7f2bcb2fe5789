#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "numerics/cosine_sums.h"
#include "numerics/real.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

std::vector<double> sums(const Positions& positions, const Frequencies& frequencies,
                         const std::vector<Ratio>& scales, DType dtype) {
    Table table;
    table.shape = {std::ssize(scales), positions.size()};
    table.dtype = dtype;
    table.rows = cosine_sum_rows(positions, frequencies, scales, dtype);
    return read_rows(table, {0, std::ssize(scales)});
}

Real exact_sum(double position, const Frequencies& frequencies) {
    Real total;
    mpfr_set_zero(total.get(), 1);
    for (const Real& frequency : frequencies.reals()) {
        Real angle;
        mpfr_mul_d(angle.get(), frequency.get(), position, MPFR_RNDN);
        mpfr_cos(angle.get(), angle.get(), MPFR_RNDN);
        mpfr_add(total.get(), total.get(), angle.get(), MPFR_RNDN);
    }
    return total;
}

}  // namespace

TEST_CASE("cosine sums: are those by MPFR times the scale, rounded once") {
    const Frequencies omega(
        {.base = 10000, .step = 2, .width = 26, .shift = 0, .scale = 1, .count = 13});
    const Positions positions(-70, 7919, 300);
    const std::vector<Ratio> scales{{1, 1}, {12, 56}, {-1, 3}};
    for (const DType dtype : {DType::float32, DType::float64}) {
        const std::vector<double> table = sums(positions, omega, scales, dtype);
        for (std::size_t i = 0; i < table.size(); ++i) {
            CAPTURE(i);
            const Ratio scale = scales[i / 300];
            Real exact = exact_sum(positions[static_cast<std::int64_t>(i % 300)], omega);
            mpfr_mul_d(exact.get(), exact.get(), scale.numerator, MPFR_RNDN);
            mpfr_div_d(exact.get(), exact.get(), scale.denominator, MPFR_RNDN);
            CHECK(table[i] == (dtype == DType::float64 ? mpfr_get_d(exact.get(), MPFR_RNDN)
                                                       : mpfr_get_flt(exact.get(), MPFR_RNDN)));
        }
    }
}

TEST_CASE("cosine sums: those at a midpoint are rounded to even, and rows may be asked for alone") {
    const Frequencies two(std::vector<Ratio>{{1, 1}, {2, 1}});
    // 2 * 2049 / 2 and 2 * 2051 / 2: float16 has the even numbers from 2048 on.
    CHECK(sums(Positions(0, 0, 1), two, {{2049, 2}, {2051, 2}}, DType::float16) ==
          std::vector<double>{2048, 2052});
    Table table;
    table.shape = {2, 3};
    table.dtype = DType::float64;
    table.rows = cosine_sum_rows(Positions(0, 1, 3), two, {{1, 1}, {1, 2}}, table.dtype);
    CHECK(read_rows(table, {1, 1}) == std::vector<double>{1, nearest_double(exact_sum(1, two)) / 2,
                                                          nearest_double(exact_sum(2, two)) / 2});
}

TEST_CASE("cosine sums: a sum near 0 keeps its digits") {
    // cos(w) + cos(w (pi - w) / w) would be 0 for the exact pi: the sum is of the size of the error
    // of the double nearest to it.
    const double pi = std::acos(-1.0);
    const Frequencies pair(std::vector<Ratio>{{1, 1}, {pi - 1, 1}});
    const double sum = sums(Positions(1, 0, 1), pair, {{1, 1}}, DType::float64).front();
    CHECK(std::fabs(sum) < 1e-15);
    CHECK(sum == nearest_double(exact_sum(1, pair)));
}
