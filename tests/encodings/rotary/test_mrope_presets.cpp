#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// What the formulas of Hugging Face's models give in float64.
// clang-format off
constexpr PresetSample samples[] = {
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
