#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

/// A kind of window; its extents are depth, height and width.
struct Kind {
    std::array<int, 3> queries;
    std::array<int, 3> keys;
    const char* options = "";

    bool has(const char* option) const { return std::strstr(options, option) != nullptr; }
};

constexpr Kind kinds[] = {
    {{1, 3, 4}, {1, 3, 4}},
    {{1, 1, 5}, {1, 1, 5}},
    {{1, 5, 1}, {1, 5, 1}},
    {{2, 3, 4}, {2, 3, 4}, " --sign key-query"},
    {{3, 2, 4}, {3, 2, 4}, " --axes xy --prefix cls"},
    {{1, 3, 4}, {1, 5, 2}, " --axes xy --sign key-query --prefix cls"},
    {{2, 4, 2}, {2, 3, 5}, " --prefix cls"},
    {{2, 3, 4}, {2, 3, 4}, " --offsets absolute --prefix cls"},
    {{1, 5, 7}, {1, 5, 7}, " --offsets absolute --query-stride 2 --axes xy"},
    {{2, 4, 7}, {2, 6, 3}, " --query-stride 3 --prefix cls"},
    {{1, 5, 4}, {1, 3, 9}, " --query-stride 2 --sign key-query"},
    {{1, 3, 4}, {1, 4, 6}, " --numbering hat"},
    {{2, 3, 4}, {2, 4, 6}, " --numbering hat --sign key-query --axes xy"},
};

std::string command_of(const Kind& kind) {
    const auto [depth, height, width] = kind.queries;
    return fmt::format("swin --depth {} --height {} --width {} --key-height {} --key-width {}{}",
                       depth, height, width, kind.keys[1], kind.keys[2], kind.options);
}

/// Returns the index as the formula has it, of one pair after the other.
std::vector<double> index_by_pairs(const Kind& kind) {
    const bool is_absolute = kind.has("absolute"), is_reversed = kind.has("key-query");
    std::array<int, 3> counts{}, least{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const int of_queries = kind.queries[axis], of_keys = kind.keys[axis];
        counts[axis] = is_absolute ? std::max(of_queries, of_keys) : of_queries + of_keys - 1;
        least[axis] = is_absolute ? 0 : 1 - (is_reversed ? of_queries : of_keys);
        if (kind.has("hat") && axis > 0) least[axis] += of_keys - 2;
    }
    const auto places_of = [&](const std::array<int, 3>& extents, int stride) {
        std::vector<std::array<int, 3>> places;
        for (int t = 0; t < extents[0]; ++t) {
            for (int y = 0; y < extents[1]; y += stride) {
                for (int x = 0; x < extents[2]; x += stride) places.push_back({t, y, x});
            }
        }
        return places;
    };
    const auto keys = places_of(kind.keys, 1);
    const int of_class = counts[0] * counts[1] * counts[2];
    std::vector<double> index;
    if (kind.has("cls")) {
        index.assign(keys.size() + 1, of_class);
        index[0] = of_class + 2;
    }
    const int stride = kind.has("stride 2") ? 2 : kind.has("stride 3") ? 3 : 1;
    for (const auto& query : places_of(kind.queries, stride)) {
        if (kind.has("cls")) index.push_back(of_class + 1);
        for (const auto& key : keys) {
            int number = 0;
            for (const std::size_t axis : {0, kind.has("xy") ? 2 : 1, kind.has("xy") ? 1 : 2}) {
                const int offset = query[axis] - key[axis];
                number = number * counts[axis] - least[axis] +
                         (is_absolute   ? std::abs(offset)
                          : is_reversed ? -offset
                                        : offset);
            }
            index.push_back(number);
        }
    }
    return index;
}

}  // namespace

TEST_CASE("swin: the index is that of the window") {
    // WindowAttention(dim, (2, 4), heads).relative_position_index of microsoft/Swin-Transformer.
    CHECK(values_of("swin --height 2 --width 4") ==
          std::vector<double>{10, 9,  8,  7,  3,  2,  1,  0,  //
                              11, 10, 9,  8,  4,  3,  2,  1,  //
                              12, 11, 10, 9,  5,  4,  3,  2,  //
                              13, 12, 11, 10, 6,  5,  4,  3,  //
                              17, 16, 15, 14, 10, 9,  8,  7,  //
                              18, 17, 16, 15, 11, 10, 9,  8,  //
                              19, 18, 17, 16, 12, 11, 10, 9,  //
                              20, 19, 18, 17, 13, 12, 11, 10});
    CHECK(values_of("swin --height 2 --width 4") ==
          values_of("swin-v2 --height 2 --width 4 --table index"));
    CHECK(values_of("swin --height 1 --width 1") == std::vector<double>{0});
}

TEST_CASE("swin: a class token has three rows of its own, behind the others") {
    // RelativePositionBias((3, 5), heads).relative_position_index of microsoft/unilm.
    const Table table = table_of("swin --height 3 --width 5 --prefix cls");
    CHECK(read_rows(table, {0, 1}) == std::vector<double>{47, 45, 45, 45, 45, 45, 45, 45,  //
                                                          45, 45, 45, 45, 45, 45, 45, 45});
    CHECK(read_rows(table, {1, 1}) ==
          std::vector<double>{46, 22, 21, 20, 19, 18, 13, 12, 11, 10, 9, 4, 3, 2, 1, 0});
    CHECK(read_rows(table, {8, 1}) ==
          std::vector<double>{46, 33, 32, 31, 30, 29, 24, 23, 22, 21, 20, 15, 14, 13, 12, 11});
}

TEST_CASE("swin: a window of frames has an index of three axes") {
    // WindowAttention3D(dim, (2, 3, 4), heads).relative_position_index of Video-Swin-Transformer.
    const Table table = table_of("swin --depth 2 --height 3 --width 4");
    CHECK(table.shape == Shape{24, 24});
    CHECK(read_rows(table, {7, 1}) == std::vector<double>{62, 61, 60, 59, 55, 54, 53, 52,
                                                          48, 47, 46, 45, 27, 26, 25, 24,
                                                          20, 19, 18, 17, 13, 12, 11, 10});
    CHECK(values_of("swin --depth 1 --height 3 --width 4") ==
          values_of("swin --height 3 --width 4"));
    CHECK(table_of("swin --depth 2 --height 3 --width 4 --heads 2 --table table").shape ==
          Shape{3 * 5 * 7, 2});
    CHECK(refusal_of("swin --depth 16384 --height 16384 --width 16384") ==
          "--depth, --height, --width: a window has at most 2^37 tokens");
}

TEST_CASE("swin: absolute offsets are numbered in the order in which LeViT meets them") {
    // Attention(resolution=4).attention_bias_idxs of facebookresearch/LeViT.
    const Table table = table_of("swin --height 4 --width 4 --offsets absolute");
    CHECK(read_rows(table, {5, 1}) ==
          std::vector<double>{5, 4, 5, 6, 1, 0, 1, 2, 5, 4, 5, 6, 9, 8, 9, 10});
    // AttentionSubsample(resolution=3, stride=2).
    CHECK(values_of("swin --height 3 --width 3 --offsets absolute --query-stride 2") ==
          std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 2, 1, 0, 5, 4, 3, 8, 7, 6,
                              6, 7, 8, 3, 4, 5, 0, 1, 2, 8, 7, 6, 5, 4, 3, 2, 1, 0});
    const Table bias = table_of("levit --height 3 --width 4 --query-stride 2 --table bias");
    CHECK(bias.shape == Shape{4, 4, 12});
    CHECK(table_of("levit --height 3 --width 4 --table table").shape == Shape{12, 4});
}

TEST_CASE("swin: keys in a larger window have offsets of their own, in HAT's numbering too") {
    // HAT(window_size=2, overlap_ratio=0.5).calculate_rpi_oca() of XPixelGroup/HAT.
    const std::string window = " --height 2 --width 2 --key-height 3 --key-width 3";
    const std::vector<double> of_hat{0,  1,  2,  4, 5, 6, 8, 9, 10, -1, 0,  1,  3,  4, 5, 7, 8, 9,
                                     -4, -3, -2, 0, 1, 2, 4, 5, 6,  -5, -4, -3, -1, 0, 1, 3, 4, 5};
    CHECK(values_of("hat" + window) == of_hat);
    std::vector<double> from_0 = of_hat;
    for (double& number : from_0) number += 5;
    CHECK(values_of("swin --sign key-query" + window) == from_0);
    // The rows that PyTorch takes: negative numbers count from the end.
    const std::vector<double> table = values_of("hat --heads 1 --table table" + window);
    const std::vector<double> bias = values_of("hat --heads 1 --table bias" + window);
    REQUIRE(table.size() == 16);
    for (std::size_t i = 0; i < bias.size(); ++i) {
        const double row = of_hat[i] < 0 ? of_hat[i] + 16 : of_hat[i];
        CHECK(bias[i] == table[static_cast<std::size_t>(row)]);
    }
    CHECK(table_of("hat --table bias").shape == Shape{6, 256, 576});
    CHECK(table_of("hat --table table").shape == Shape{39 * 39, 6});
}

TEST_CASE("swin: the other sign turns the table over, the other order exchanges its axes") {
    const std::vector<double> index = values_of("swin --height 3 --width 4");
    const std::vector<double> reversed = values_of("swin --height 3 --width 4 --sign key-query");
    const std::vector<double> xy = values_of("swin --height 3 --width 4 --axes xy");
    for (std::size_t i = 0; i < index.size(); ++i) {
        CHECK(index[i] + reversed[i] == 5 * 7 - 1);
        const auto row = static_cast<int>(index[i]);
        CHECK(xy[i] == row % 7 * 5 + row / 7);
    }
    // numpy.stack(numpy.meshgrid(range(2), range(3))), whose default is indexing="xy", put into the
    // index of WindowAttention: it has 3 rows of 2 tokens.
    CHECK(values_of("swin --height 3 --width 2 --axes xy") ==
          std::vector<double>{7,  2, 6,  1, 5,  0, 12, 7, 11, 6, 10, 5, 8,  3, 7,  2, 6,  1,  //
                              13, 8, 12, 7, 11, 6, 9,  4, 8,  3, 7,  2, 14, 9, 13, 8, 12, 7});
}

TEST_CASE(
    "swin: every second place of a row for queries is the index of keys that are not pooled") {
    // The index of get_rel_pos(4, 8, rel_pos) of facebookresearch/segment-anything, from MViTv2.
    CHECK(values_of("swin --height 1 --width 8 --query-stride 2") ==
          std::vector<double>{7,  6,  5, 4, 3, 2, 1, 0, 9,  8,  7,  6,  5, 4, 3, 2,  //
                              11, 10, 9, 8, 7, 6, 5, 4, 13, 12, 11, 10, 9, 8, 7, 6});
}

TEST_CASE("swin: equal shifts of query and key leave the index, an exchange mirrors it") {
    constexpr std::size_t height = 5, width = 6, tokens = height * width;
    const std::vector<double> index = values_of("swin --height 5 --width 6");
    for (std::size_t query = 0; query < tokens; ++query) {
        for (std::size_t key = 0; key < tokens; ++key) {
            const double here = index[query * tokens + key];
            CHECK(index[key * tokens + query] == (2 * height - 1) * (2 * width - 1) - 1 - here);
            const bool has_right = query % width + 1 < width && key % width + 1 < width;
            if (has_right) CHECK(index[(query + 1) * tokens + key + 1] == here);
            const bool has_below = std::max(query, key) + width < tokens;
            if (has_below) CHECK(index[(query + width) * tokens + key + width] == here);
        }
    }
}

TEST_CASE("swin: the index of every kind of window is that of each pair by itself") {
    for (const Kind& kind : kinds) {
        const std::string command = command_of(kind);
        CAPTURE(command);
        const std::vector<double> index = values_of(command);
        CHECK(index == index_by_pairs(kind));
        CHECK(index == values_of(command, DType::int64));
        const Table table = table_of(command, DType::int32);
        // Three rows at a time begin and end within a row of queries.
        for (std::int64_t first = 0; first + 3 <= table.shape[0]; ++first) {
            const auto begin = index.begin() + first * table.shape[1];
            CHECK(read_rows(table, {first, 3}) ==
                  std::vector<double>(begin, begin + 3 * table.shape[1]));
        }
    }
}

TEST_CASE("swin: the bias is the table's, row by row of the index") {
    CHECK(table_of("swin --height 3 --width 4 --heads 3 --table table").shape == Shape{35, 3});
    for (const Kind& kind : kinds) {
        const std::string window = command_of(kind);
        CAPTURE(window);
        const std::vector<double> index = values_of(window);
        for (const DType dtype : {DType::float32, DType::float64, DType::bfloat16}) {
            const std::string drawn = window + " --heads 3 --seed 5 --table ";
            const std::vector<double> weights = values_of(drawn + "table", dtype),
                                      bias = values_of(drawn + "bias", dtype);
            REQUIRE(bias.size() == 3 * index.size());
            for (std::size_t i = 0; i < bias.size(); ++i) {
                const auto row = static_cast<int>(index[i % index.size()]);
                const std::size_t from = row < 0 ? row + weights.size() / 3 : row;
                CHECK(bias[i] == weights[from * 3 + i / index.size()]);
            }
        }
    }
    CHECK(values_of("swin --heads 4 --seed 2 --table table") ==
          values_of("learned --len 169 --d 4 --seed 2 --init trunc-normal:0,0.02,-2,2"));
}

TEST_CASE("swin: a bias of a file has the rows of offsets, first upwards to the left") {
    std::vector<float> weights(3 * 3);
    std::iota(weights.begin(), weights.end(), 0.5F);
    std::string bytes(weights.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), weights.data(), bytes.size());
    const TemporaryFolder folder;
    put(folder.path("t.npy"), npy_file("<f4", "False", "(9, 1)", bytes));
    const std::string file = " --heads 1 --bias-table " + folder.path("t.npy");
    CHECK(values_of("swin --height 2 --width 2" + file + " --table bias") ==
          std::vector<double>{4.5, 3.5, 1.5, 0.5, 5.5, 4.5, 2.5, 1.5,  //
                              7.5, 6.5, 4.5, 3.5, 8.5, 7.5, 5.5, 4.5});
    CHECK(refusal_of("swin --height 2 --width 2 --seed 1" + file) ==
          "--seed 1: nothing is drawn, all weights are in files; leave --seed or --bias-table "
          "out");
}
