#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "encodings/table_of.h"

using namespace pegen;

namespace {

/// Some elements of a table that a code base made.
struct Golden {
    const char* options;
    std::vector<std::pair<std::size_t, double>> elements;
};

// huggingface/transformers 5.16, src/transformers/modeling_rope_utils.py and models/llama.
const Golden frequencies[] = {
    {"--d 64", {{1, 0.7498942017555237}, {13, 0.0237137358635664}, {31, 0.0001333521504420787}}},
    {"--d 128",
     {{1, 0.8659643530845642}, {40, 0.003162277862429619}, {63, 0.00011547819303814322}}},
    {"--d 128 --scaling linear --factor 2",
     {{0, 0.5}, {33, 0.004329821560531855}, {63, 5.773909651907161e-05}}},
    {"--d 128 --scaling dynamic --factor 2 --max-position-embeddings 2048 --len 99",
     {{20, 0.05623412877321243}, {63, 0.00011547819303814322}}},
    {"--d 128 --scaling yarn --factor 4 --original-max-position-embeddings 8192",
     {{1, 0.8659643530845642},
      {20, 0.05623412877321243},
      {28, 0.016182342544198036},
      {32, 0.007900000549852848},
      {36, 0.0037676868960261345},
      {40, 0.0017392527079209685},
      {63, 2.8869548259535804e-05}}},
    {"--d 128 --base 500000 --scaling llama3 --factor 8 --original-max-position-embeddings 8192",
     {{20, 0.016560440883040428},
      {30, 0.0013718936825171113},
      {33, 0.0003126936499029398},
      {34, 0.0001785077911335975},
      {36, 7.784655463183299e-05},
      {63, 3.068925877869333e-07}}},
    {"--d 16 --scaling longrope --factor 1 --original-max-position-embeddings 4096 --short-factor "
     "1.25,1.55,1.85,2.15,2.45,2.75,3.05,3.35 --long-factor 9,9,9,9,9,9,9,9",
     {{0, 0.800000011920929},
      {1, 0.20401792228221893},
      {4, 0.004081632476300001},
      {7, 9.439635323360562e-05}}},
};

// The same sources; the tables of --d 128 --base 500000 at positions 131,064 to 131,072.
const Golden waves[] = {
    {"cos",
     {{0, -0.9946056604385376},
      {1, -0.9994171261787415},
      {10, -0.5996329188346863},
      {40, -0.18320970237255096},
      {63, 0.9486738443374634},
      {600, 0.7032375335693359},
      {1151, 0.948667585849762}}},
    {"sin",
     {{0, 0.10372819751501083},
      {1, 0.034138113260269165},
      {10, 0.8002752065658569},
      {40, -0.9830738306045532},
      {63, 0.31625622510910034},
      {600, 0.710955023765564},
      {1151, 0.31627488136291504}}},
};

}  // namespace

TEST_CASE("rope --arith float32: frequencies are Hugging Face's, bit for bit") {
    for (const Golden& golden : frequencies) {
        CAPTURE(golden.options);
        const auto values =
            values_of("rope --arith float32 " + std::string(golden.options) + " --table inv-freq");
        for (const auto& [i, value] : golden.elements) {
            CHECK(static_cast<float>(values[i]) == static_cast<float>(value));
        }
    }
}

TEST_CASE("rope --arith float32: cos and sin are Hugging Face's, but for the last bit") {
    for (const Golden& golden : waves) {
        CAPTURE(golden.options);
        const auto values =
            values_of("rope --d 128 --base 500000 --start 131064 --len 9 --arith float32 --table " +
                      std::string(golden.options));
        for (const auto& [i, value] : golden.elements) CHECK(std::fabs(values[i] - value) <= 6e-8);
    }
}

// The iteration of ggml, ggml/src/ggml-cpu/ops.cpp, done in NumPy.
TEST_CASE("rope --arith ggml: angles are multiplied up in float32") {
    const auto angles = values_of("rope --d 128 --positions 131071 --arith ggml --table angles");
    CHECK(angles[1] == 113502.8125);
    CHECK(angles[10] == 31081.841796875);
    CHECK(angles[40] == 414.4834899902344);
    CHECK(angles[63] == 15.135875701904297);
    const auto cos =
        values_of("rope --d 128 --positions 131071 --arith ggml --layout single --table cos");
    CHECK(cos[10] == 0.47492480278015137);
    const auto interpolated = values_of(
        "rope --d 128 --positions 131071 --arith ggml --scaling linear --factor 3 --table angles");
    CHECK(interpolated[10] == (1.0F / 3.0F) * 31081.841796875F);
}

// ggml_rope_cache_init of ggml, src/ggml-cpu/ops.cpp at d99724f, called with the divisors that
// convert_hf_to_gguf.py of llama.cpp works out.
TEST_CASE("rope --arith ggml: scaled angles are ggml's, but for the last bit") {
    std::string longrope = "--scaling longrope --factor 1 --original-max-position-embeddings 4096";
    std::string factors = "1";
    for (int m = 1; m < 64; ++m) factors += "," + std::to_string(1 + m * 0.5);
    longrope += " --short-factor " + factors + " --long-factor " + factors;
    struct Pair {
        std::size_t m;
        double cos, sin;
    };
    const std::pair<std::string, std::vector<Pair>> golden[] = {
        {"--scaling yarn --factor 4 --original-max-position-embeddings 4096",
         {{1, -1.113253116607666, -0.2390492707490921},
          {20, 1.0027379989624023, 0.5394381880760193},
          {30, 1.0488392114639282, -0.4431854486465454},
          {63, -0.9116714000701904, -0.6821526288986206}}},
        {"--base 500000 --scaling llama3 --factor 8 --original-max-position-embeddings 8192",
         {{1, -0.8172318339347839, 0.5763090252876282},
          {20, -0.9693467020988464, 0.2456968128681183},
          {30, -0.7353779077529907, -0.6776572465896606},
          {63, 0.9991911053657532, 0.04021381959319115}}},
        {longrope,
         {{1, 0.990436851978302, 0.13796664774417877},
          {20, -0.6202947497367859, -0.7843688130378723},
          {30, -0.7555000185966492, 0.6551486253738403},
          {63, 0.8934987783432007, 0.44906556606292725}}}};
    for (const auto& entry : golden) {
        CAPTURE(entry.first);
        const auto cis = values_of("rope --d 128 --positions 131071 --arith ggml " + entry.first +
                                   " --table freqs-cis");
        for (const Pair& pair : entry.second) {
            CHECK(std::fabs(cis[2 * pair.m] - pair.cos) <= 1.2e-7);
            CHECK(std::fabs(cis[2 * pair.m + 1] - pair.sin) <= 1.2e-7);
        }
    }
}

TEST_CASE("rope --arith float32: every dtype is made of the float32 values") {
    const std::string command =
        "rope --d 8 --start 5000 --len 50 --scaling yarn --factor 4 "
        "--original-max-position-embeddings 4096 --arith float32 --table freqs-cis";
    const auto single = values_of(command);
    const auto half = values_of(command, DType::float16);
    CHECK(values_of(command, DType::float64) == single);
    for (std::size_t i = 0; i < single.size(); ++i) {
        CHECK(half[i] == widen(round_to<float16>(single[i])));
    }
}

TEST_CASE("rope --arith float32: tables have the same values in their own places") {
    const auto cos = values_of("rope --d 4 --arith float32 --layout single --table cos");
    const auto sin = values_of("rope --d 4 --arith float32 --layout single --table sin");
    const auto cis = values_of("rope --d 4 --arith float32 --table freqs-cis");
    const auto sin_cos = values_of("rope --d 4 --arith float32 --table sin-cos");
    const auto matrices = values_of("rope --d 4 --arith float32 --table matrices");
    for (std::size_t i = 0; i < cos.size(); ++i) {
        CHECK(cis[2 * i] == cos[i]);
        CHECK(cis[2 * i + 1] == sin[i]);
        CHECK(sin_cos[i / 2 * 4 + i % 2] == sin[i]);
        CHECK(sin_cos[i / 2 * 4 + 2 + i % 2] == cos[i]);
        CHECK(matrices[4 * i + 1] == -sin[i]);
        CHECK(matrices[4 * i + 3] == cos[i]);
    }
}

TEST_CASE("rope --arith float32: proportional frequencies of 0 stay 0") {
    CHECK(values_of("rope --d 8 --scaling proportional --partial-rotary-factor 0.5 --arith float32 "
                    "--table inv-freq") == std::vector<double>{1, 0.1F, 0, 0});
}
