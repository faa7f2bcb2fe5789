#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// The values of uni2ts' packed_attention_mask. BiPE's positions are in test_segments.cpp.
constexpr PresetSample samples[] = {
    {"bipe --lengths 5,7", {0, 0, 1, 1, 0, 0}},
    {"moirai --lengths 5,7", {0, 0, 1, 1, 0, 0}},
};

}  // namespace

TEST_CASE("segments: each preset tells the tokens of a segment from others") {
    check_presets("segments", samples);
}
