#include <doctest/doctest.h>

#include <span>
#include <vector>

#include "numerics/float32_angles.h"
#include "numerics/real.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

std::vector<double> read(const RowSource& rows, std::int64_t count, std::int64_t columns) {
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
    const auto values = read(float32_wave_rows(Positions(1, 1, 1), angle_products(angles),
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
    CHECK(read(float32_angle_rows(positions, angle_products(w), DType::float64), 2, 2) ==
          std::vector<double>{16777216, 16777216 * 0.1F, 3, 3 * 0.1F});
    CHECK(read(float32_angle_rows(
                   positions, with_negatives(repeated_products(0.1F, {0.5F, {1, 1, 1}, {0, 0, 0}})),
                   DType::float64),
               1, 6) == std::vector<double>{
                            8388608, 0.5F * (16777216 * 0.1F), 0.5F * (16777216 * 0.1F * 0.1F),
                            -8388608, -0.5F * (16777216 * 0.1F), -0.5F * (16777216 * 0.1F * 0.1F)});
    const auto cosine = read(float32_wave_rows(Positions(1, 1, 1), angle_products({1}),
                                               only(Function::cos, 1), 0.1F, DType::float64),
                             1, 1);
    CHECK(cosine == std::vector<double>{0.1F * 0.5403023F});
}

TEST_CASE("float32 angles: channels in no run are zero") {
    const ChannelLayout layout = padded(interleaved(2), 4);
    CHECK(
        read(float32_wave_rows(Positions(0, 1, 1), angle_products({1}), layout, 1, DType::float64),
             1, 4) == std::vector<double>{0, 1, 0, 0});
}
