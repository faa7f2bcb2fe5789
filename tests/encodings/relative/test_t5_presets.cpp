#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// The buckets of the code bases' formula in exact fractions.
constexpr PresetSample samples[] = {
    {"t5-decoder --len 3 --key-len 64", {25, 17, 24, 10, 22, 1}},
    {"wavlm --len 3 --key-len 250", {118, 112, 105, 97, 85, 57}},
};

}  // namespace

TEST_CASE("t5: each preset gives the buckets of the code base it is named after") {
    check_presets("t5", samples);
}
