#include <doctest/doctest.h>

#include <span>
#include <vector>

#include "numerics/float32_angles.h"
#include "numerics/real.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

std::vector<double> read(const Rows& rows, std::int64_t count, std::int64_t columns) {
    std::vector<double> values(static_cast<std::size_t>(count * columns));
    rows({0, count}, std::as_writable_bytes(std::span(values)));
    return values;
}

}  // namespace

TEST_CASE("float32 angles: their sines and cosines are correctly rounded") {
    // The first two are where a sine and a cosine lie within 2^-45 of a midpoint.
    std::vector<float> angles{0x1.8e3936p+1F, 0x1.fa2cc2p+1F, -0x1.fa2cc2p+1F, 0x1p100F, 0x1p-140F};
    for (int i = 0; i < 1000; ++i) angles.push_back(static_cast<float>(i * i) * 0.37F);
    const std::int64_t count = std::ssize(angles);
    const auto values = read(float32_wave_rows(angle_products(Positions(1, 1, 1), angles),
                                               halves(2 * count), 1, DType::float64),
                             1, 2 * count);
    for (std::size_t k = 0; k < angles.size(); ++k) {
        const auto nearest = [](const Real& x) {
            return static_cast<float>(for_rounding_to(DType::float32, x));
        };
        CHECK(values[k] == nearest(sin(Real(angles[k]))));
        CHECK(values[k + angles.size()] == nearest(cos(Real(angles[k]))));
    }
}

TEST_CASE("float32 angles: positions, products and scaled values are each rounded to float32") {
    const Positions positions(std::vector<double>{16777217, 3});
    const std::vector<float> w{1, 0.1F};
    CHECK(read(float32_angle_rows(angle_products(positions, w), DType::float64), 2, 2) ==
          std::vector<double>{16777216, 16777216 * 0.1F, 3, 3 * 0.1F});
    CHECK(read(float32_angle_rows(
                   with_negatives(repeated_products(positions, 0.1F, {0.5F, {1, 1, 1}, {0, 0, 0}})),
                   DType::float64),
               1, 6) == std::vector<double>{
                            8388608, 0.5F * (16777216 * 0.1F), 0.5F * (16777216 * 0.1F * 0.1F),
                            -8388608, -0.5F * (16777216 * 0.1F), -0.5F * (16777216 * 0.1F * 0.1F)});
    const auto cosine = read(float32_wave_rows(angle_products(Positions(1, 1, 1), {1}),
                                               only(Function::cos, 1), 0.1F, DType::float64),
                             1, 1);
    CHECK(cosine == std::vector<double>{0.1F * 0.5403023F});
}

TEST_CASE("float32 angles: channels in no run are zero") {
    const ChannelLayout layout = padded(interleaved(2), 4);
    CHECK(
        read(float32_wave_rows(angle_products(Positions(0, 1, 1), {1}), layout, 1, DType::float64),
             1, 4) == std::vector<double>{0, 1, 0, 0});
}

TEST_CASE("float32 angles: positions are scaled first, and divided if there are divisors") {
    const Positions positions(std::vector<double>{3});
    CHECK(read(float32_angle_rows(angle_products(positions, {0.7F}, 0.1F), DType::float64), 1, 1) ==
          std::vector<double>{3 * 0.1F * 0.7F});
    CHECK(read(float32_angle_rows(angle_quotients(positions, {0.7F}), DType::float64), 1, 1) ==
          std::vector<double>{3 / 0.7F});
}

TEST_CASE("float32 angles: products are summed axis by axis, then scaled") {
    // The coordinates of two rows are (-1/3, 5) and (-1/3, 7).
    const std::vector<WaveAxis> axes{
        {{Coordinates(Positions(-1, 0, 1), 1, 3), 2}, exactly({0.3, 16777217})},
        {{Coordinates(Positions(5, 2, 2)), 1}, exactly({0.1, 1})}};
    const float third = -1.0F / 3;
    CHECK(read(float32_angle_rows(projected_angles(axes, 0.9F), DType::float64), 2, 2) ==
          std::vector<double>{(third * 0.3F + 5 * 0.1F) * 0.9F, (third * 16777216 + 5) * 0.9F,
                              (third * 0.3F + 7 * 0.1F) * 0.9F, (third * 16777216 + 7) * 0.9F});
}
