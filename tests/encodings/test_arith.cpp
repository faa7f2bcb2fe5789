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

TEST_CASE("--arith bfloat16, float16: angles are those of PyTorch 1.13 in 16 bits") {
    const std::string rope = "rope --d 8 --len 300 --table angles --arith ";
    const auto row = [&](const std::string& arith, std::size_t place) {
        const std::vector<double> all = values_of(rope + arith);
        return std::vector<double>(all.begin() + 4 * place, all.begin() + 4 * place + 4);
    };
    using Angles = std::vector<double>;
    // torch.outer(torch.arange(300).to(dtype), inv_freq.to(dtype))
    CHECK(row("bfloat16", 257) == Angles{256, 25.625, 2.5625, 0.255859375});
    CHECK(row("bfloat16", 299) == Angles{300, 30, 3, 0.30078125});
    CHECK(row("float16", 257) == Angles{257, 25.6875, 2.5703125, 0.257080078125});
    CHECK(row("float16", 299) == Angles{299, 29.890625, 2.990234375, 0.299072265625});
    CHECK(row("bfloat16 --rounded positions", 257)[0] == 256);
    CHECK(row("bfloat16 --rounded angles", 257)[0] == 256);
    CHECK(row("bfloat16 --rounded frequencies", 257)[0] == 257);
    CHECK(row("bfloat16 --rounded frequencies", 257)[1] == 257 * 0.10009765625F);
    CHECK(row("bfloat16 --rounded positions", 257)[1] == 256 * 0.1F);
}

TEST_CASE("--arith bfloat16: sines and cosines are those of the rounded angles") {
    const auto values = values_of("sinusoid --d 4 --len 300 --arith bfloat16");
    CHECK(values[257 * 4] == static_cast<double>(std::sin(256.0F)));
    CHECK(values[299 * 4 + 1] == static_cast<double>(std::cos(300.0F)));
    CHECK(values_of("rope --d 4 --arith float16 --rounded frequencies --table inv-freq") ==
          std::vector<double>{1, 0.010002136230468750});
}
