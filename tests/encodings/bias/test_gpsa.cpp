#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "encodings/preset_samples.h"
#include "encodings/table_of.h"

using namespace pegen;

// facebookresearch/convit, GPSA(36, 9, locality_strength = 0.5), the scores of head 1 and query 0
// among 3 x 3 tokens.
TEST_CASE("gpsa: scores are those of ConViT's code before training") {
    const auto scores = values_of("gpsa --heads 9 --height 3 --width 3 --locality-strength 0.5");
    REQUIRE(scores.size() == 9 * 9 * 9);
    const std::vector<double> row(scores.begin() + 81, scores.begin() + 90);
    CHECK(row == std::vector<double>{0, -1.5, -4, -0.5, -2, -4.5, -2, -3.5, -6});
}

TEST_CASE("gpsa: offsets of a small image, dx before dy") {
    CHECK(values_of("gpsa --height 2 --width 2 --table offsets", DType::int64) ==
          std::vector<double>{0, 0, 0,  1, 0,  1,  0, 1, 1,  1,  1,  2, -1, 0, 1, 0,
                              0, 0, -1, 1, 2,  0,  1, 1, 0,  -1, 1,  1, -1, 2, 0, 0,
                              0, 1, 0,  1, -1, -1, 2, 0, -1, 1,  -1, 0, 1,  0, 0, 0});
}

TEST_CASE("gpsa: a head's scores fall with the squared distance from its point beside the query") {
    for (const std::int64_t side : {1, 2, 3, 4}) {
        const std::int64_t heads = side * side, height = 4, width = 5, tokens = height * width;
        const auto scores = values_of(
            "gpsa --height 4 --width 5 --locality-strength 0.25 --heads " + std::to_string(heads),
            DType::float64);
        auto score = scores.begin();
        for (std::int64_t h = 0; h < heads; ++h) {
            const double a = static_cast<double>(h / side) - static_cast<double>(side - 1) / 2;
            const double b = static_cast<double>(h % side) - static_cast<double>(side - 1) / 2;
            for (std::int64_t pair = 0; pair < tokens * tokens; ++pair) {
                const std::int64_t q = pair / tokens, k = pair % tokens;
                const double dx = static_cast<double>(k % width - q % width) - a;
                const double dy = static_cast<double>(k / width - q / width) - b;
                CHECK(*score++ == 0.25 * (a * a + b * b - dx * dx - dy * dy));
            }
        }
        CHECK(score == scores.end());
    }
}

TEST_CASE("gpsa: no zero is negative") {
    for (const double value : values_of("gpsa --height 3 --width 3")) {
        CHECK_FALSE((value == 0 && std::signbit(value)));
    }
}

TEST_CASE("gpsa: its preset has the scores of its code base") {
    // Run in float64.
    constexpr PresetSample samples[] = {
        {"convit --height 6 --width 6", {-30.0, -2.0, -2.0, -2.0, -2.0, -2.0}}};
    check_presets("gpsa", samples);
}
