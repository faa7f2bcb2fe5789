#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {
/// What the code bases' own functions give, or where they need more than the sizes, the same
/// arithmetic in NumPy, in float64.
// clang-format off
constexpr PresetSample samples[] = {
    {"attention-gym --heads 6 --len 7",
     {1.9842513149602494, -2.3811015779522995, -0.3149802624737183, 0.125, 0.14881884862201872, -0.12401570718501562}},
    {"baichuan --heads 3 --len 2 --key-len 10",
     {0.3125, 0.5, 0.5625, 1.5, 0.01171875, 0.0}},
    {"bipe-alibi --heads 6 --len 7",
     {120.0, 0.0, 12.0, 6.0, 2.25, 0.375}},
    {"bloom --heads 6 --len 7",
     {1.25, 0.0, 0.125, 0.0625, 0.0234375, 0.00390625}},
    {"falcon --heads 6 --len 7",
     {1.25, 0.0, 0.125, 0.0625, 0.0234375, 0.00390625}},
    {"faceformer --heads 3 --len 2 --key-len 10 --period 3",
     {-0.0625, -0.5, 0.0, -0.25, -0.0078125, -0.1875}},
    {"gpt-neox-alibi --heads 6 --len 7",
     {0.0, -1.5, -0.125, 0.0, 0.0, -0.01953125}},
    {"labml-alibi --heads 3 --len 2 --key-len 10",
     {0.375, 0.75, 0.625, 1.75, 0.015625, 0.0625}},
    {"mpt --heads 6 --len 7",
     {-0.25, -1.5, -0.25, -0.03125, 0.0, -0.01953125}},
    {"press --heads 6 --len 7",
     {1.25, 0.0, 0.125, 0.0625, 0.0234375, 0.00390625}},
    {"retnet-decay --len 2 --key-len 10",
     {-0.0952460949437409, -0.04705906476615536, 0.0, -0.02352953238307768, -0.094490141808835, -0.28573828483122266}},
    {"step-audio --heads 3 --len 2 --key-len 10",
     {-0.10825317547305482, -0.6123724356957945, -0.0, -0.4330127018922193, -0.009568319307746789, -0.1875}},
    {"tranception --heads 20 --len 7",
     {1.25, 0.0, 0.125, 0.0625, 0.0234375, 0.00390625}},
    {"x-transformers-alibi --heads 6 --len 7",
     {-1.25, -1.5, -0.125, -0.03125, -0.0234375, -0.01953125}},
};
// clang-format on

}  // namespace

TEST_CASE("alibi: presets have the tables of their code bases") { check_presets("alibi", samples); }
