#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// What the code bases' own functions give, their float32 replaced by float64, or where they are
/// not Python, the same arithmetic in NumPy.
// clang-format off
constexpr PresetSample samples[] = {
    {"bttr --num-pos-feats 4 --height 3 --width 4",
     {7.85397967229244e-07, 0.9988898755169295, 0.04187563977881786, 3.926989836146523e-07, -2.0943944048159954e-06, 0.9980267297433525}},
    {"dab-detr --num-pos-feats 4 --height 3 --width 4 --valid 3x4,2x3",
     {-0.8660247056521261, 0.5924967551656237, 0.9862810701321412, 0.9999999999950652, 0.0, 1.0}},
    {"deformable-detr --num-pos-feats 4 --height 3 --width 4",
     {1.0471972024085718e-06, 0.999506560694664, 0.05495016618874786, 0.49999848850027157, 0.7071071977065962, 0.9992290366261551}},
    {"dino --num-pos-feats 4 --height 3 --width 4 --valid 3x4,2x3",
     {-0.8660247056521261, 0.5924967551656237, 0.9862810701321412, 0.9999999999950652, 0.0, 1.0}},
    {"mask2former --num-pos-feats 4 --height 3 --width 4 --valid 3x4,2x3",
     {-0.8660247056521261, 0.9991228306835525, 0.06279050385235009, 0.9999999999950652, 0.0, 1.0}},
    {"mmdet --num-pos-feats 4 --height 3 --width 4 --valid 3x4,2x3",
     {-0.8660247056521261, 0.9991228306835525, 0.06279050385235009, 0.9999999999950652, 0.0, 1.0}},
    {"note0 --num-pos-feats 4 --height 3 --width 4",
     {0.9092974268256817, 0.8065784098850756, 0.9535807404869198, -0.9899924966004454, 0.9092974268256817, 0.5827536107022249}},
    {"petr-3d --num-pos-feats 4 --height 3 --width 4 --frames 2",
     {1.5707955417606774e-06, 0.9995065608591303, -0.5000012091986863, 0.0157073133853153, -3.1415910835174788e-06, 0.9980267304008924}},
    {"sam2 --num-pos-feats 4 --height 3 --width 4",
     {-0.8660247056521261, 0.9991228306835525, 0.06279050385235009, 0.9999999999978068, 7.85397967229244e-07, 0.9988898755169295}},
    {"vistr --num-pos-feats 4 --height 3 --width 4 --frames 2",
     {1.5707955417606774e-06, 0.9995065608591303, 0.04187563977881786, 3.926989836146523e-07, -3.1415910835174788e-06, 0.9980267304008924}},
};
// clang-format on

}  // namespace

TEST_CASE("detr: each preset gives the values of the code base it is named after") {
    check_presets("detr", samples);
}
