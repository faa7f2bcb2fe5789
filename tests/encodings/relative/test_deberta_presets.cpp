#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// The buckets that the formulas of the code bases give.
constexpr PresetSample samples[] = {
    {"deberta-v2 --len 5 --key-len 250", {186, 171, 152, 129, 92, 55}},
    {"deberta-v2 --len 2 --key-len 700", {283, 278, 273, 267, 261, 255}},
    {"microsoft-deberta --len 2 --key-len 560", {255, 255, 250, 242, 234, 225}},
};

}  // namespace

TEST_CASE("deberta: each preset gives the buckets of the code base it is named after") {
    check_presets("deberta", samples);
}
