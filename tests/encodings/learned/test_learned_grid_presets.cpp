#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// The values of PyTorch 1.13, to the bit.
// clang-format off
constexpr PresetSample samples[] = {
    {"detr-learned --num-pos-feats 4 --height 2 --width 3 --seed 7",
     {0.8862148523330688, 0.5025168061256409, 0.6466391682624817, 0.4502006769180298, 0.7650091648101807, 0.45138639211654663}},
};
// clang-format on

}  // namespace

TEST_CASE("learned-grid: each preset gives the values of the code base it is named after") {
    check_presets("learned-grid", samples);
}
