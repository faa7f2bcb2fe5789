#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "encodings/table_of.h"
#include "numerics/real.h"

using namespace pegen;
using numerics::Real;

namespace {

using Values = std::vector<double>;

/// Returns cos(p w) zeta^(sign * e) of pair m of d / 2, by MPFR, rounded once.
double cosine(double position, double m, double d, double centre, double sign, DType dtype) {
    const Real omega = pow(10000, Real(-2 * m) / d);
    const Real zeta = (Real(2 * m) / d + 0.4) / (Real(1) + 0.4);
    const Real value =
        cos(Real(position) * omega) * pow(zeta, Real(sign * (position - centre)) / 512);
    const double odd = for_rounding_to(dtype, value);
    return dtype == DType::float32 ? static_cast<double>(static_cast<float>(odd)) : odd;
}

}  // namespace

TEST_CASE("xpos: a small table by hand") {
    // With d 4, zeta is 0.4 / 1.4 and 0.9 / 1.4; with length 3 the centre is 1.
    const std::string command = "xpos --d 4 --len 3 --scale-base 2 --layout single";
    const double fast = 0.4 / 1.4, slow = 0.9 / 1.4;
    const Values scale{1 / std::sqrt(fast), 1 / std::sqrt(slow), 1, 1,
                       std::sqrt(fast),     std::sqrt(slow)};
    const Values angles{0, 0, 1, 0.01, 2, 0.02};
    const auto check = [&](const std::string& table, auto expected) {
        const Values values = values_of(command + " --table " + table, DType::float64);
        REQUIRE(values.size() == 6);
        for (std::size_t i = 0; i < 6; ++i) {
            CHECK(values[i] == doctest::Approx(expected(angles[i], scale[i])).epsilon(1e-14));
        }
    };
    check("scale", [](double, double s) { return s; });
    check("cos-q", [](double a, double s) { return std::cos(a) * s; });
    check("sin-q", [](double a, double s) { return std::sin(a) * s; });
    check("cos-k", [](double a, double s) { return std::cos(a) / s; });
    check("sin-k", [](double a, double s) { return std::sin(a) / s; });
}

TEST_CASE("xpos: layouts are places") {
    const std::string command = "xpos --d 8 --len 5 --table cos-k";
    const Values single = values_of("xpos --d 8 --len 5 --layout single --table cos-k");
    const Values pairs = values_of("xpos --d 8 --len 5 --layout interleaved --table cos-k");
    const Values halves = values_of("xpos --d 8 --len 5 --layout half --table cos-k");
    CHECK(values_of(command) == pairs);
    for (std::size_t row = 0; row < 5; ++row) {
        for (std::size_t m = 0; m < 4; ++m) {
            CHECK(pairs[row * 8 + 2 * m] == single[row * 4 + m]);
            CHECK(pairs[row * 8 + 2 * m + 1] == single[row * 4 + m]);
            CHECK(halves[row * 8 + m] == single[row * 4 + m]);
            CHECK(halves[row * 8 + 4 + m] == single[row * 4 + m]);
        }
    }
}

TEST_CASE("xpos: values are correctly rounded") {
    for (const DType dtype : {DType::float32, DType::float64}) {
        const Table queries = table_of("xpos --d 64 --len 20001 --layout single", dtype);
        const Table keys = table_of("xpos --d 64 --len 20001 --layout single --table cos-k", dtype);
        for (const std::int64_t row : {0, 1, 9999, 10000, 19990}) {
            const Values q = read_rows(queries, {row, 1}), k = read_rows(keys, {row, 1});
            for (std::size_t m = 0; m < 32; m += 3) {
                const auto position = static_cast<double>(row), pair = static_cast<double>(m);
                CHECK(q[m] == cosine(position, pair, 64, 10000, 1, dtype));
                CHECK(k[m] == cosine(position, pair, 64, 10000, -1, dtype));
            }
        }
    }
}

TEST_CASE("xpos: products of queries and keys depend on the difference alone") {
    for (const std::string centre : {"floor", "ceil", "0", "-7.5"}) {
        const std::string command = "xpos --d 8 --len 31 --layout single --centre " + centre;
        const Values cos_q = values_of(command + " --table cos-q", DType::float64);
        const Values sin_q = values_of(command + " --table sin-q", DType::float64);
        const Values cos_k = values_of(command + " --table cos-k", DType::float64);
        const Values sin_k = values_of(command + " --table sin-k", DType::float64);
        for (std::size_t i = 0; i < 31; i += 5) {
            for (std::size_t j = 0; j < 31; j += 3) {
                for (std::size_t m = 0; m < 4; ++m) {
                    const double difference = static_cast<double>(i) - static_cast<double>(j);
                    const double pair = static_cast<double>(m);
                    const double expected = std::cos(difference * std::pow(10000, -pair / 4)) *
                                            std::pow((pair / 4 + 0.4) / 1.4, difference / 512);
                    const std::size_t q = i * 4 + m, k = j * 4 + m;
                    CHECK(cos_q[q] * cos_k[k] + sin_q[q] * sin_k[k] ==
                          doctest::Approx(expected).epsilon(1e-13));
                }
            }
        }
    }
}

TEST_CASE("xpos: without the scale it is rope") {
    for (const std::string function : {"cos", "sin"}) {
        // The scales of queries and keys cancel; at the centre the scale is 1.
        const Values q = values_of("xpos --d 16 --len 41 --table " + function + "-q");
        const Values k = values_of("xpos --d 16 --len 41 --table " + function + "-k");
        const Values rope =
            values_of("rope --d 16 --len 41 --layout interleaved --table " + function);
        CHECK(std::equal(q.begin() + 20 * 16, q.begin() + 21 * 16, rope.begin() + 20 * 16));
        for (std::size_t i = 0; i < rope.size(); ++i) {
            CHECK(q[i] * k[i] == doctest::Approx(rope[i] * rope[i]).epsilon(1e-6));
        }
    }
}

TEST_CASE("xpos: any range of rows is that part of the table") {
    const Table table = table_of("xpos --d 6 --len 23");
    const Values all = all_values(table);
    for (std::int64_t first = 0; first < 23; first += 3) {
        for (std::int64_t count = 1; count <= 23 - first; count += 2) {
            const Values part = read_rows(table, {first, count});
            REQUIRE(std::equal(part.begin(), part.end(), all.begin() + first * 6));
        }
    }
}

TEST_CASE("xpos presets: with an odd length torchscale is one position off and with an even none") {
    CHECK(values_of("torchscale --len 40") == values_of("lucidrains-xpos --len 40"));
    CHECK(values_of("torchscale --len 41") == values_of("lucidrains-xpos --len 41 --centre 21"));
    CHECK(values_of("torchscale --len 41 --table scale") !=
          values_of("flash-attn-xpos --len 41 --table scale"));
    CHECK(values_of("lucidrains-xpos --len 41 --table scale") ==
          values_of("flash-attn-xpos --len 41 --table scale"));
}

TEST_CASE("xpos: what does not go together is refused with the remedy") {
    // (1.4 / 0.4)^(10000 / 512)
    CHECK(refusal_of("xpos --len 20000", DType::float16)
              .starts_with("--dtype float16: cannot hold the largest scale, 42298891984.05"));
    CHECK(refusal_of("xpos --len 400000 --table scale")
              .starts_with("--dtype float32: cannot hold the largest scale, "));
}

TEST_CASE("xpos: a scale at a midpoint is rounded to even") {
    // zeta = 1/3, and 3^7 = 2187 lies halfway between 2186 and 2188.
    const auto scale = values_of(
        "xpos --d 2 --len 3 --gamma 0.5 --scale-base 1 --centre 8 --table scale", DType::float16);
    CHECK(scale[1] == 2188);
}

TEST_CASE("xpos: a zeta next to 1 keeps its bits") {
    // zeta = 1 - 2^-990, and zeta^(-2 * 2^990) = e^2
    CHECK(values_of("xpos --d 2 --len 4 --gamma 1.0463951242053392e+298 --scale-base "
                    "9.556619453472961e-299 --table scale",
                    DType::float64) ==
          std::vector<double>{7.38905609893065023, 2.71828182845904524, 1, 0.367879441171442322});
}

TEST_CASE("xpos: a scale below the doubles keeps the sign of its wave, in tables of any length") {
    const std::string command = "xpos --d 2 --scale-base 0.01 --centre -5 --len ";
    const Values many = values_of(command + "9");
    for (const std::size_t len : {3, 4, 5}) {
        const Values few = values_of(command + std::to_string(len));
        for (std::size_t i = 0; i < few.size(); ++i) {
            CAPTURE(i);
            CHECK(few[i] == 0);
            CHECK(std::signbit(few[i]) == (std::cos(i / 2) < 0));
            CHECK(std::signbit(few[i]) == std::signbit(many[i]));
        }
    }
}
