#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// The rows that the formula of the code base gives.
constexpr PresetSample samples[] = {
    {"beit --height 3 --width 4", {35, 17, 25, 10, 18, 7}},
    {"hat --height 4 --width 4 --key-height 6 --key-width 6", {-5, -2, -2, -2, -7, -7}},
    {"levit --height 3 --width 4", {5, 5, 1, 1, 9, 9}},
    {"video-swin --depth 2 --height 3 --width 4", {44, 9, 45, 10, 46, 11}},
};

}  // namespace

TEST_CASE("swin: each preset gives the rows of the code base it is named after") {
    check_presets("swin", samples);
}
