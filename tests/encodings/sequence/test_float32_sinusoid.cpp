#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "encodings/table_of.h"

TEST_CASE(
    "sinusoid --arith float32: where float32 is far off, it is the table of pytorch/examples") {
    // word_language_model/model.py, PositionalEncoding(64, max_len=100): elements that differ from
    // the exact ones by 3e-6 or more.
    const std::pair<std::size_t, double> elements[] = {
        {5190, 0.3895156979560852},  {5507, -0.08813423663377762}, {5511, 0.1371467113494873},
        {5898, 0.17362898588180542}, {6019, 0.1945350617170334},   {6347, -0.08524449169635773}};
    const auto values = values_of("sinusoid --len 100 --d 64 --arith float32");
    const auto exact = values_of("sinusoid --len 100 --d 64");
    for (const auto& [i, value] : elements) {
        CHECK(std::fabs(values[i] - value) <= 6e-8);
        CHECK(std::fabs(exact[i] - value) > 2.5e-6);
    }
}

TEST_CASE("sinusoid --arith float32: layouts, rows of zeros and an odd d are as ever") {
    const auto values = values_of(
        "sinusoid --len 2 --d 3 --odd zero-pad --layout halves --prefix-rows 1 --out-scale 0.5 "
        "--arith float32");
    CHECK(values ==
          std::vector<double>{0, 0, 0, 0, 0.5, 0, 0.5 * 0.8414709568F, 0.5 * 0.5403023F, 0});
}

TEST_CASE("sinusoid --arith float32-pow: frequencies are quotients, or powers where they grow") {
    CHECK(values_of("sinusoid --len 1 --start 1 --d 4 --base 9 --arith float32-pow") ==
          std::vector<double>{0.8414709848F, 0.5403023059F, 0.3271947207F, 0.9449569583F});
    CHECK(values_of("sinusoid --len 1 --start 1 --d 4 --base 1/9 --arith float32-pow") ==
          std::vector<double>{0.8414709848F, 0.5403023059F, 0.1411200081F, -0.9899924966F});
}
