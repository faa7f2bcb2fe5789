#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "encodings/table_of.h"

using namespace pegen;

// The values of generate_sandwich_bias(8, 24, 128) of meta-pytorch/attention-gym, in float32: the
// bias of query 0 in head 0, and the first value of query 23 in head 7. That code is off by a few
// units in the last place.
TEST_CASE("sandwich: has the values of attention-gym") {
    const std::vector<double> bias = values_of("sandwich --heads 8 --len 24 --d 128");
    const double first[] = {64.0,       62.093689,  57.381855,  52.186234, 48.586033, 47.185013,
                            47.066654,  46.821831,  45.720516,  44.103455, 42.820023, 42.344322,
                            42.3813858, 42.2386551, 41.5236206, 40.483318, 39.701656, 39.49704,
                            39.6205406, 39.5283508, 38.9340477, 38.087086, 37.51025,  37.466629};
    for (std::size_t k = 0; k < 24; ++k) {
        CHECK(bias[k] == doctest::Approx(first[k]).epsilon(3e-7));
    }
    const double last[] = {4.6833286, 4.6887813, 4.7608857, 4.866756, 4.9410439, 4.9525676};
    for (std::size_t k = 0; k < 6; ++k) {
        CHECK(bias[(7 * 24 + 23) * 24 + k] == doctest::Approx(last[k]).epsilon(3e-7));
    }
}

TEST_CASE("sandwich: is the dot product of sinusoidal encodings, scaled for each head") {
    const auto encodings = values_of("sinusoid --d 10 --len 9 --base 50", DType::float64);
    const auto bias = values_of("sandwich --heads 3 --d 10 --len 9 --base 50", DType::float64);
    for (std::size_t h = 0; h < 3; ++h) {
        for (std::size_t q = 0; q < 9; ++q) {
            for (std::size_t k = 0; k < 9; ++k) {
                double product = 0;
                for (std::size_t i = 0; i < 10; ++i) {
                    product += encodings[10 * q + i] * encodings[10 * k + i];
                }
                CHECK(bias[(9 * h + q) * 9 + k] ==
                      doctest::Approx(product * 3 / (8.0 * static_cast<double>(h + 1))));
            }
        }
    }
}

TEST_CASE("sandwich: two cosines by hand, and the mask") {
    const auto bias =
        values_of("sandwich --heads 1 --d 2 --len 1 --key-len 3 --mask causal", DType::float64);
    CHECK(bias == std::vector<double>{std::cos(2.0) / 8, std::cos(1.0) / 8, 1 / 8.0});
    CHECK(values_of("sandwich --heads 8 --d 4 --len 2 --mask causal")[1] ==
          -std::numeric_limits<double>::infinity());
}

TEST_CASE("sandwich: what cannot be is refused") {
    CHECK(
        refusal_of("sandwich --d 1048576 --heads 16", DType::float16) ==
        "--dtype float16: cannot hold the bias of distance 0, 1048576; its largest value is 65504");
}
