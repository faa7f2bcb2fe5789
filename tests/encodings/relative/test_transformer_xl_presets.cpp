#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// The values of the code bases' formulas in double.
constexpr PresetSample samples[] = {
    {"conformer --len 6 --d 6",
     {0.9999419807006283, -0.9092974268256817, -0.9899924966004454, -0.13879810108005053,
      0.9956942241237399, -0.008617632093856952}},
    {"xlnet --len 4 --mem-len 2 --d 8",
     {0.8253356149096782, 0.009999833334166664, 0.999995500003375, -0.4161468365471424,
      -0.2955202066613396, 0.9995500337489875}},
};

}  // namespace

TEST_CASE("transformer-xl: each preset gives the values of the code base it is named after") {
    check_presets("transformer-xl", samples);
}
