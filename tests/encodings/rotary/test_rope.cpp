#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

using Elements = std::vector<std::pair<std::size_t, double>>;

/// Some elements of a table that a code base made.
struct Golden {
    const char* command;
    double tolerance;  ///< relative
    Elements elements;
};

// Hugging Face Transformers 5.16 and the models' own code: tables of float32, whose frequencies are
// off by some ulps, and whose angles at position 131,064 are off by half an ulp of their own.
const Golden goldens[] = {
    {"rope --d 64 --table inv-freq",
     1.2e-7,
     {{0, 1.0}, {1, 0.7498942017555237}, {13, 0.0237137358635664}, {31, 0.0001333521504420787}}},
    {"rope --d 128 --table inv-freq",
     1.2e-7,
     {{1, 0.8659643530845642}, {40, 0.003162277862429619}, {63, 0.00011547819303814322}}},
    {"rope --d 128 --scaling linear --factor 2 --table inv-freq",
     1.2e-7,
     {{0, 0.5}, {33, 0.004329821560531855}, {63, 5.773909651907161e-05}}},
    {"rope --d 128 --scaling dynamic --factor 2 --max-position-embeddings 2048 --table inv-freq",
     1.2e-7,
     {{0, 1.0}, {20, 0.05623412877321243}, {63, 0.00011547819303814322}}},
    {"rope --d 128 --scaling yarn --factor 4 --original-max-position-embeddings 8192 --table "
     "inv-freq",
     1.3e-7,
     {{0, 1.0},
      {20, 0.05623412877321243},
      {30, 0.011334933340549469},
      {36, 0.0037676868960261345},
      {45, 0.0006159705808386207},
      {63, 2.8869548259535804e-05}}},
    {"rope --d 128 --base 500000 --scaling llama3 --factor 8 --original-max-position-embeddings "
     "8192 --table inv-freq",
     3e-7,
     {{0, 1.0},
      {20, 0.016560440883040428},
      {30, 0.0013718936825171113},
      {33, 0.0003126936499029398},
      {36, 7.784655463183299e-05},
      {63, 3.068925877869333e-07}}},
    {"rope --d 64 --len 16 --table cos",
     1e-6,
     {{64, 0.5403023362159729},
      {200, 0.9553365111351013},
      {500, 0.9997550249099731},
      {1023, 0.9999980330467224}}},
    {"rope --d 64 --len 16 --table sin",
     1e-6,
     {{64, 0.8414709568023682},
      {200, 0.29552021622657776},
      {500, 0.02213413640856743},
      {1023, 0.002000280888751149}}},
    {"rope --d 128 --base 500000 --start 131064 --len 9 --table cos",
     0.016,
     {{0, -0.9946056604385376},
      {30, -0.9586157202720642},
      {70, -0.1751469224691391},
      {1151, 0.948667585849762}}},
    {"rope --d 16 --len 12 --table sin-cos",
     1e-6,
     {{17, 0.3109835982322693}, {100, 0.059964004904031754}, {191, 0.9999939799308777}}},
    {"rope --d 16 --len 6 --table freqs-cis",
     1e-6,
     {{16, 0.5403022766113281},
      {17, 0.8414709568023682},
      {50, 0.5827536582946777},
      {95, 0.0015811382327228785}}},
};

std::string attention_factor(std::string_view command) {
    const Table table = table_of(command);
    return to_string(table.provenance.parameters.value("attention-factor"));
}

}  // namespace

TEST_CASE("rope: a length that is no double is refused") {
    const std::string dynamic =
        "rope --scaling dynamic --factor 2 --max-position-embeddings 64 --seq-len ";
    CHECK(refusal_of(dynamic + "9007199254740992") == "accepted");
    CHECK(refusal_of(dynamic + "9007199254740993") ==
          "--seq-len 9007199254740993: must be between 1 and 9007199254740992");
}

TEST_CASE("rope: tables are those of public code bases") {
    for (const Golden& golden : goldens) {
        CAPTURE(golden.command);
        const std::vector<double> values = values_of(golden.command);
        for (const auto& element : golden.elements) {
            CAPTURE(element.first);
            CHECK(values.at(element.first) ==
                  doctest::Approx(element.second).epsilon(golden.tolerance));
        }
    }
}

TEST_CASE("rope: attention factors are those of Transformers, to the last bit") {
    CHECK(attention_factor("rope --scaling yarn --factor 4 --original-max-position-embeddings "
                           "8192") == "1.138629436111989");
    CHECK(attention_factor("rope --d 4 --scaling longrope --short-factor 1,1 --long-factor 2,3 "
                           "--original-max-position-embeddings 4096 --max-position-embeddings "
                           "131072") == "1.1902380714238083");
    CHECK(attention_factor("rope --scaling yarn --factor 40 --mscale 1 --mscale-all-dim 1 "
                           "--original-max-position-embeddings 4096") == "1");
    CHECK(attention_factor("rope --scaling yarn --factor 0.5 --original-max-position-embeddings "
                           "4096") == "1");
    CHECK(attention_factor("rope --scaling yarn --factor 4 --attention-factor 1.5 "
                           "--original-max-position-embeddings 8192") == "1.5");
}

TEST_CASE("rope: frequencies of a file are those of the same base") {
    const TemporaryFolder folder;
    const std::string path = folder.path("w.npy");
    const auto put_frequencies = [&](const std::string& command) {
        const auto list = values_of(command + " --table inv-freq", DType::float64);
        put(path, npy_of_doubles(fmt::format("({},)", list.size()).c_str(), list));
        return fmt::format("rope --freqs-file {} ", path);
    };
    const std::string from_file = put_frequencies("llama3.1 --d 16");
    for (const char* options : {"--len 9 --table cos", "--len 9 --table angles", "--table inv-freq",
                                "--len 9 --table wavelengths --start 3"}) {
        CHECK(values_of(from_file + options) ==
              values_of(std::string("llama3.1 --d 16 ") + options));
    }
    // The frequencies are rounded to float32, which Hugging Face's code computes almost so.
    CHECK(values_of(from_file + "--arith float32 --table inv-freq", DType::float64) ==
          values_of(from_file + "--table inv-freq --dtype float32"));
    CHECK(table_of(from_file + "--len 4").shape == Shape{4, 16});
    CHECK(table_of(from_file + "--len 4 --d 64 --rotary-dim 16").shape == Shape{4, 16});
    CHECK(refusal_of(from_file + "--d 64") ==
          "--d 64: --freqs-file has the frequencies of 16 channels; use --rotary-dim 16");
    CHECK(refusal_of(from_file + "--rotary-dim 8 --d 16") ==
          "--rotary-dim 8: --freqs-file has the frequencies of 16 channels; use --rotary-dim 16");
    CHECK(refusal_of(from_file + "--base 500") ==
          "--base 500: cannot be used with --freqs-file; leave --base out");
    CHECK(refusal_of(from_file + "--scaling linear --factor 2") ==
          "--scaling linear: cannot be used with --freqs-file; leave --scaling out");
    CHECK(refusal_of(from_file + "--arith ggml") ==
          "--arith ggml: such code multiplies by one ratio; with --freqs-file use --arith float32 "
          "or exact");
    CHECK(refusal_of(from_file + "--config c.json") ==
          "--config: cannot be used with --freqs-file, which has the frequencies");
    CHECK(values_of(fmt::format("llama3.1 --len 9 --freqs-file {}", path)) ==
          values_of(from_file + "--len 9"));
    put(path, npy_of_doubles("(2, 2)", {1, 2, 3, 4}));
    CHECK_THROWS_WITH_AS(
        table_of(from_file),
        fmt::format("{}: shape (2, 2): frequencies must be (pairs,), 1 to 2^19 of them", path)
            .c_str(),
        FormatError);
}

TEST_CASE("rope: layouts hold the same values in other places") {
    const auto single = values_of("rope --d 8 --len 5 --layout single --table sin", DType::float64);
    const auto half = values_of("rope --d 8 --len 5 --layout half --table sin", DType::float64);
    const auto pairs =
        values_of("rope --d 8 --len 5 --layout interleaved --table sin", DType::float64);
    const auto cosines =
        values_of("rope --d 8 --len 5 --layout single --table cos", DType::float64);
    const auto complex = values_of("rope --d 8 --len 5 --table freqs-cis", DType::float64);
    const auto matrices = values_of("rope --d 8 --len 5 --table matrices", DType::float64);
    const auto joined = values_of("rope --d 8 --len 5 --table sin-cos", DType::float64);
    const auto cached = values_of("rope --d 8 --len 5 --table cos-sin", DType::float64);
    const auto signed_half = values_of("rope --d 8 --len 5 --table signed-sin", DType::float64);
    const auto signed_pairs =
        values_of("rope --d 8 --len 5 --table signed-sin --layout single --pairing interleaved",
                  DType::float64);
    for (std::size_t pos = 0; pos < 5; ++pos) {
        for (std::size_t m = 0; m < 4; ++m) {
            const double s = single[4 * pos + m], c = cosines[4 * pos + m];
            CHECK(half[8 * pos + m] == s);
            CHECK(half[8 * pos + 4 + m] == s);
            CHECK(pairs[8 * pos + 2 * m] == s);
            CHECK(pairs[8 * pos + 2 * m + 1] == s);
            CHECK(complex[8 * pos + 2 * m] == c);
            CHECK(complex[8 * pos + 2 * m + 1] == s);
            CHECK(joined[8 * pos + m] == s);
            CHECK(joined[8 * pos + 4 + m] == c);
            CHECK(cached[8 * pos + m] == c);
            CHECK(cached[8 * pos + 4 + m] == s);
            CHECK(signed_half[8 * pos + m] == -s);
            CHECK(signed_half[8 * pos + 4 + m] == s);
            CHECK(signed_pairs[8 * pos + 2 * m] == -s);
            CHECK(signed_pairs[8 * pos + 2 * m + 1] == s);
            const std::size_t matrix = 16 * pos + 4 * m;
            CHECK(matrices[matrix] == c);
            CHECK(matrices[matrix + 1] == -s);
            CHECK(matrices[matrix + 2] == s);
            CHECK(matrices[matrix + 3] == c);
        }
    }
}

TEST_CASE("rope: the whole rotation turns the channels of a pair") {
    const auto cos = values_of("rope --d 6 --len 4 --layout single --table cos", DType::float64);
    const auto sin = values_of("rope --d 6 --len 4 --layout single --table sin", DType::float64);
    for (const bool is_half : {true, false}) {
        const auto matrix =
            values_of(is_half ? "rope --d 6 --len 4 --table rotation"
                              : "rope --d 6 --len 4 --pairing interleaved --table rotation",
                      DType::float64);
        std::vector<double> expected(4 * 36, 0.0);
        for (std::size_t pos = 0; pos < 4; ++pos) {
            for (std::size_t m = 0; m < 3; ++m) {
                const std::size_t a = is_half ? m : 2 * m, b = is_half ? m + 3 : 2 * m + 1;
                expected[36 * pos + 6 * a + a] = cos[3 * pos + m];
                expected[36 * pos + 6 * a + b] = -sin[3 * pos + m];
                expected[36 * pos + 6 * b + a] = sin[3 * pos + m];
                expected[36 * pos + 6 * b + b] = cos[3 * pos + m];
            }
        }
        CHECK(matrix == expected);
    }
}

TEST_CASE("rope: a part of a head has frequencies of its own dimension") {
    CHECK(values_of("rope --d 64 --partial-rotary-factor 0.25 --len 7") ==
          values_of("rope --d 16 --len 7"));
    CHECK(values_of("rope --d 256 --rotary-dim 64 --len 7") == values_of("rope --d 64 --len 7"));
    const auto some =
        values_of("rope --d 8 --scaling proportional --partial-rotary-factor 0.5 --table inv-freq");
    const auto all = values_of("rope --d 8 --table inv-freq");
    CHECK(some == std::vector<double>{all[0], all[1], 0, 0});
}

TEST_CASE("rope: scaling types agree where their formulas meet") {
    CHECK(values_of("rope --scaling yarn --factor 1 --original-max-position-embeddings 64 "
                    "--table inv-freq") == values_of("rope --table inv-freq"));
    CHECK(values_of("rope --scaling llama3 --factor 1 --original-max-position-embeddings 64 "
                    "--table inv-freq") == values_of("rope --table inv-freq"));
    // NTK-aware scaling keeps the fastest frequency and divides the slowest one by the factor.
    const auto ntk = values_of("rope --scaling ntk --factor 4 --table inv-freq", DType::float64);
    const auto plain = values_of("rope --table inv-freq", DType::float64);
    CHECK(ntk.front() == plain.front());
    CHECK(ntk.back() == doctest::Approx(plain.back() / 4).epsilon(1e-15));
    // Dynamic scaling of f times the length is NTK-aware scaling by f^2 - f + 1.
    CHECK(values_of("rope --scaling dynamic --factor 2 --max-position-embeddings 100 --seq-len 200 "
                    "--table inv-freq") ==
          values_of("rope --scaling ntk --factor 3 --table inv-freq"));
    CHECK(values_of("rope --d 4 --scaling su --factor 2 --short-factor 2,2 --long-factor 3,3 "
                    "--original-max-position-embeddings 8 --len 8 --table inv-freq") ==
          values_of("rope --d 4 --scaling linear --factor 2 --table inv-freq"));
    CHECK(values_of("rope --d 4 --scaling su --factor 2 --short-factor 2,2 --long-factor 3,3 "
                    "--original-max-position-embeddings 8 --len 9 --table inv-freq") ==
          values_of("rope --d 4 --scaling linear --factor 3 --table inv-freq"));
}

// RetNetRelPos of microsoft/torchscale in float64, d 256: its frequencies are 10000^-linspace(0,
// 1).
TEST_CASE("rope: a base that grows with d gives RetNet's rotation") {
    const auto values = values_of(
        "rope --d 256 --base 10000^(d/(d-2)) --pairing interleaved --layout interleaved "
        "--start 100 --len 40 --table cos",
        DType::float64);
    const std::vector<double> golden{0.10437172624223326, -0.9829705027995131, 0.9314981690007051,
                                     0.0805645480589156,  0.9195259921961834,  0.9948198453305702};
    for (std::size_t i = 0; i < golden.size(); ++i) {
        CHECK(values[5 + 37 * i] == doctest::Approx(golden[i]).epsilon(1e-12));
    }
}

TEST_CASE("rope: scores depend on the difference of positions only, norms on nothing") {
    const auto cos = values_of("rope --d 8 --len 40 --layout single --table cos", DType::float64);
    const auto sin = values_of("rope --d 8 --len 40 --layout single --table sin", DType::float64);
    const double q[] = {0.3, -1.2, 0.7, 2.0, -0.4, 0.9, 1.1, -0.6};
    const double k[] = {1.5, 0.2, -0.8, 0.1, 0.6, -1.7, 0.4, 0.3};
    const auto rotated = [&](const double* x, std::size_t pos) {
        std::vector<double> y(8);
        for (std::size_t m = 0; m < 4; ++m) {
            const double c = cos[4 * pos + m], s = sin[4 * pos + m];
            y[m] = x[m] * c - x[m + 4] * s;
            y[m + 4] = x[m] * s + x[m + 4] * c;
        }
        return y;
    };
    const auto score = [&](std::size_t at_q, std::size_t at_k) {
        const std::vector<double> a = rotated(q, at_q), b = rotated(k, at_k);
        double sum = 0;
        for (std::size_t i = 0; i < 8; ++i) sum += a[i] * b[i];
        return sum;
    };
    for (std::size_t shift = 1; shift < 30; ++shift) {
        CHECK(score(7 + shift, 3 + shift) == doctest::Approx(score(7, 3)).epsilon(1e-13));
    }
    double before = 0, after = 0;
    for (const double x : q) before += x * x;
    for (const double y : rotated(q, 37)) after += y * y;
    CHECK(after == doctest::Approx(before).epsilon(1e-14));
}

TEST_CASE("rope: dynamic scaling by a large factor within the length changes nothing") {
    CHECK(values_of("rope --d 4 --len 4 --scaling dynamic --factor 1e300 "
                    "--max-position-embeddings 4 --table inv-freq") ==
          values_of("rope --d 4 --len 4 --table inv-freq"));
}

TEST_CASE("rope: an angle at a midpoint is rounded to even, also by a frequency such as 1/3") {
    // 9^(-1/2) = 1/3, and 4093 lies halfway between 4092 and 4094.
    for (int root = 3; root < 16; root += 2) {
        const std::string command = "rope --d 4 --base " + std::to_string(root * root) +
                                    " --positions " + std::to_string(4093 * root) +
                                    " --table angles";
        CAPTURE(command);
        CHECK(values_of(command, DType::float32)[1] == 4093);
        CHECK(values_of(command, DType::float16)[1] == 4092);
    }
}
