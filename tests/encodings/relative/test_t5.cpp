#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

/// The smallest distance of a bucket for keys before the query.
struct Border {
    std::int64_t distance;
    double bucket;
};

struct Golden {
    const char* settings;
    double after;  ///< added to the buckets of keys after the query
    std::vector<Border> borders;
};

// T5Attention._relative_position_bucket of huggingface/transformers, run on whole numbers.
const std::vector<Golden> goldens{
    {"", 16, {{8, 8}, {12, 9}, {16, 10}, {23, 11}, {32, 12}, {46, 13}, {64, 14}, {91, 15}}},
    // Logarithms computed in double put 80 here, and 40 below, one bucket too low.
    {" --max-distance 800",
     16,
     {{8, 8}, {15, 9}, {26, 10}, {45, 11}, {80, 12}, {143, 13}, {253, 14}, {450, 15}}},
    {" --max-distance 50",
     16,
     {{8, 8}, {11, 9}, {13, 10}, {16, 11}, {20, 12}, {26, 13}, {32, 14}, {40, 15}}},
    {" --causal",
     0,
     {{16, 16},
      {19, 17},
      {21, 18},
      {24, 19},
      {27, 20},
      {31, 21},
      {35, 22},
      {40, 23},
      {46, 24},
      {52, 25},
      {59, 26},
      {67, 27},
      {77, 28},
      {87, 29},
      {99, 30},
      {113, 31}}},
};

/// Returns the bucket of each distance from 0 to 500.
std::vector<double> buckets_before(const std::vector<Border>& borders) {
    std::vector<double> buckets;
    auto next = borders.begin();
    for (std::int64_t distance = 0; distance <= 500; ++distance) {
        if (next != borders.end() && next->distance == distance) ++next;
        buckets.push_back(next == borders.begin() ? static_cast<double>(distance)
                                                  : std::prev(next)->bucket);
    }
    return buckets;
}

std::string bytes_of(const std::vector<float>& values) {
    std::string bytes(values.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// Returns the part of the message about the file of weights after its name.
std::string refusal_of_weights(const std::string& file) {
    const TemporaryFolder folder;
    put(folder.path("w.npy"), file);
    try {
        return refusal_of(fmt::format("t5 --num-buckets 4 --heads 1 --bias-table {} --table bias",
                                      folder.path("w.npy")));
    } catch (const FormatError& error) {
        const std::string message = error.what();
        return message.substr(message.find("w.npy: ") + 7);
    }
}

}  // namespace

TEST_CASE("t5: a small table by hand") {
    CHECK(values_of("t5 --len 4 --num-buckets 8 --max-distance 3") ==
          std::vector<double>{0, 5, 6, 7,  //
                              1, 0, 5, 6,  //
                              2, 1, 0, 5,  //
                              3, 2, 1, 0});
    CHECK(values_of("t5 --len 3 --num-buckets 2 --max-distance 5 --causal") ==
          std::vector<double>{0, 0, 0, 1, 0, 0, 1, 1, 0});
    CHECK(values_of("t5 --len 2 --key-len 4 --causal") ==
          std::vector<double>{2, 1, 0, 0, 3, 2, 1, 0});
}

TEST_CASE("t5: buckets begin where those of transformers do, on exact borders too") {
    for (const Golden& golden : goldens) {
        CAPTURE(golden.settings);
        const Table table = table_of(fmt::format("t5 --len 1001{}", golden.settings), DType::int64);
        const std::vector<double> row = read_rows(table, {500, 1});
        const std::vector<double> before = buckets_before(golden.borders);
        for (std::size_t distance = 0; distance <= 500; ++distance) {
            CAPTURE(distance);
            CHECK(row[500 - distance] == before[distance]);
            const double after = golden.after == 0 || distance == 0 ? 0 : before[distance];
            CHECK(row[500 + distance] == (distance == 0 ? 0 : golden.after + after));
        }
    }
}

TEST_CASE("t5: buckets grow with the distance, none is left out, both sides are alike") {
    for (const char* const settings :
         {"", "--num-buckets 320 --max-distance 800", "--num-buckets 6 --max-distance 1000",
          "--num-buckets 64 --max-distance 900"}) {
        CAPTURE(settings);
        const Table table = table_of(fmt::format("t5 --len 2001 {}", settings), DType::int64);
        const std::vector<double> row = read_rows(table, {1000, 1});
        const double n = *std::ranges::max_element(row) + 1;
        double last = 0;
        for (std::size_t distance = 1; distance <= 1000; ++distance) {
            const double bucket = row[1000 - distance];
            CHECK((bucket == last || bucket == last + 1));
            CHECK(row[1000 + distance] == bucket + n / 2);
            last = bucket;
        }
        CHECK(last == n / 2 - 1);
    }
}

TEST_CASE("t5: the bias is that of the bucket, by heads") {
    // T5Attention.compute_bias(6, 6) of huggingface/transformers with this
    // relative_attention_bias.weight: the first two of its heads, of which these buckets are used.
    std::vector<float> weights(32 * 2);
    const std::vector<float> before{
        0.1705358624458313F,  -0.15875114500522614F, -1.3145568370819092F, -0.3231809139251709F,
        -1.1366280317306519F, -0.49730050563812256F, -1.4479594230651855F, -0.5619544386863708F,
        0.06519514322280884F, 0.41449877619743347F,  0.8991215229034424F,  -0.11248328536748886F};
    const std::vector<float> after{
        -0.017536567524075508F, 0.13982127606868744F,  -0.5379882454872131F, 0.3281112313270569F,
        -0.14269475638866425F,  -0.25342538952827454F, 0.8974980711936951F,  0.10923387855291367F,
        -1.1694724559783936F,   0.17838647961616516F};
    std::ranges::copy(before, weights.begin());
    std::ranges::copy(after, weights.begin() + 17 * 2);
    const TemporaryFolder folder;
    put(folder.path("w.npy"), npy_file("<f4", "False", "(32, 2)", bytes_of(weights)));
    const std::string command =
        fmt::format("t5 --len 6 --heads 2 --bias-table {} --table bias", folder.path("w.npy"));
    CHECK(table_of(command).value_label == "Bias");
    CHECK(table_of("t5 --len 6 --heads 2 --table bias").value_label == "Initial Bias");
    const std::vector<double> bias = values_of(command);
    const std::vector<float> first_rows_of_head_1{
        -0.15875114500522614F, 0.13982127606868744F, 0.3281112313270569F,   -0.25342538952827454F,
        0.10923387855291367F,  0.17838647961616516F, -0.3231809139251709F,  -0.15875114500522614F,
        0.13982127606868744F,  0.3281112313270569F,  -0.25342538952827454F, 0.10923387855291367F};
    CHECK(
        std::equal(first_rows_of_head_1.begin(), first_rows_of_head_1.end(), bias.begin() + 6 * 6));
}

TEST_CASE("t5: a causal mask hides the keys after each query, of listed positions too") {
    const TemporaryFolder folder;
    put(folder.path("x.txt"), "4 1 3 2 9");
    const std::string listed = "--positions-file " + folder.path("x.txt");
    for (const std::string& tokens : {std::string("--len 3 --key-len 5"), listed}) {
        const std::string command = fmt::format("t5 --heads 2 --seed 2 --table bias {} ", tokens);
        const Shape shape = table_of(command).shape;
        const std::int64_t queries = shape[1], keys = shape[2];
        const std::vector<double> bias = values_of(command);
        const std::vector<double> hidden = values_of(command + "--mask causal");
        for (std::int64_t i = 0; i < std::ssize(bias); ++i) {
            const std::int64_t query = i / keys % queries, key = i % keys;
            const bool is_after = key > query + keys - queries;
            CHECK(hidden[i] == (is_after ? -std::numeric_limits<double>::infinity() : bias[i]));
        }
    }
}

TEST_CASE("t5: the title says that a decoder's keys are not masked yet") {
    const auto title = [](const std::string& options) {
        return table_of("t5 --len 8 --table bias --heads 2 " + options).title;
    };
    CHECK(title("--causal").find("before a causal mask") != std::string::npos);
    CHECK(title("--causal --mask causal").find("mask") == std::string::npos);
    CHECK(title("").find("mask") == std::string::npos);
}

TEST_CASE("t5: weights that are drawn are the tensor (num-buckets, heads)") {
    const std::vector<double> weights = values_of("learned --len 32 --d 3 --seed 7");
    const std::vector<double> buckets = values_of("t5 --len 50");
    const std::vector<double> bias = values_of("t5 --len 50 --heads 3 --seed 7 --table bias");
    for (std::size_t head = 0; head < 3; ++head) {
        for (std::size_t pair = 0; pair < buckets.size(); pair += 7) {
            const std::int64_t bucket = static_cast<std::int64_t>(buckets[pair]);
            CHECK(bias[head * buckets.size() + pair] == weights[bucket * 3 + head]);
        }
    }
}

// The second list: rel_pos of _cal_2d_pos_emb in huggingface/transformers, modeling_layoutlmv3.py,
// of boxes whose left edges are 0, 120, 7, 1000 and 300, with 64 buckets up to 256.
TEST_CASE("t5: tokens may have positions of their own") {
    const TemporaryFolder folder;
    const std::string path = folder.path("x.txt");
    const auto with = [&](const char* positions, const std::string& options) {
        put(path, positions);
        return fmt::format("t5 --positions-file {} {}", path, options);
    };
    const std::string bias = "--table bias --heads 3 --seed 2";
    CHECK(values_of(with("0 1 2 3 4 5", "")) == values_of("t5 --len 6"));
    CHECK(values_of(with("5 6 7 8", bias)) == values_of("t5 --len 4 " + bias));
    CHECK(table_of(with("5 6 7 8", bias)).value_label == "Initial Bias");
    CHECK(values_of(with("3 4 5", "--causal")) == values_of("t5 --len 3 --causal"));
    CHECK(values_of(with("0 120 7 1000 300", "--num-buckets 64 --max-distance 256")) ==
          std::vector<double>{0,  59, 39, 63, 63, 27, 0,  27, 63, 61, 7,  59, 0,
                              63, 63, 31, 31, 31, 0,  31, 31, 29, 31, 63, 0});
    CHECK(refusal_of(with("1 2", "--key-len 3")).starts_with("--key-len 3: --positions-file"));
    CHECK_THROWS_AS(table_of(with("1 0.5", "")), FormatError);
}

TEST_CASE("t5: the file of weights says how many heads there are") {
    const TemporaryFolder folder;
    put(folder.path("w.npy"), npy_of_doubles("(32, 3)", std::vector<double>(96, 0.5)));
    const std::string command = "t5 --len 4 --table bias --bias-table " + folder.path("w.npy");
    CHECK(table_of(command).shape == Shape{3, 4, 4});
    CHECK_THROWS_AS(table_of(command + " --heads 8"), FormatError);
    CHECK(values_of(command + " --out-scale sqrt(2)", DType::float64)[7] == std::sqrt(2) / 2);
    CHECK(refusal_of(command + " --out-scale 1e6", DType::float16).find("the largest bias") !=
          std::string::npos);
}

TEST_CASE("t5: what does not go together is refused") {
    CHECK(refusal_of("t5 --init constant:1e5 --table bias", DType::float16) ==
          "--dtype float16: cannot hold the largest weight, 1e+05; its largest value is 65504");
}

TEST_CASE("t5: what are no such weights is refused") {
    const std::vector<float> four{1, 2, 3, 4};
    CHECK(refusal_of_weights(npy_file("<f4", "False", "(4, 1)", bytes_of(four))) == "accepted");
    CHECK(refusal_of_weights(npy_file("<f4", "False", "(1, 4)", bytes_of(four))) ==
          "shape (1, 4): weights must be (num-buckets, heads) = (4, 1)");
    CHECK(refusal_of_weights(npy_file("<i4", "False", "(4, 1)", bytes_of(four))) ==
          "dtype int32: weights must be floats; save weights.astype(float)");
    const std::vector<float> infinite{1, 2, 3, -std::numeric_limits<float>::infinity()};
    CHECK(refusal_of_weights(npy_file("<f4", "False", "(4, 1)", bytes_of(infinite))) ==
          "weights[3, 0] is -inf: must be finite");
    CHECK_THROWS_AS(refusal_of("t5 --bias-table /nowhere/w.npy --table bias"), FileError);
}
