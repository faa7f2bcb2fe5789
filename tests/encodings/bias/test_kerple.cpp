#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "encodings/table_of.h"

using namespace pegen;

TEST_CASE("kerple: both kinds by hand") {
    CHECK(values_of("kerple --heads 2 --p 2,3 --a 1,0.5 --len 2 --key-len 3", DType::float64) ==
          std::vector<double>{-2 * std::log(2.0), 0, 0, -2 * std::log(3.0), -2 * std::log(2.0), 0,
                              -3 * std::log(1.5), 0, 0, -3 * std::log(2.0), -3 * std::log(1.5), 0});
    CHECK(values_of("kerple --kind power --heads 2 --p 2,0.5 --a 0.25 --len 1 --key-len 5",
                    DType::float64) == std::vector<double>{-4, -2.25, -1, -0.25, 0,  //
                                                           -0.5, -std::sqrt(3.0) / 4,
                                                           -std::sqrt(2.0) / 4, -0.25, 0});
}

TEST_CASE("kerple: a float is the double, rounded") {
    for (const char* kind : {"log", "power"}) {
        const std::string command =
            std::string("kerple --p 0.3,1.7 --heads 2 --len 1 --key-len 5000 --kind ") + kind;
        const auto singles = values_of(command), doubles = values_of(command, DType::float64);
        for (std::size_t i = 0; i < singles.size(); ++i) {
            CHECK(singles[i] == static_cast<double>(static_cast<float>(doubles[i])));
        }
    }
}

TEST_CASE("kerple: a logarithm next to 1 keeps its bits") {
    // p log(1 + a d) = p a d (1 - a d / 2 + ...)
    CHECK(values_of("kerple --heads 1 --p 1e300 --a 1e-300 --len 1 --key-len 3", DType::float64) ==
          std::vector<double>{-2, -1, 0});
    // The bias is slightly less than 2051 in size, which is halfway between 2050 and 2052.
    CHECK(values_of("kerple --heads 1 --p 2.1461563997451507e+301 --a 9.556619453472961e-299 --len "
                    "1 --key-len 2",
                    DType::float16) == std::vector<double>{-2050, 0});
}

TEST_CASE("kerple: a bias at a midpoint is rounded to even") {
    CHECK(values_of("kerple --heads 1 --kind power --p 0.5 --a 2051 --len 1 --key-len 5",
                    DType::float16) == std::vector<double>{-4104, -3552, -2900, -2052, 0});
}

TEST_CASE("kerple: the power 1 is ALiBi") {
    CHECK(values_of("kerple --kind power --heads 4 --p 1 --a 0.25,0.0625,0.015625,0.00390625 "
                    "--len 20 --key-len 30") ==
          values_of("alibi --form causal --heads 4 --len 20 --key-len 30"));
}

TEST_CASE("kerple: falls with the distance, and no zero is negative") {
    for (const char* kind : {"log", "power"}) {
        const auto bias =
            values_of(std::string("kerple --heads 1 --p 0.3 --len 300 --kind ") + kind);
        for (std::size_t k = 0; k < 300; ++k) {
            CHECK_FALSE(std::signbit(bias[k]));
            if (k > 0) CHECK(bias[299 * 300 + k - 1] < bias[299 * 300 + k]);
        }
    }
}

TEST_CASE("kerple: the logarithm of more than doubles hold") {
    const auto bias = values_of("kerple --heads 1 --p 1 --a 1e308 --len 3");
    CHECK(bias[6] == static_cast<float>(-std::log(2e154) - std::log(1e154)));
}

TEST_CASE("kerple: a causal mask hides the keys after a query") {
    const double inf = std::numeric_limits<double>::infinity();
    CHECK(values_of("kerple --heads 1 --p 1 --a 1 --len 2 --mask causal", DType::float64) ==
          std::vector<double>{0, -inf, -std::log(2.0), 0});
}

TEST_CASE("kerple: what cannot be is refused") {
    CHECK(refusal_of("kerple --kind power --p 2 --a 1 --len 301", DType::float16) ==
          "--dtype float16: cannot hold the bias of the first key, 90000; its largest value is "
          "65504");
}
