#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "encodings/table_of.h"

using namespace pegen;

TEST_CASE("learned-grid: has Jukebox's sums of three tables, each initialized before the next") {
    // PyTorch 1.13: PositionEmbedding((2, 3, 4), 16, pos_init=True) after manual_seed(5).
    const auto values = values_of(
        "learned-grid --depth 2 --height 3 --width 4 --max-sizes 2,3,4 --num-pos-feats 16 "
        "--combine sum --view tokens --init normal:0,0.02 --init-order each --seed 5");
    REQUIRE(values.size() == 24 * 16);
    CHECK(values[0] == static_cast<double>(-0.027396276593208313F));
    CHECK(values[5] == static_cast<double>(0.08290320634841919F));
    CHECK(values[100] == static_cast<double>(0.05852676182985306F));
    CHECK(values[383] == static_cast<double>(-0.03989033028483391F));
}

TEST_CASE("learned-grid: tokens have the values of the image") {
    for (const std::string extra : {"", " --combine sum", " --depth 2"}) {
        const std::string command = "learned-grid --height 3 --width 5 --num-pos-feats 7" + extra;
        const auto image = values_of(command), tokens = values_of(command + " --view tokens");
        REQUIRE(image.size() == tokens.size());
        const std::size_t pixels = extra == " --depth 2" ? 30 : 15;
        const std::size_t channels = image.size() / pixels;
        for (std::size_t i = 0; i < image.size(); ++i) {
            CHECK(image[i] == tokens[i % pixels * channels + i / pixels]);
        }
    }
}

TEST_CASE("learned-grid: a third axis is drawn first, and its channels come last") {
    const std::string rest = " --max-size 6 --num-pos-feats 4 --seed 2 --view tokens";
    const auto image = values_of("learned-grid --height 6 --width 6" + rest);
    const auto video = values_of("learned-grid --depth 6 --height 6 --width 6" + rest);
    REQUIRE(video.size() == 216 * 12);
    // At frame 1, row 0, column 0, the channels of x and of y equal the channels of frame 0.
    for (std::size_t c = 0; c < 8; ++c) CHECK(video[36 * 12 + c] == video[c]);
    CHECK(video[36 * 12 + 8] != video[8]);
    CHECK(image.size() == 36 * 8);
}
