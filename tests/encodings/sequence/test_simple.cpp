#include <doctest/doctest.h>

#include <cmath>

#include "encodings/table_of.h"
#include "numerics/oracle.h"

using namespace pegen;

TEST_CASE("index: every row is its position") {
    CHECK(values_of("index --len 4") == std::vector<double>{0, 1, 2, 3});
    CHECK(values_of("index --start 5 --step 2 --len 2 --reverse") == std::vector<double>{7, 5});
    CHECK(table_of("index --len 4").shape == Shape{4, 1});
}

TEST_CASE("index: a position beyond the dtype is refused") {
    CHECK(refusal_of("index --len 65505", DType::float16) == "accepted");
    CHECK(refusal_of("index --start 70000", DType::float16) ==
          "--dtype float16: cannot hold the largest position, 70511; its largest value is 65504");
}

TEST_CASE("normalized: goes from 0 to 1 and rounds once") {
    CHECK(values_of("normalized --len 5") == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
    CHECK(values_of("normalized --len 1") == std::vector<double>{0});
    const std::vector<double> values = values_of("normalized --len 1000");
    for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(values[i] == oracle::quotient_float(static_cast<double>(i), 999));
    }
}

TEST_CASE("periodic: is a sine and a cosine of the position over alpha") {
    const std::vector<double> both = values_of("periodic --len 3", DType::float64);
    CHECK(both[4] == doctest::Approx(std::sin(0.2)).epsilon(1e-15));
    CHECK(both[5] == doctest::Approx(std::cos(0.2)).epsilon(1e-15));
    CHECK(values_of("periodic --len 3 --function sin", DType::float64) ==
          std::vector<double>{both[0], both[2], both[4]});
    CHECK(values_of("periodic --len 3 --function cos", DType::float64) ==
          std::vector<double>{both[1], both[3], both[5]});
}

TEST_CASE("periodic: positions a period apart are alike") {
    const std::vector<double> values =
        values_of("periodic --alpha 0.15915494309189535 --positions 0.25,1.25", DType::float64);
    CHECK(values[0] == doctest::Approx(values[2]));
    CHECK(values[1] == doctest::Approx(values[3]).epsilon(1e-9));
}

TEST_CASE("binary: bit 0 comes first and turns fastest") {
    CHECK(values_of("binary --len 4") == std::vector<double>{0, 0, 1, 0, 0, 1, 1, 1});
    CHECK(values_of("binary --start 5 --len 1 --bits 4") == std::vector<double>{1, 0, 1, 0});
}

TEST_CASE("binary: has the highest bit first, or digits in another base") {
    CHECK(values_of("binary --start 5 --len 1 --bits 4 --highest-first") ==
          std::vector<double>{0, 1, 0, 1});
    CHECK(values_of("binary --radix 10 --start 1907 --len 1") == std::vector<double>{7, 0, 9, 1});
    CHECK(values_of("binary --radix 10 --start 99 --len 2 --highest-first") ==
          std::vector<double>{0, 9, 9, 1, 0, 0});
    CHECK(refusal_of("binary --radix 65505", DType::float16) == "accepted");
    CHECK(refusal_of("binary --radix 100000", DType::float16) != "accepted");
}
TEST_CASE("binary: has as many bits as the last position needs") {
    CHECK(table_of("binary --len 1").shape == Shape{1, 1});
    CHECK(table_of("binary --len 256").shape == Shape{256, 8});
    CHECK(table_of("binary --len 257").shape == Shape{257, 9});
}
