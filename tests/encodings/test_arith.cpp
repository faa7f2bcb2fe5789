#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "encodings/table_of.h"

namespace {

/// Elements of a table that float32 code makes, with the least difference from the exact values.
struct Float32Sample {
    std::string command;
    std::vector<std::pair<std::size_t, double>> elements;
    double exact_is_off;
};

/// What the code bases' own functions give in PyTorch 1.13: DiffWave, Grad-TTS, MoCo v3, DETR,
/// Perceiver's Fourier features, Gaussian ones as of SAM, EVA-02, flash-attention's xPos,
/// Transformer-XL, and the angles of Qwen2-VL.
// clang-format off
const Float32Sample samples[] = {
    {"diffwave --len 50 --arith float32-pow",
     {{4798, -0.15147338807582855}, {6011, -0.08760982006788254}, {6395, 0.45296433568000793}}, 0.022},
    {"grad-tts --d 160 --len 5 --step 0.25 --arith float32",
     {{482, -0.24862124025821686}, {642, 0.32877740263938904}, {724, 0.5161113739013672}}, 3e-5},
    {"moco-v3 --height 50 --width 50 --d 64 --prefix-rows 0 --arith float32",
     {{2913, 0.1717635691165924}, {6113, 0.1717635691165924}, {9313, 0.1717635691165924}}, 1e-6},
    {"detr --height 100 --width 100 --num-pos-feats 8 --arith float32",
     {{29300, 0.024775806814432144}, {29301, 0.024775806814432144}, {29302, 0.024775806814432144}}, 3e-7},
    {"detr --num-pos-feats 16 --height 25 --width 34 --valid 25x34,20x30 --normalize --arith float32",
     {{27846, -7.788287348375889e-07}, {27847, -7.788287348375889e-07}, {27848, -7.788287348375889e-07}}, 4e-7},
    {"fourier --height 4 --width 5 --freqs 1,3,700 --freq-scale pi --order afk --arith float32",
     {{2, -0.00013272151409182698}, {8, -0.00013272151409182698}, {14, -0.00013272151409182698}}, 1e-4},
    {"random-fourier --height 4 --width 5 --coords linspace:-1:1 --d 8 --seed 3 --weight-scale 16 --arith float32",
     {{27, -0.5441969037055969}, {29, -0.04139966517686844}, {133, -0.04139966517686844}}, 7e-6},
    {"eva02 --height 200 --width 200 --d 64 --ref-extent 16 --arith float32",
     {{11938, -0.4913663864135742}, {11939, -0.4913663864135742}, {24738, -0.4913663864135742}}, 5e-7},
    {"flash-attn-xpos --len 300 --d 16 --arith float32",
     {{1633, -0.09703394025564194}, {1857, -0.38139355182647705}, {2345, -0.016918128356337547}}, 2e-6},
    {"transformer-xl --len 500 --d 64 --arith float32",
     {{225, 0.32519665360450745}, {4033, 0.2262454479932785}, {5025, 0.024614863097667694}}, 1e-5},
    {"periodic --len 1000 --arith float32",
     {{1415, -0.014161769300699234}, {1446, -0.04335842281579971}, {1634, 0.018586885184049606}}, 3e-6},
    {"mrope --sequence text:3000 --d 16 --sections 2,3,3 --arith float32",
     {{47089, -0.26906144618988037}, {47329, -0.20038887858390808}, {47337, -0.20038887858390808}}, 3e-5},
};
// clang-format on

/// Half a unit in the last place below 1. PyTorch's sines and cosines are not correctly rounded.
constexpr double half_unit = 0x1p-24;

}  // namespace

TEST_CASE("--arith float32: where float32 is farthest off, the tables are PyTorch's") {
    for (const Float32Sample& sample : samples) {
        CAPTURE(sample.command);
        const auto values = values_of(sample.command);
        const auto exact = values_of(sample.command.substr(0, sample.command.find(" --arith")));
        for (const auto& [i, value] : sample.elements) {
            CHECK(std::fabs(values[i] - value) <= half_unit);
            CHECK(std::fabs(exact[i] - value) > sample.exact_is_off);
        }
    }
}
