#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// The rows that the formulas of the code bases give.
constexpr PresetSample samples[] = {
    {"shaw-fairseq2 --len 5 --key-len 80", {0, 31, 68, 24, 61, 17}},
    {"shaw-hf-bert --len 40", {506, 510, 473, 477, 481, 485}},
    {"shaw-speecht5 --len 200", {155, 118, 81, 44, 7, 0}},
    {"shaw-t2t --len 5 --key-len 40", {0, 0, 23, 19, 15, 11}},
    {"shaw-t2t-v2 --len 5 --key-len 600", {-1, -1, -1, 32, 69, 106}},
    {"shaw-wenet --len 5 --key-len 80", {0, 31, 68, 24, 61, 17}},
};

}  // namespace

TEST_CASE("shaw: each preset gives the rows of the code base it is named after") {
    check_presets("shaw", samples);
}
