#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/filled_values.h"
#include "draws/tensorflow/fill.h"
#include "encodings/table_of.h"

using namespace pegen;
using namespace pegen::tensorflow;

TEST_CASE("tensorflow: philox has the values of Random123") {
    constexpr std::uint32_t ones = 0xffffffff;
    CHECK(philox({0, 0}, {0, 0, 0, 0}) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    CHECK(philox({ones, ones}, {ones, ones, ones, ones}) ==
          Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(philox({0xa4093822, 0x299f31d0}, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}) ==
          Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("tensorflow: seeds, words and normals are those of its documentation") {
    // The documentation of tf.random.split([1, 2], num=3), whose seeds are words, and of
    // stateless_normal with the first of these seeds.
    const Draw draw = draw_of(1, 2);
    const Block first = words_of(draw, 0), second = words_of(draw, 1);
    CHECK(first ==
          Block{1105988140, 1738052849, static_cast<std::uint32_t>(-335576002), 370444179});
    CHECK(second[0] == 10670227);
    CHECK(second[1] == static_cast<std::uint32_t>(-246211131));
    CHECK(values_of(normal_fill(draw_of(1105988140, 1738052849), 0, 1), 0, 3) ==
          std::vector{-0.59835213F, -0.9578608F, 0.9002807F});
    // The guide to random numbers prints values of a GPU, whose logarithms and sines differ
    // slightly.
    const std::vector<double> printed{0.5441101,  0.20738031, 0.07356433,
                                      0.04643455, -1.30159,   -0.95385665};
    const auto values = values_of(normal_fill(draw, 0, 1), 0, 6);
    for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(std::fabs(values[i] - printed[i]) <= 2e-7 * std::fabs(printed[i]));
    }
}

TEST_CASE("tensorflow: uniform values are the low 23 bits of a word, then scaled") {
    const Draw draw = draw_of(5, 0);
    const Block words = words_of(draw, 3);
    const auto values = values_of(uniform_fill(draw, -0.1, 0.3), 12, 4);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float unit = static_cast<float>(words[i] & 0x7fffff) * 0x1p-23F;
        CHECK(values[i] == unit * (0.3F - -0.1F) + -0.1F);
    }
    const auto glorot = values_of(glorot_uniform_fill(draw, 10, 14), 12, 1);
    const float limit = 0.5;  // sqrt(3 / 12)
    CHECK(glorot[0] == static_cast<float>(words[0] & 0x7fffff) * 0x1p-23F * (2 * limit) - limit);
}

TEST_CASE("tensorflow: truncated normals are the normals within two, of 256 counters each") {
    const Draw draw = draw_of(0, 0);
    const auto all = values_of(truncated_normal_fill(draw, 0, 1), 0, 4000);
    std::int64_t drawn_again = 0;
    for (std::int64_t group = 0; group < 1000; ++group) {
        std::vector<float> kept;
        for (const float normal : values_of(normal_fill(draw, 0, 1), group * 1024, 64)) {
            if (std::fabs(normal) < 2) kept.push_back(normal);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            REQUIRE(all[static_cast<std::size_t>(group) * 4 + i] == kept[i]);
        }
        drawn_again += kept[3] != values_of(normal_fill(draw, 0, 1), group * 1024 + 3, 1)[0];
    }
    CHECK(drawn_again > 100);
    CHECK(drawn_again < 250);
}

TEST_CASE("tensorflow: an element is the same whatever is read before it") {
    const TensorFill fill = truncated_normal_fill(draw_of(7, 0), 1, 0.5);
    const std::vector all = values_of(fill, 0, 10001);
    CHECK(values_of(fill, 4999, 3) == std::vector(all.begin() + 4999, all.begin() + 5002));
    CHECK(values_of(fill, 4097, 5904) == std::vector(all.begin() + 4097, all.end()));
}

TEST_CASE("tensorflow: learned and random-fourier draw with it") {
    const auto values = ::values_of("learned --len 3 --d 5 --seed 9 --rng tensorflow");
    const auto direct = values_of(normal_fill(draw_of(9, 0), 0, 1), 0, 15);
    CHECK(values == std::vector<double>(direct.begin(), direct.end()));
    CHECK(::values_of("random-fourier --axes x --width 2 --d 8 --seed 9 --rng tensorflow --table "
                      "weights") == std::vector<double>(direct.begin(), direct.begin() + 4));
    CHECK(refusal_of("learned --rng tensorflow --init trunc-normal:0,1,-1,1") ==
          "--rng tensorflow: TensorFlow cuts normals off at two deviations; use "
          "trunc-normal:0,1,-2,2");
    CHECK(refusal_of("learned --rng tensorflow --burn 1") ==
          "--burn 1: TensorFlow draws each array from a seed of its own; leave --burn out");
    CHECK(refusal_of("random-fourier --rng tensorflow --phase-init normal:0,1") ==
          "--phase-init: TensorFlow draws phases from another seed than the matrix; use --phases "
          "FILE");
}
