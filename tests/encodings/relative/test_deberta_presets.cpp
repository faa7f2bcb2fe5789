#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// The buckets that build_relative_position of the code bases gives.
constexpr PresetSample samples[] = {
    {"deberta-v2 --len 5 --key-len 250", {-5, -42, -79, -116, -145, -165}},
    {"microsoft-deberta --len 2 --key-len 560", {-5, -42, -79, -116, -145, -165}},
    {"uni-core --len 200", {5, 13, 14, 15, 15, 15}},
};

}  // namespace

TEST_CASE("deberta: each preset gives the buckets of the code base it is named after") {
    check_presets("deberta", samples);
}
