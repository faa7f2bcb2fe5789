#include <doctest/doctest.h>

#include <cmath>

#include "encodings/table_of.h"
#include "numerics/oracle.h"

using namespace pegen;

TEST_CASE("relative: a row for each distance of both signs, sin and cos in turn") {
    const Table table = table_of("relative --len 3 --d 4");
    CHECK(table.shape == Shape{5, 4});
    for (std::int64_t row = 0; row < 5; ++row) {
        const auto distance = static_cast<double>(row - 2);
        CHECK(position_at(table.axes.front(), row) == distance);
        CHECK(read_rows(table, {row, 1}) ==
              std::vector<double>{oracle::sin_float(distance, 10000, 0, 4),
                                  oracle::cos_float(distance, 10000, 0, 4),
                                  oracle::sin_float(distance, 10000, 2, 4),
                                  oracle::cos_float(distance, 10000, 2, 4)});
    }
    CHECK(values_of("relative --len 1 --d 2") == std::vector<double>{0, 1});
}

TEST_CASE("relative: sines are odd in the distance, cosines even, in any order and layout") {
    const std::vector<double> up = values_of("relative --len 50 --d 6 --layout halves");
    const std::vector<double> down =
        values_of("relative --len 50 --d 6 --layout halves --order descending");
    for (std::size_t row = 0; row < 99; ++row) {
        for (std::size_t channel = 0; channel < 6; ++channel) {
            const double sign = channel < 3 ? -1 : 1;
            CHECK(down[row * 6 + channel] == sign * up[row * 6 + channel]);
            CHECK(down[row * 6 + channel] == up[(98 - row) * 6 + channel]);
        }
    }
}

TEST_CASE("relative: the distances that are not negative are the sinusoidal encoding") {
    const std::vector<double> relative = values_of("relative --len 40 --d 10 --base 500");
    const std::vector<double> sinusoid = values_of("sinusoid --len 40 --d 10 --base 500");
    CHECK(std::vector<double>(relative.begin() + 39 * 10, relative.end()) == sinusoid);
    CHECK(values_of("relative --len 40 --d 10 --order descending") ==
          values_of("conformer --len 40 --d 10"));
}
