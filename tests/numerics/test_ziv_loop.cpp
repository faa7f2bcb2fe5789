#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/dtype.h"
#include "core/table.h"
#include "numerics/floating_point.h"
#include "numerics/ziv_loop.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

/// A number of one bit more than a dtype has: halfway between two neighbours, `even` and `odd`.
struct Tie {
    DType dtype;
    double even, odd;

    Real midpoint() const { return (Real(even) + odd) / 2; }
};

const std::vector<Tie> ties{
    {DType::float64, 1, 1 + 0x1p-52},         {DType::float64, 0x1p-1073, 0x1p-1074},
    {DType::float32, 1, 1 + 0x1p-23},         {DType::float32, -0x1p-148, -0x1.8p-148},
    {DType::float16, 1, 1 + 0x1p-10},         {DType::float16, 0, 0x1p-24},
    {DType::bfloat16, 1 + 0x1p-6, 1 + 0x1p-7}};

double rounded(DType dtype, const std::function<Real()>& formula) {
    const double value = ziv_loop(dtype, Midpoints::possible, formula);
    double result = 0;
    with_floating_type(dtype,
                       [&]<class T>(std::type_identity<T>) { result = widen(round_to<T>(value)); });
    return result;
}

}  // namespace

TEST_CASE("ziv loop: a midpoint is rounded to even, also if its factors are rounded") {
    for (const Tie& tie : ties) {
        CHECK(rounded(tie.dtype, [&] { return tie.midpoint(); }) == tie.even);
        CHECK(rounded(tie.dtype, [&] { return tie.midpoint() / 3 * 3; }) == tie.even);
        CHECK(rounded(tie.dtype, [&] { return tie.midpoint() * exp(log(Real(3))) / 3; }) ==
              tie.even);
        CHECK(rounded(tie.dtype, [&] {
                  return tie.midpoint() * pow(8192, Real(1) / 13) * pow(8192, Real(-1) / 13);
              }) == tie.even);
    }
}

TEST_CASE("ziv loop: a number next to a midpoint is rounded to its own side") {
    for (const Tie& tie : ties) {
        for (const double distance : {0x1p-200, 0x1p-330, 0x1p-1000}) {
            const auto beside = [&](double factor) {
                return rounded(tie.dtype, [&] {
                    return tie.midpoint() + (Real(tie.odd) - tie.even) * distance * factor;
                });
            };
            CAPTURE(distance);
            CHECK(beside(1) == tie.odd);
            CHECK(beside(-1) == tie.even);
        }
    }
}

TEST_CASE("ziv loop: where no midpoint is possible, any number of bits is taken") {
    const auto sum = [](double rest) {
        return ziv_loop(DType::float64, Midpoints::impossible, [=] {
            return 1 + Real(0x1p-53) +
                   Real(rest) * 0x1p-1000 * 0x1p-1000 * 0x1p-1000 * 0x1p-1000 * 0x1p-1000 *
                       0x1p-1000;
        });
    };
    CHECK(sum(1) == 1 + 0x1p-52);
    CHECK(sum(-1) == 1);
}

TEST_CASE("ziv loop: what is rounded to zero keeps its sign") {
    for (const double value : {0.0, 0x1p-400}) {
        for (const double sign : {1.0, -1.0}) {
            const double zero = rounded(DType::float32, [&] { return Real(value) * sign; });
            CHECK(zero == 0);
            CHECK(std::signbit(zero) == (sign < 0));
        }
    }
}

TEST_CASE("precision: Reals have its bits as long as it lives, and keep them") {
    CHECK(Precision::bits() == 320);
    Real third = 0;
    {
        const Precision precision(1280);
        third = Real(1) / 3;
        CHECK(mpfr_get_prec(third.get()) == 1280);
    }
    CHECK(mpfr_get_prec(Real(third).get()) == 1280);
    CHECK(mpfr_get_prec((third * 3).get()) == 320);
}

TEST_CASE("real rows: a guess in doubles decides only where it leaves no doubt") {
    // Just above and just below the midpoint of 1 and the next float, and the midpoint: the guess
    // is the midpoint in every case.
    const auto value = [](std::int64_t, std::int64_t column) {
        return Real(1 + 0x1p-24) + static_cast<double>(column - 1) * 0x1p-80;
    };
    const auto near = [](std::int64_t, std::int64_t) { return 1 + 0x1p-24; };
    for (const DType dtype : {DType::float32, DType::float64}) {
        Table table;
        table.shape = {1, 3};
        table.dtype = dtype;
        table.rows = real_rows(value, near, 1, 3, dtype);
        CHECK(read_rows(table, {0, 1}) == (dtype == DType::float32
                                               ? std::vector<double>{1, 1, 1 + 0x1p-23}
                                               : std::vector<double>(3, 1 + 0x1p-24)));
    }
}
