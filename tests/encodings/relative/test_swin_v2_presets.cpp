#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {
/// The coordinates that each code base gives its network, in NumPy, in float64.
// clang-format off
constexpr PresetSample samples[] = {
    {"crossformer",
     {-4.0, -5.0, -6.0, -2.0, 5.0, 1.0}},
    {"dynamic-position-bias --width 9",
     {-6.0, 0.0, -3.0, 0.0, 0.0, 0.0}},
    {"lucidrains-cpb",
     {-1.6094379124341003, -1.791759469228055, -1.9459101490553132, -1.0986122886681096, 1.791759469228055, 0.6931471805599453}},
};
// clang-format on

}  // namespace

TEST_CASE("swin-v2: presets have the coordinates of their code bases") {
    check_presets("swin-v2", samples);
}
