#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "encodings/table_of.h"

using namespace pegen;

namespace {

struct Point {
    std::int64_t row;
    std::int64_t channel;
    float value;
};

struct Drawn {
    const char* command;
    std::uint64_t checksum;  ///< a hash of all values
    std::vector<Point> points;
};

// The values that PyTorch 1.13 (Debian 12, x86-64 with AVX2, glibc 2.36) has in its tensors after
// the calls of the contract, or after the lines of the code base that a preset names. They must
// match bit for bit, and include the first and the last element. Entries with --rng torch-scalar
// are made under ATEN_CPU_CAPABILITY=default.
const std::vector<Drawn> drawn{
    {"learned --len 50 --d 256",
     0x5b5b26322d060992,
     {{0, 0, -0x1.20370ap+0F},
      {15, 66, -0x1.3fa51p+1F},
      {23, 242, -0x1.39962cp-1F},
      {25, 128, -0x1.67aaa6p-1F},
      {49, 240, -0x1.8c4c74p+0F},
      {49, 255, 0x1.1e4c1p-4F}}},
    {"learned --len 3 --d 5",
     0xe96e3f95cb4140b3,
     {{0, 0, 0x1.8a7eb8p+0F},
      {0, 4, -0x1.15a342p+0F},
      {1, 2, 0x1.ad11cap-1F},
      {2, 0, -0x1.317a3p-1F},
      {2, 4, -0x1.123956p+0F}}},
    {"learned --len 4 --d 4",
     0xf1048bdebedebeff,
     {{0, 0, -0x1.20370ap+0F},
      {0, 3, -0x1.bc4abap-2F},
      {2, 1, -0x1.4369e8p+0F},
      {2, 2, 0x1.6661fep-2F},
      {3, 0, 0x1.eadeeep-4F},
      {3, 3, -0x1.fa6cf8p-3F}}},
    {"learned --len 7 --d 9 --seed 42 --init normal:1.5,0.3",
     0xb7189b4506f96920,
     {{0, 0, 0x1.09fe5ap+1F},
      {1, 7, 0x1.fe2144p+0F},
      {3, 4, 0x1.c20982p+0F},
      {4, 8, 0x1.1e252ap+0F},
      {6, 0, 0x1.2f01fp+0F},
      {6, 8, 0x1.ad18ep-1F}}},
    {"learned --len 5 --d 3 --seed 7 --burn 1",
     0x1aa8df4172b57f6c,
     {{0, 0, 0x1.58d67ap+0F},
      {1, 0, 0x1.39ab56p+1F},
      {2, 1, -0x1.d4ce7ap-2F},
      {3, 1, -0x1.fcf64p-1F},
      {4, 0, -0x1.34a888p-1F},
      {4, 2, 0x1.ee2178p+0F}}},
    {"learned --len 50 --d 256 --init uniform:0,1 --burn 1",
     0xfd1f464755a75f8c,
     {{0, 0, 0x1.cd050cp-2F},
      {25, 128, 0x1.b90118p-2F},
      {33, 199, 0x1.65a78p-2F},
      {40, 77, 0x1.e17e16p-1F},
      {49, 240, 0x1.e4eb06p-1F},
      {49, 255, 0x1.9ad33cp-2F}}},
    {"learned --len 13 --d 10 --init uniform:-0.7,2.9 --seed -5",
     0xec735d8a753ffccf,
     {{0, 0, 0x1.5351d2p+1F},
      {6, 5, 0x1.bbb67p+0F},
      {10, 1, 0x1.70ca54p+1F},
      {11, 0, 0x1.e97fa4p+0F},
      {12, 0, -0x1.5d9e6cp-5F},
      {12, 9, 0x1.064242p+1F}}},
    {"learned --len 3 --d 3 --init uniform:0,1 --burn 1",
     0x06b6f1a3000cace8,
     {{0, 0, 0x1.5cfbccp-1F},
      {0, 1, 0x1.d4944ep-1F},
      {0, 2, 0x1.96a15cp-2F},
      {1, 1, 0x1.ad796p-2F},
      {2, 0, 0x1.e7cd4ap-1F},
      {2, 2, 0x1.7b5a68p-3F}}},
    {"learned --len 20 --d 33 --init trunc-normal:0,1,-2,2 --seed 9",
     0x81d7970ba3e10a5e,
     {{0, 0, 0x1.86f75cp-2F},
      {0, 17, -0x1.8038acp-2F},
      {10, 16, 0x1.d3721ep+0F},
      {15, 24, 0x1.2605a6p+0F},
      {19, 17, -0x1.10718ap-3F},
      {19, 32, 0x1.327a8cp-1F}}},
    {"learned --len 20 --d 33 --init trunc-normal:0.1,0.5,-0.4,0.7 --seed 9",
     0xd2aa988c4fb09aee,
     {{0, 0, 0x1.170418p-2F},
      {10, 16, 0x1.5b7802p-1F},
      {13, 25, 0x1.2bc98p-8F},
      {18, 28, 0x1.6cf3ep-8F},
      {19, 17, 0x1.3abfecp-4F},
      {19, 32, 0x1.68f014p-2F}}},
    {"learned --len 30 --d 20 --init xavier-uniform --seed 4294967295",
     0xc7fb66f334439eb1,
     {{0, 0, 0x1.5e5332p-2F},
      {15, 10, 0x1.30d0fap-2F},
      {28, 11, 0x1.af1836p-3F},
      {29, 4, 0x1.8ace24p-3F},
      {29, 19, -0x1.80c7aep-3F}}},
    {"bert",
     0xc1b7a57185cc116a,
     {{0, 0, 0x1.0729cep-10F},
      {99, 36, 0x1.ed6836p-7F},
      {139, 506, -0x1.3a2be6p-6F},
      {256, 384, -0x1.8d0fb2p-12F},
      {511, 752, -0x1.bc9ecp-6F},
      {511, 767, -0x1.68d6bcp-7F}}},
    {"timm-vit --burn 1",
     0x704536e4d319a7b9,
     {{0, 0, 0x1.01f132p-8F},
      {55, 264, -0x1.3922ccp-9F},
      {98, 384, -0x1.32565cp-6F},
      {172, 446, -0x1.2eb60cp-11F},
      {196, 752, 0x1.edd8a2p-14F},
      {196, 767, 0x1.55a45cp-10F}}},
    {"fairseq-learned",
     0x3824dd1e914ea6c1,
     {{0, 0, -0x1.3805a2p-6F},
      {513, 256, -0x1.17da22p-5F},
      {616, 431, -0x1.b4e438p-6F},
      {790, 359, -0x1.67888p-7F},
      {1025, 496, 0x1.c5ce76p-4F},
      {1025, 511, 0x1.e96cf2p-5F}}},
    {"clip-vision",
     0xc6cd463a5c6a6b83,
     {{0, 0, -0x1.4ccd5p-5F},
      {25, 384, -0x1.349c9ap-5F},
      {26, 598, 0x1.0316f6p-5F},
      {34, 599, -0x1.6c2992p-9F},
      {49, 752, -0x1.b03a94p-5F},
      {49, 767, 0x1.5481fep-6F}}},
    {"detr-learned --num-pos-feats 8 --height 5 --width 7",
     0x192e8ebafcf87742,
     {{0, 0, 0x1.6cd2f8p-1F},
      {3, 6, 0x1.d3d99p-1F},
      {29, 2, 0x1.253278p-1F},
      {40, 3, 0x1.71e282p-1F},
      {79, 0, 0x1.42f31p-1F},
      {79, 6, 0x1.42f31p-1F}}},
    {"learned --len 50 --d 256 --rng torch-scalar",
     0x569c66c49eba71ed,
     {{0, 0, -0x1.20370ap+0F},
      {15, 66, -0x1.3fa51p+1F},
      {23, 242, -0x1.39962cp-1F},
      {25, 128, -0x1.67aaaep-1F},
      {49, 240, -0x1.8c4c74p+0F},
      {49, 255, 0x1.1e4c48p-4F}}},
    {"learned --len 7 --d 9 --seed 42 --init normal:1.5,0.3 --rng torch-scalar",
     0xd9ed1e8f40ac8f13,
     {{0, 0, 0x1.09fe58p+1F},
      {3, 4, 0x1.c20982p+0F},
      {4, 0, 0x1.987d6ep+0F},
      {5, 1, 0x1.212dbap+0F},
      {6, 0, 0x1.2f01ecp+0F},
      {6, 8, 0x1.ad18e6p-1F}}},
    {"learned --len 13 --d 10 --init uniform:-0.7,2.9 --seed -5 --rng torch-scalar",
     0xd52667148ce250f7,
     {{0, 0, 0x1.5351d2p+1F},
      {6, 5, 0x1.bbb67p+0F},
      {7, 4, 0x1.f87e2cp-2F},
      {8, 3, 0x1.a12cc8p-3F},
      {12, 0, -0x1.5d9e6p-5F},
      {12, 9, 0x1.064242p+1F}}},
    {"learned --len 20 --d 33 --init trunc-normal:0,1,-2,2 --seed 9 --rng torch-scalar",
     0x4f238f68b6da6bb3,
     {{0, 0, 0x1.86f75cp-2F},
      {6, 30, -0x1.96acaap-1F},
      {10, 16, 0x1.d37224p+0F},
      {17, 30, -0x1.9f53c2p-4F},
      {19, 17, -0x1.10718ap-3F},
      {19, 32, 0x1.327a8cp-1F}}},
};

/// Returns the FNV-1a hash of the bits of the floats.
std::uint64_t checksum(const std::vector<double>& values) {
    std::uint64_t sum = 14695981039346656037U;
    for (const double value : values) {
        sum = (sum ^ std::bit_cast<std::uint32_t>(static_cast<float>(value))) * 1099511628211U;
    }
    return sum;
}

std::vector<double> elements(const std::vector<double>& values, std::size_t first,
                             std::size_t last) {
    return {values.begin() + static_cast<std::ptrdiff_t>(first),
            values.begin() + static_cast<std::ptrdiff_t>(last)};
}

}  // namespace

TEST_CASE("learned: has the bits of PyTorch's tables") {
    for (const Drawn& table : drawn) {
        CAPTURE(table.command);
        const std::vector<double> values = values_of(table.command);
        CHECK(checksum(values) == table.checksum);
        const std::int64_t columns = table_of(table.command).shape.columns();
        for (const Point& point : table.points) {
            CAPTURE(point.row);
            CAPTURE(point.channel);
            CHECK(values[static_cast<std::size_t>(point.row * columns + point.channel)] ==
                  static_cast<double>(point.value));
        }
    }
}

TEST_CASE("learned: the inverse of erf has PyTorch's own slope, not the nearest") {
    const std::vector<double> values = values_of("timm-vit --burn 1 --len 197 --d 192 --seed 7");
    CHECK(values[117 * 192 + 85] == -0x1.c4b006p-7);
}

TEST_CASE("learned: any rows, in any order and from many threads, are those of the whole") {
    // A tensor of 1501 values ends with a partial block, which crosses rows; reading 1501 rows one
    // by one needs more generator states than are kept.
    for (const char* command :
         {"learned --len 1501 --d 19", "learned --len 79 --d 19",
          "learned --len 1501 --d 19 --init uniform:0,1 --burn 1", "learned --len 5 --d 2"}) {
        CAPTURE(command);
        const std::vector<double> whole = values_of(command);
        const Table table = table_of(command);
        const std::int64_t rows = table.shape.rows();
        const auto columns = static_cast<std::size_t>(table.shape.columns());
        std::vector<char> is_same(static_cast<std::size_t>(rows));
        parallel_for(rows, [&](std::int64_t i) {
            const std::int64_t row = i % 2 == 0 ? i : rows - 1 - (rows - 1 - i) / 2 * 2;
            const std::int64_t count = std::min<std::int64_t>(1 + i % 3, rows - row);
            const auto first = static_cast<std::size_t>(row) * columns;
            is_same[static_cast<std::size_t>(i)] =
                read_rows(table, {row, count}) ==
                elements(whole, first, first + static_cast<std::size_t>(count) * columns);
        });
        CHECK(std::ranges::count(is_same, 1) == rows);
        CHECK(read_rows(table, {0, rows}) == whole);
    }
}

TEST_CASE("learned: the last block of 16 is drawn anew where 16 does not divide the size") {
    const std::vector<double> whole = values_of("learned --len 6 --d 8");
    const std::vector<double> part = values_of("learned --len 5 --d 8");
    CHECK(elements(part, 0, 24) == elements(whole, 0, 24));
    for (std::size_t i = 24; i < 40; ++i) CHECK(part[i] != whole[i]);
}

TEST_CASE("learned: a burn consumes what normal_ does") {
    // A tensor of 16 values or more takes one draw per value, and 16 more if the last block is
    // drawn again. A smaller tensor takes four draws for each pair of values.
    const std::vector<double> stream = values_of("learned --len 200 --d 1 --init uniform:0,1");
    const auto is_at = [&](const char* command, std::size_t draw) {
        const std::vector<double> values = values_of(command);
        return values == elements(stream, draw, draw + values.size());
    };
    CHECK(is_at("learned --len 4 --d 8 --init uniform:0,1", 0));
    CHECK(is_at("learned --len 4 --d 8 --init uniform:0,1 --burn 1", 32));
    CHECK(is_at("learned --len 5 --d 7 --init uniform:0,1 --burn 3", 3 * (35 + 16)));
    CHECK(is_at("learned --len 5 --d 3 --init uniform:0,1 --burn 1", 4 * 8));
    CHECK(is_at("learned --len 5 --d 3 --init uniform:0,1 --burn 2", 4 * 15));
    // The unused half of a pair is used by the next tensor.
    const std::vector<double> six = values_of("learned --len 6 --d 1");
    CHECK(values_of("learned --len 3 --d 1 --burn 1") == elements(six, 3, 6));
}

TEST_CASE("learned: the padding row is zero, the others stay") {
    std::vector<double> values = values_of("learned --len 5 --d 8");
    std::fill(values.begin() + 16, values.begin() + 24, 0.0);
    CHECK(values_of("learned --len 5 --d 8 --padding-row 2") == values);
}

TEST_CASE("learned: other dtypes hold the floats, rounded once") {
    const std::vector<double> floats = values_of("learned --len 9 --d 7");
    CHECK(values_of("learned --len 9 --d 7", DType::float64) == floats);
    const std::vector<double> halves = values_of("learned --len 9 --d 7", DType::float16);
    for (std::size_t i = 0; i < floats.size(); ++i) {
        CHECK(std::fabs(halves[i] - floats[i]) <= std::fabs(floats[i]) * 0x1p-11);
    }
    CHECK(halves != floats);
}

TEST_CASE("learned: the low 32 bits of the seed count") {
    const std::vector<double> values = values_of("learned --len 4 --d 8 --seed 1");
    CHECK(values_of("learned --len 4 --d 8 --seed 4294967297") == values);
    CHECK(values_of("learned --len 4 --d 8 --seed -4294967295") == values);
    CHECK(values_of("learned --len 4 --d 8 --seed 2") != values);
}

TEST_CASE("learned: the two paths differ, but hardly") {
    const std::vector<double> vectors = values_of("learned --len 100 --d 64");
    const std::vector<double> scalars = values_of("learned --len 100 --d 64 --rng torch-scalar");
    double most = 0;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        most = std::max(most, std::fabs(vectors[i] - scalars[i]));
    }
    CHECK(most > 0);
    CHECK(most < 4e-6);
}

TEST_CASE("learned: the values are distributed as --init says") {
    const auto moments = [](const char* command) {
        const std::vector<double> values = values_of(command);
        double sum = 0;
        double squares = 0;
        for (const double value : values) {
            sum += value;
            squares += value * value;
        }
        const double mean = sum / static_cast<double>(values.size());
        return std::pair(mean, squares / static_cast<double>(values.size()) - mean * mean);
    };
    const auto [mean, variance] = moments("learned --len 400 --d 250 --init normal:3,2 --seed 5");
    CHECK(mean == doctest::Approx(3).epsilon(0.01));
    CHECK(variance == doctest::Approx(4).epsilon(0.02));
    const auto [middle, spread] = moments("learned --len 400 --d 250 --init trunc-normal:0,1,-1,1");
    CHECK(std::fabs(middle) < 0.01);
    CHECK(spread == doctest::Approx(0.2911).epsilon(0.02));  // 1 - 2 phi(1) / (2 Phi(1) - 1)
    for (const double value : values_of("learned --len 60 --d 90 --init xavier-uniform")) {
        CHECK(std::fabs(value) <= 0.2F);  // sqrt(6 / (60 + 90))
    }
}

TEST_CASE("learned: what --init cannot be is refused") {
    const auto refusal = [](const std::string& init) {
        return refusal_of("learned --len 4 --init " + init);
    };
    CHECK(refusal("norml:0,1") ==
          "--init norml:0,1: must begin with one of normal, uniform, trunc-normal, constant, "
          "xavier-uniform; did you mean 'normal'?");
    CHECK(refusal("normal:1") == "--init normal:1: must have the form normal:MEAN,STD");
    CHECK(refusal("normal") == "--init normal: must have the form normal:MEAN,STD");
    CHECK(refusal("xavier-uniform:1") ==
          "--init xavier-uniform:1: must have the form xavier-uniform");
    CHECK(refusal("normal:0,-1") == "--init normal:0,-1: STD must be at least 0");
    CHECK(refusal("trunc-normal:0,0,-1,1") ==
          "--init trunc-normal:0,0,-1,1: STD must be greater than 0");
    CHECK(refusal("uniform:1,0") == "--init uniform:1,0: LOW must not be greater than HIGH");
    CHECK(refusal("constant:1e38") == "--init constant:1e38: numbers end at 1e37");
    CHECK(refusal("uniform:0,1,") == "--init uniform:0,1,: must have the form uniform:LOW,HIGH");
    CHECK(refusal("normal:0,x") == "--init x: not a number");
    CHECK(refusal("trunc_normal:0,1,-2,2") == "accepted");
    CHECK(refusal("normal:0,1/sqrt(d)") == "accepted");
    CHECK(refusal("normal:0,0") == "accepted");
}

TEST_CASE("learned: what does not go together is refused") {
    CHECK(refusal_of("learned --len 4 --init constant:70000", DType::float16) ==
          "--dtype float16: cannot hold the largest value --init can give, 70000; its largest "
          "value is 65504");
    CHECK(refusal_of("learned --len 4000000000000 --d 1000000 --burn 1000000") != "accepted");
}

TEST_CASE("learned: a table too large for any memory gives its rows") {
    const Table table = table_of("learned --len 1000000000000 --d 16");
    CHECK(read_rows(table, {0, 3}) == values_of("learned --len 3 --d 16"));
    CHECK(read_rows(table, {1000, 1}) ==
          elements(values_of("learned --len 1001 --d 16"), 16000, 16016));
}

TEST_CASE("learned-grid: the column's channels come first, then the row's") {
    // DETR draws the row embedding first; the uniform values of both embeddings come after the
    // normals that first fill them.
    const std::vector<double> row = values_of("learned --len 11 --d 3 --init uniform:0,1 --burn 2");
    const std::vector<double> grid =
        values_of("learned-grid --num-pos-feats 3 --max-size 11 --height 2 --width 4");
    CHECK(table_of("learned-grid --num-pos-feats 3 --height 2 --width 4").shape ==
          Shape{1, 6, 2, 4});
    // An embedding with 33 values takes 49 draws.
    const std::vector<double> stream = values_of("learned --len 300 --d 1 --init uniform:0,1");
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t y = 0; y < 2; ++y) {
            for (std::size_t x = 0; x < 4; ++x) {
                CHECK(grid[(c * 2 + y) * 4 + x] == stream[2 * 49 + 33 + x * 3 + c]);
                CHECK(grid[((3 + c) * 2 + y) * 4 + x] == row[y * 3 + c]);
            }
        }
    }
}

TEST_CASE("learned-grid: the sum is of floats") {
    const std::string size = "learned-grid --num-pos-feats 5 --height 3 --width 4";
    const std::vector<double> both = values_of(size);
    const std::vector<double> sum = values_of(size + " --combine sum");
    REQUIRE(sum.size() * 2 == both.size());
    for (std::size_t i = 0; i < sum.size(); ++i) {
        CHECK(sum[i] == static_cast<float>(both[i] + both[sum.size() + i]));
    }
}
