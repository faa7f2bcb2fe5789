#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// What the formulas of Hugging Face's models give in float64.
// clang-format off
constexpr PresetSample samples[] = {
    {"ernie-4.5-vl --d 16 --sections 2,3,3 --sequence text:2,video:2x2x3,text:1",
     {1.0, 0.9999998495758801, 0.9999999997872682, 0.9936427861061894, 0.9999960000026666, 0.9999999995213533}},
    {"qwen2.5-vl --d 16 --sections 2,3,3 --sequence text:2,video:2x2x3,text:1",
     {1.0, 0.9980006665777841, 0.9999999997470178, 0.999995500003375, 0.7575061716848052, 0.999999998}},
    {"qwen2-vl --sequence text:2,image:2x3,text:1",
     {1.0, 1.0, 1.0, 1.0, 0.9999897323924384, 0.9999999999988143}},
    {"qwen3-vl --sequence text:2,image:2x3,text:1",
     {1.0, 1.0, 1.0, 1.0, 0.9999970798882146, 0.9999999999999476}},
};
// clang-format on

}  // namespace

TEST_CASE("mrope: each preset gives the values of the model it is named after") {
    check_presets("mrope", samples);
}
