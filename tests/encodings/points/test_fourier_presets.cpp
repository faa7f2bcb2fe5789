#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// What the code bases' own functions give, their float32 replaced by float64, or where they are
/// not Python, the same arithmetic in NumPy.
// clang-format off
constexpr PresetSample samples[] = {
    {"barf --height 4 --width 4",
     {9.797174393178826e-16, -1.0, -0.500000000000003, 0.5000000000000003, -3.91886975727153e-15, -1.2246467991473532e-16}},
    {"dino-points --height 3 --width 4",
     {1.0, 0.0, 1.0, 0.0, 1.0, 0.0}},
    {"gligen --height 3 --width 4",
     {0.0, 1.0, -0.821163514010023, 0.0, 0.0, -0.9876589150102411}},
    {"lucidrains-perceiver --height 3 --width 4",
     {-6.123233995736766e-16, 0.4067366430758006, 0.5877852522924734, 0.0, -0.30901699437494756, 1.0}},
    {"mip-nerf --height 3 --width 4 --freqs pow2:0:5",
     {-0.9092974268256817, -0.9576594803233847, 0.5403023058681398, 0.0, 0.5818034898591713, -0.41614683654714235}},
    {"nerf --height 3 --width 4",
     {0.5403023058681398, -1.0, -0.8725825378829082, -0.6928958219201651, 0.9200260381967906, 0.0}},
    {"perceiver --height 3 --width 5 --freqs linear:1:4:4",
     {4.898587196589413e-16, 0.0, -2.4492935982947064e-16, 1.0, -2.4492935982947064e-16, -1.0}},
    {"perceiver --height 3 --width 5 --freqs linear:1:4:4/linear:1:6:4",
     {4.898587196589413e-16, 0.0, 0.8660254037844383, -0.4999999999999993, 3.6739403974420594e-16, -1.0}},
    {"pips --height 3 --width 4",
     {0.9454402445803316, -0.33618633542797777, 0.39797694774767006, -0.9217220435407285, -0.2516604760111404, -0.9649857985527065}},
    {"pixel-nerf --height 4 --width 4",
     {-1.0, 1.0, 1.0, -0.49999999999999956, -0.8660254037844369, -0.5000000000000002}},
    {"pytorch3d --height 3 --width 4",
     {-0.5514266812416906, -0.9576594803233847, -0.9092974268256817, 1.0, -0.3230093983753781, -0.7568024953079282}},
    {"timm-fourier --height 3 --width 4 --freqs linear:1:8:3",
     {-1.0, -1.0, 0.4999999999999999, 1.0, -0.5000000000000008, -1.0}},
};
// clang-format on

}  // namespace

TEST_CASE("fourier: each preset gives the values of the code base it is named after") {
    check_presets("fourier", samples);
}
