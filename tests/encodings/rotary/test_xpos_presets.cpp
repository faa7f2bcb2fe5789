#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// What the code bases' own formulas give in float64.
// clang-format off
constexpr PresetSample samples[] = {
    {"flash-attn-xpos --d 16 --len 33",
     {1.009790731904539, 0.8921685177312324, 1.0012754392505963, 0.9919264947571694, 0.9569483544445145, 0.997050436657064}},
    {"lucidrains-xpos --d 16 --len 33",
     {1.0242664762973561, 1.0085414961399817, 1.0021936194548093, 0.7752274176180934, 1.0019871746408746, 1.000907702110499}},
    {"torchscale --d 16 --len 33",
     {1.025802536570002, 1.009155829044293, 1.0023767049625503, 0.7763900018342377, 1.0028522172692282, 1.0010905527007299}},
};
// clang-format on

}  // namespace

TEST_CASE("xpos: each preset gives the values of the code base it is named after") {
    check_presets("xpos", samples);
}
