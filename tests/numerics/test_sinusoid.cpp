#include <doctest/doctest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/parallel.h"
#include "numerics/real.h"
#include "numerics/sinusoid.h"
#include "oracle.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

Frequencies paper_frequencies(std::int64_t d, double base = 10000) {
    return Frequencies(
        {.base = base, .step = 2, .width = d, .shift = 0, .scale = 1, .count = d / 2});
}

std::vector<double> values(const Rows& rows, std::int64_t columns, DType dtype, RowRange range) {
    Table table;
    table.shape = Shape{range.first + range.count, columns};
    table.dtype = dtype;
    table.rows = rows;
    return read_rows(table, range);
}

/// A floating dtype and the bits of its significand.
struct Significand {
    DType dtype;
    int bits;
};

constexpr Significand significands[]{
    {DType::float64, 53}, {DType::float32, 24}, {DType::float16, 11}, {DType::bfloat16, 8}};

/// Returns the value in float `dtype` of the sine of one position.
double sine(double position, const Frequencies& frequency, double scale, DType dtype) {
    return values(sinusoid_rows(Positions({position}), frequency,
                                {1, {{.function = Function::sin, .count = 1}}}, scale, dtype),
                  1, dtype, {0, 1})
        .front();
}

}  // namespace

TEST_CASE("frequencies: are correctly rounded") {
    constexpr std::int64_t d = 512;
    const std::vector<double> omega =
        values(frequency_rows(paper_frequencies(d), DType::float64), 1, DType::float64, {0, d / 2});
    for (std::int64_t k = 0; k < d / 2; ++k) {
        CHECK(omega[static_cast<std::size_t>(k)] ==
              oracle::frequency(10000, static_cast<double>(2 * k), static_cast<double>(d)));
    }
}

TEST_CASE("frequencies: the first is the scale even where the denominator is zero") {
    const Frequencies one(
        {.base = 10000, .step = 2, .width = 2, .shift = 2, .scale = 3, .count = 1});
    CHECK(one.largest() == 3);
    CHECK(one.size() == 1);
}

TEST_CASE("frequencies: the denominator is the exact difference of width and shift") {
    const Frequencies omega(
        {.base = 10000, .step = 2, .width = 10, .shift = 0.1, .scale = 1, .count = 2});
    // 10 - 0.1 as a double is not 10 minus the double 0.1; the oracle takes an exact quotient.
    CHECK(omega.smallest() == doctest::Approx(oracle::frequency(10000, 2, 9.9)).epsilon(1e-15));
}

TEST_CASE(
    "frequencies: a ratio scales exactly, so thirds at three times the position are the same") {
    const std::vector<Ratio> thirds(16, {1, 3});
    const Frequencies interpolated = product(paper_frequencies(32), Frequencies(thirds));
    const Rows far =
        sinusoid_rows(Positions(0, 3, 5000), interpolated, interleaved(32), 1, DType::float64);
    const Rows near = sinusoid_rows(Positions(0, 1, 5000), paper_frequencies(32), interleaved(32),
                                    1, DType::float64);
    CHECK(values(far, 32, DType::float64, {0, 5000}) ==
          values(near, 32, DType::float64, {0, 5000}));
}

TEST_CASE("frequencies: ties are rounded to even, where a root of the base is a whole number") {
    // scale * (root^n)^(-m / (m n)) = scale / root, and all the powers of it.
    for (const auto& [dtype, bits] : significands) {
        if (dtype == DType::float64) continue;  // a scale has no 54 bits
        for (const double root : {2.0, 3.0, 6.0, 10.0, 1.5}) {
            for (const double n : {1.0, 3.0, 7.0, 13.0}) {
                for (double power = 1; power <= 3; ++power) {
                    const double odd = std::ldexp(1, bits) + 3;  // halfway; odd + 1 is even
                    const Frequencies omega({.base = std::pow(root, n),
                                             .step = 2,
                                             .width = static_cast<std::int64_t>(2 * n),
                                             .shift = 0,
                                             .scale = odd * std::pow(root, power) * 0x1p-24,
                                             .count = 4});
                    CAPTURE(root);
                    CAPTURE(n);
                    CHECK(values(frequency_rows(omega, dtype), 1, dtype,
                                 {static_cast<std::int64_t>(power), 1})
                              .front() == (odd + 1) * 0x1p-24);
                }
            }
        }
    }
}

TEST_CASE("frequencies: ties of products of ratios are rounded to even") {
    for (double divisor = 3; divisor < 1000; divisor += 2) {
        CAPTURE(divisor);
        const Frequencies scaled = product(Frequencies(std::vector<Ratio>{{1, divisor}}),
                                           Frequencies(std::vector<Ratio>{{4093 * divisor, 1}}));
        CHECK(values(frequency_rows(scaled, DType::float16), 1, DType::float16, {0, 1}).front() ==
              4092);
    }
}

TEST_CASE("frequencies: next to a tie the exact one decides, however near") {
    // base^-1e-300 is less than 1 by some 1e-300: a tie times it lies below the tie.
    const Frequencies omega(
        {.base = 10000, .step = 2, .width = 4, .shift = -1e300, .scale = 2051, .count = 2});
    CHECK(values(frequency_rows(omega, DType::float16), 1, DType::float16, {0, 2}) ==
          std::vector<double>{2052, 2050});
}

TEST_CASE("frequencies: slices and concatenations are the slopes of ALiBi for 12 heads") {
    // Press et al. 2022: the slopes of 8 heads, then every second slope of 16 heads.
    const auto slopes = [](std::int64_t heads) {
        const Frequencies powers(
            {.base = 2, .step = 8, .width = heads, .shift = 0, .scale = 1, .count = heads + 1});
        return slice(powers, 1, heads);
    };
    const Frequencies twelve = concatenated(slopes(8), slice(slopes(16), 0, 4, 2));
    const std::vector<double> found =
        values(frequency_rows(twelve, DType::float64), 1, DType::float64, {0, 12});
    for (int i = 0; i < 8; ++i) CHECK(found[static_cast<std::size_t>(i)] == std::ldexp(1, -1 - i));
    for (int i = 0; i < 4; ++i) {
        CHECK(found[static_cast<std::size_t>(8 + i)] == oracle::frequency(2, 2 * i + 1, 2));
    }
}

TEST_CASE("wavelengths: run from 2 pi to 2 pi base") {
    const std::vector<double> lambda = values(
        wavelength_rows(paper_frequencies(512), DType::float64), 1, DType::float64, {0, 256});
    CHECK(lambda.front() == 2 * M_PI);
    CHECK(lambda.back() == doctest::Approx(2 * M_PI * std::pow(10000, 510.0 / 512)).epsilon(1e-14));
}

TEST_CASE("sinusoid: float32 values near and far are those of MPFR rounded once") {
    constexpr std::int64_t d = 64;
    for (const double base : {10000.0, 20.0, 1e8}) {
        for (const double start : {0.0, 999990.0, 0x1p40 + 3, 0x1p53 - 20, -12345678.0}) {
            const Rows rows = sinusoid_rows(Positions(start, 1, 20), paper_frequencies(d, base),
                                            interleaved(d), 1, DType::float32);
            const std::vector<double> table = values(rows, d, DType::float32, {0, 20});
            for (std::int64_t i = 0; i < 20 * d; ++i) {
                const double position = start + static_cast<double>(i / d);
                const auto exponent = static_cast<double>(i % d / 2 * 2);
                const float exact = i % 2 ? oracle::cos_float(position, base, exponent, d)
                                          : oracle::sin_float(position, base, exponent, d);
                CHECK(static_cast<float>(table[static_cast<std::size_t>(i)]) == exact);
            }
        }
    }
}

TEST_CASE("sinusoid: float64 values near and far are those of MPFR rounded once") {
    constexpr std::int64_t d = 64;
    for (const double start : {0.0, 1e6, 1e15, 0x1p53 - 20}) {
        const Rows rows = sinusoid_rows(Positions(start, 1, 20), paper_frequencies(d),
                                        interleaved(d), 1, DType::float64);
        const std::vector<double> table = values(rows, d, DType::float64, {0, 20});
        for (std::int64_t i = 0; i < 20 * d; ++i) {
            const double position = start + static_cast<double>(i / d);
            const auto exponent = static_cast<double>(i % d / 2 * 2);
            CHECK(table[static_cast<std::size_t>(i)] ==
                  (i % 2 ? oracle::cos_double(position, 10000, exponent, d)
                         : oracle::sin_double(position, 10000, exponent, d)));
        }
    }
}

TEST_CASE("sinusoid: half precision is rounded once") {
    // Base 10 keeps every value far from the subnormal numbers, whose precision is less.
    constexpr std::int64_t d = 16;
    constexpr std::int64_t first = 1000;
    const Positions positions(0, 1, 1 << 20);
    for (const auto& [dtype, bits] : {std::pair{DType::float16, 11}, {DType::bfloat16, 8}}) {
        const Rows rows =
            sinusoid_rows(positions, paper_frequencies(d, 10), interleaved(d), 1, dtype);
        const std::vector<double> table = values(rows, d, dtype, {first, 1000});
        for (std::size_t i = 0; i < table.size(); ++i) {
            const double position = first + static_cast<double>(i / d);
            const auto exponent = static_cast<double>(i % d / 2 * 2);
            const double exact = i % 2 ? oracle::cos_of_bits(bits, position, 10, exponent, d)
                                       : oracle::sin_of_bits(bits, position, 10, exponent, d);
            if (std::fabs(exact) > 0x1p-14) CHECK(table[i] == exact);
        }
    }
}

TEST_CASE("sinusoid: a row is the same from a long table and from a list of one position") {
    const Rows long_table =
        sinusoid_rows(Positions(-5e8, 1, std::int64_t{1} << 40), paper_frequencies(32),
                      interleaved(32), 0.3, DType::float64);
    for (const std::int64_t row :
         {0L, 63L, 64L, 4095L, 4096L, 262144L, (1L << 24) + 77, (1L << 40) - 1}) {
        const double position = -5e8 + static_cast<double>(row);
        const Rows list =
            sinusoid_rows(Positions(std::vector<double>{position}), paper_frequencies(32),
                          interleaved(32), 0.3, DType::float64);
        CHECK(values(long_table, 32, DType::float64, {row, 1}) ==
              values(list, 32, DType::float64, {0, 1}));
    }
}

TEST_CASE("sinusoid: wide tables climb a ladder of shorter rungs to the same values") {
    constexpr std::int64_t wide = 1 << 17;
    const Rows rows = sinusoid_rows(Positions(0, 1, 1000), paper_frequencies(wide),
                                    interleaved(wide), 1, DType::float32);
    const std::vector<double> row = values(rows, wide, DType::float32, {997, 1});
    for (std::int64_t i = 0; i < wide; i += 9973) {
        const auto exponent = static_cast<double>(i / 2 * 2);
        const float exact = i % 2 ? oracle::cos_float(997, 10000, exponent, wide)
                                  : oracle::sin_float(997, 10000, exponent, wide);
        CHECK(static_cast<float>(row[static_cast<std::size_t>(i)]) == exact);
    }
}

TEST_CASE("sinusoid: scales beyond the reach of the kernels are still rounded once") {
    for (const double scale : {1e-300, 1e300}) {
        const Rows rows = sinusoid_rows(Positions(1, 1, 3), paper_frequencies(4), interleaved(4),
                                        scale, DType::float64);
        const Rows plain = sinusoid_rows(Positions(1, 1, 3), paper_frequencies(4), interleaved(4),
                                         1, DType::float64);
        const std::vector<double> scaled = values(rows, 4, DType::float64, {0, 3});
        const std::vector<double> values_of_one = values(plain, 4, DType::float64, {0, 3});
        for (std::size_t i = 0; i < scaled.size(); ++i) {
            CHECK(scaled[i] == doctest::Approx(values_of_one[i] * scale).epsilon(1e-15));
        }
    }
}

TEST_CASE("sinusoid: fractional positions are those of MPFR rounded once") {
    const Rows rows = sinusoid_rows(Positions({0.5, 1e-3, 999.75, -2.25}), paper_frequencies(8),
                                    interleaved(8), 1, DType::float32);
    const std::vector<double> table = values(rows, 8, DType::float32, {0, 4});
    const std::vector<double> positions{0.5, 1e-3, 999.75, -2.25};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const auto exponent = static_cast<double>(i % 8 / 2 * 2);
        const double position = positions[i / 8];
        CHECK(static_cast<float>(table[i]) ==
              (i % 2 ? oracle::cos_float(position, 10000, exponent, 8)
                     : oracle::sin_float(position, 10000, exponent, 8)));
    }
}

TEST_CASE("sinusoid: positions without a common step are those of MPFR rounded once") {
    // From 2^-40 to 2^49 and of either sign: one unit, and ladders of all lengths.
    std::vector<double> positions;
    double position = 0x1.8p-40;
    for (int i = 0; i < 60; ++i) {
        positions.push_back(i % 3 ? position : -position);
        position = position * 2.8 + 0x1p-30 * i;
    }
    const auto table = [&](DType dtype) {
        const Rows rows =
            sinusoid_rows(Positions(positions), paper_frequencies(16), interleaved(16), 1, dtype);
        return values(rows, 16, dtype, {0, 60});
    };
    const std::vector<double> singles = table(DType::float32), doubles = table(DType::float64);
    for (std::size_t i = 0; i < doubles.size(); ++i) {
        CAPTURE(i);
        const double at = positions[i / 16];
        const auto exponent = static_cast<double>(i % 16 / 2 * 2);
        CHECK(doubles[i] == (i % 2 ? oracle::cos_double(at, 10000, exponent, 16)
                                   : oracle::sin_double(at, 10000, exponent, 16)));
        CHECK(static_cast<float>(singles[i]) == (i % 2
                                                     ? oracle::cos_float(at, 10000, exponent, 16)
                                                     : oracle::sin_float(at, 10000, exponent, 16)));
    }
}

TEST_CASE("sinusoid: positions too far apart for one ladder are those of MPFR rounded once") {
    const std::vector<double> positions{1e-300, 1e15, -7.25};
    const Rows rows = sinusoid_rows(Positions(positions), paper_frequencies(8), interleaved(8), 1,
                                    DType::float64);
    const std::vector<double> table = values(rows, 8, DType::float64, {0, 3});
    for (std::size_t i = 0; i < table.size(); ++i) {
        const auto exponent = static_cast<double>(i % 8 / 2 * 2);
        CHECK(table[i] == (i % 2 ? oracle::cos_double(positions[i / 8], 10000, exponent, 8)
                                 : oracle::sin_double(positions[i / 8], 10000, exponent, 8)));
    }
}

TEST_CASE("sinusoid: channels in no run are zero and the scale multiplies the others") {
    const ChannelLayout layout{3, {{.function = Function::cos, .first_channel = 1, .count = 1}}};
    const Rows rows =
        sinusoid_rows(Positions(0, 1, 1), paper_frequencies(2), layout, 2.5, DType::float32);
    CHECK(values(rows, 3, DType::float32, {0, 1}) == std::vector<double>{0, 2.5, 0});
}

TEST_CASE("sinusoid: what the caller has set for its own arithmetic has no influence, and stays") {
    const auto table = [](DType dtype) {
        const Rows rows = sinusoid_rows(Positions(-3, 0.1, 400), paper_frequencies(64),
                                        interleaved(64), 0.3, dtype);
        return values(rows, 64, dtype, {0, 400});
    };
    for (const DType dtype : {DType::float32, DType::float64, DType::float16}) {
        const std::vector<double> nearest = table(dtype);
        std::fesetround(FE_UPWARD);
        const std::vector<double> upward = table(dtype);
        CHECK(std::fegetround() == FE_UPWARD);
        std::fesetround(FE_TONEAREST);
        CHECK(upward == nearest);
    }
}

TEST_CASE("sinusoid: rows are the same for any cut of the table") {
    const Rows rows = sinusoid_rows(Positions(0, 1, 1000), paper_frequencies(30), interleaved(30),
                                    1, DType::float32);
    const std::vector<double> whole = values(rows, 30, DType::float32, {0, 1000});
    for (const std::int64_t step : {1, 7, 333}) {
        std::vector<double> pieces;
        for (std::int64_t first = 0; first < 1000; first += step) {
            const std::vector<double> piece = values(
                rows, 30, DType::float32, {first, std::min<std::int64_t>(step, 1000 - first)});
            pieces.insert(pieces.end(), piece.begin(), piece.end());
        }
        CHECK(pieces == whole);
    }
}

TEST_CASE("sinusoid: the sine of a tiny angle at a midpoint lies below the midpoint") {
    // sin x = x - x^3 / 6 + ..., which rounds x towards 0, however small x is.
    const Frequencies one(std::vector<Ratio>{{1, 1}}), three(std::vector<Ratio>{{3, 1}});
    for (const auto& [dtype, bits] : significands) {
        for (int exponent = -100; exponent >= -1000; exponent -= 50) {
            // For float64 a product is the midpoint; for the other dtypes a scale brings the value
            // close to 1.
            const bool is_product = dtype == DType::float64;
            const double odd = is_product ? 0x1p52 + 1 : std::ldexp(1, bits) + 3;
            const double position = std::ldexp(odd, exponent);
            const double scale = is_product ? 1 : std::ldexp(1, -exponent - bits);
            const double below =
                (is_product ? 0x1.8p53 + 2 : odd - 1) * std::ldexp(scale, exponent);
            const Frequencies& frequency = is_product ? three : one;
            CAPTURE(exponent);
            CHECK(sine(position, frequency, scale, dtype) == below);
            CHECK(sine(-position, frequency, scale, dtype) == -below);
        }
    }
    // By MPFR with 4000 bits.
    CHECK(sine(5.934729841099876e-67, three, 1, DType::float64) == 0x1.8000000000001p-219);
    CHECK(sine(6.223016390622987e-61, one, 0x1p127, DType::float32) == 0x1.000002p-73);
    CHECK(sine(6.295941238148577e-61, one, 0x1p127, DType::bfloat16) == 0x1.02p-73);
}

TEST_CASE("sinusoid: the cosine of a tiny angle is below a scale at a midpoint, that of 0 is not") {
    const ChannelLayout cosines{1, {{.function = Function::cos, .count = 1}}};
    const auto cosine = [&](double frequency) {
        return values(sinusoid_rows(Positions({0x1p-1000}),
                                    Frequencies(std::vector<Ratio>{{frequency, 1}}), cosines,
                                    1 + 3 * 0x1p-24, DType::float32),
                      1, DType::float32, {0, 1})
            .front();
    };
    CHECK(cosine(0) == 1 + 4 * 0x1p-24);
    for (const double frequency : {0x1p-1000, 1.0, 0x1p800, 0x1p950}) {
        CHECK(cosine(frequency) == 1 + 2 * 0x1p-24);
    }
}

TEST_CASE(
    "sinusoid: a row does not depend on how many rows there are, nor on how it is asked for") {
    const Frequencies omega = paper_frequencies(4);
    const auto table = [&](const Positions& positions) {
        return values(sinusoid_rows(positions, omega, interleaved(4), 1, DType::float32), 4,
                      DType::float32, {0, positions.size()});
    };
    for (const double start : {0x1p52 - 3, 0x1p52, -0x1p52 - 5, 0x1p53 - 8, 0x1p51 + 0.5}) {
        for (const double step : {0.5, -0.5, 0.25, 0.75, 1.0, -1.0, 0.1}) {
            for (std::int64_t count = 1; count < 20; ++count) {
                const Positions positions(start, step, count);
                std::vector<double> list;
                for (std::int64_t row = 0; row < count; ++row) list.push_back(positions[row]);
                const std::vector<double> right = table(Positions(list));
                CAPTURE(start);
                CAPTURE(step);
                CHECK(table(positions) == right);
                CHECK(table(positions.reversed()) == table(Positions(list).reversed()));
                const std::vector<double> longer = table(Positions(start, step, count + 1));
                CHECK(std::equal(right.begin(), right.end(), longer.begin()));
            }
        }
    }
}

TEST_CASE(
    "sinusoid: frequencies on an orbit of doubling give right values, as progression and list") {
    // 2 pi / 3 to 2^-107, times 2^46.
    const Frequencies omega({.base = 1.0000000000000568,
                             .step = 2,
                             .width = 4,
                             .shift = -1106.48039236277,
                             .scale = 147379953167259.2,
                             .count = 2});
    const auto table = [&](const Positions& positions) {
        return values(sinusoid_rows(positions, omega, interleaved(4), 1, DType::float64), 4,
                      DType::float64, {0, 1});
    };
    constexpr double position = 8500000001810829;
    const std::vector<double> of_list = table(Positions({position, 0x1p-46}));
    CHECK(of_list[2] == -0x1.f1fc54748cb76p-8);  // by MPFR with 2000 bits
    CHECK(table(Positions(position, 1 + 0x1p-46, 1)) == of_list);
    CHECK(table(Positions({position})) == of_list);
}

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
