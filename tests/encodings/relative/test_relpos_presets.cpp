#include <doctest/doctest.h>

#include "encodings/preset_samples.h"

namespace {

/// The classes that the code bases' own functions give.
constexpr PresetSample samples[] = {
    {"alphafold2 --len 80", {27, 0, 0, 0, 0, 4}},
    {"alphafold-multimer --chains 3x2", {65, 1, 2, 31, 1, 1}},
    {"alphafold3 --chains 3x2", {65, 65, 1, 2, 65, 65}},
    {"boltz-relpos --chains 3x2", {65, 65, 1, 5, 65, 65}},
    {"chai --chains 3x2", {66, 66, 1, 2, 66, 66}},
    {"esmfold --len 80", {38, 65, 65, 65, 65, 61}},
    {"rfdiffusion --len 80", {37, 64, 64, 64, 64, 60}},
};

}  // namespace

TEST_CASE("relpos: each preset gives the classes of the code base it is named after") {
    check_presets("relpos", samples);
}
