#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "encodings/table_of.h"

using namespace pegen;

TEST_CASE("swin-v2: the coordinates are those of the code, to the last bit of a float or nearly") {
    // WindowAttention(dim, (8, 8), heads).relative_coords_table of microsoft/Swin-Transformer.
    constexpr std::array x{
        -1.056641697883606,  -0.9913349151611328, -0.9157446026802063,  -0.8260157704353333,
        -0.715613842010498,  -0.572068989276886,  -0.36651185154914856, 0.0,
        0.36651185154914856, 0.572068989276886,   0.715613842010498,    0.8260157704353333,
        0.9157446026802063,  0.9913349151611328,  1.056641697883606};
    const Table table = table_of("swin-v2 --height 8 --width 8");
    CHECK(table.shape == Shape{15, 15, 2});
    const std::vector<double> values = all_values(table);
    for (std::size_t dy = 0; dy < 15; ++dy) {
        for (std::size_t dx = 0; dx < 15; ++dx) {
            CHECK(std::fabs(values[(dy * 15 + dx) * 2] - x[dy]) <= 0x1p-24);
            CHECK(std::fabs(values[(dy * 15 + dx) * 2 + 1] - x[dx]) <= 0x1p-24);
        }
    }
}

TEST_CASE("swin-v2: the formula in doubles, divided by the window's own extents or others") {
    const auto check = [](const char* command, std::int64_t height, std::int64_t width, double by_y,
                          double by_x) {
        CAPTURE(command);
        const std::vector<double> values = values_of(command, DType::float64);
        const auto coordinate = [](std::int64_t offset, double divisor) {
            const auto r = static_cast<double>(offset);
            return std::copysign(std::log2(1 + 8 * std::fabs(r) / divisor) / 3, r);
        };
        auto value = values.begin();
        for (std::int64_t dy = 1 - height; dy < height; ++dy) {
            for (std::int64_t dx = 1 - width; dx < width; ++dx) {
                CHECK(*value++ == doctest::Approx(coordinate(dy, by_y)).epsilon(1e-15));
                CHECK(*value++ == doctest::Approx(coordinate(dx, by_x)).epsilon(1e-15));
            }
        }
        CHECK(value == values.end());
    };
    check("swin-v2 --height 3 --width 5", 3, 5, 2, 4);
    check("swin-v2 --height 3 --width 5 --pretrained-window 12", 3, 5, 11, 11);
    check("swin-v2 --height 3 --width 5 --pretrained-window 8x12", 3, 5, 7, 11);
    check("swin-v2 --height 3 --width 5 --pretrained-window 0x12", 3, 5, 2, 11);
    check("swin-v2 --height 1 --width 5 --pretrained-window 2", 1, 5, 1, 1);
}

TEST_CASE("swin-v2: a window of frames has three coordinates, each as of an image") {
    const Table table = table_of("swin-v2 --depth 4 --height 3 --width 5");
    CHECK(table.shape == Shape{7, 5, 9, 3});
    const std::vector<double> values = all_values(table);
    const std::vector<double> of_image = values_of("swin-v2 --height 3 --width 5");
    const std::vector<double> of_depth = values_of("swin-v2 --height 4 --width 5");
    for (std::size_t dt = 0; dt < 7; ++dt) {
        for (std::size_t place = 0; place < 45; ++place) {
            const std::size_t first = (dt * 45 + place) * 3;
            CHECK(values[first] == of_depth[dt * 9 * 2]);
            CHECK(values[first + 1] == of_image[place * 2]);
            CHECK(values[first + 2] == of_image[place * 2 + 1]);
        }
    }
    CHECK(values_of("swin-v2 --depth 4 --height 3 --width 5 --table index") ==
          values_of("swin --depth 4 --height 3 --width 5"));
    // An extent of pretraining for each axis: the first is of the frames.
    CHECK(values_of("swin-v2 --depth 4 --height 3 --width 5 --pretrained-window 4x3x5") == values);
}

TEST_CASE("swin-v2: the ends are log2(9) / 3, an exact third at one step of seven") {
    const std::vector<double> values = values_of("swin-v2 --height 2 --width 9", DType::float64);
    CHECK(values.front() == -std::log2(9) / 3);
    CHECK(values[9 * 2 + 1] == 1 / 3.0);  // log2(1 + 8 / 8) / 3
    CHECK(values[8 * 2 + 1] == 0);
}
