#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "encodings/table_of.h"

using namespace pegen;

TEST_CASE("deberta: a small table by hand") {
    CHECK(values_of("deberta --len 6 --position-buckets 4 --max-position 6") ==
          std::vector<double>{0, -1, -2, -3, -3, -3,  //
                              1, 0,  -1, -2, -3, -3,  //
                              2, 1,  0,  -1, -2, -3,  //
                              3, 2,  1,  0,  -1, -2,  //
                              3, 3,  2,  1,  0,  -1,  //
                              3, 3,  3,  2,  1,  0});
}

TEST_CASE("deberta: queries and keys both count from 0, as in the code bases") {
    CHECK(values_of("deberta --len 2 --key-len 4") ==
          std::vector<double>{0, -1, -2, -3, 1, 0, -1, -2});
    CHECK(values_of("deberta --len 4 --key-len 2") == std::vector<double>{0, -1, 1, 0, 2, 1, 3, 2});
    // build_relative_position(5, 300, 256, 512) of huggingface/transformers and of
    // microsoft/DeBERTa: elements 0, 299, 599, 899, 1199 and 1499.
    const std::vector<double> values = values_of("deberta --len 5 --key-len 300");
    const std::vector<double> known{0, -206, -206, -206, -205, -205};
    for (std::size_t i = 0; i < known.size(); ++i) CHECK(values[i * 1499 / 5] == known[i]);
    const Table table = table_of("deberta --len 3 --key-len 300 --clamp");
    CHECK(table.axes[0].positions->operator[](0) == 0);
    CHECK(all_values(table) == [] {
        std::vector<double> all = values_of("deberta --len 300 --clamp");
        all.resize(900);
        return all;
    }());
}

TEST_CASE("deberta: a bucket ends with the distance on its border") {
    // Borders at 4 * 2^k for k = 1, 2, 3 and so on.
    const Table table = table_of("deberta --len 80 --position-buckets 8 --max-position 33");
    const std::vector<double> row = read_rows(table, {79, 1});
    for (std::size_t distance = 0; distance < 80; ++distance) {
        const double bucket = distance <= 4    ? static_cast<double>(distance)
                              : distance <= 8  ? 5
                              : distance <= 16 ? 6
                              : distance <= 32 ? 7
                              : distance <= 64 ? 8
                                               : 9;
        CHECK(row[79 - distance] == bucket);
    }
    // Logarithms computed in double put these distances one bucket too high.
    const std::vector<double> others =
        read_rows(table_of("deberta --len 65 --position-buckets 32 --max-position 129"), {64, 1});
    CHECK(others[64 - 32] == 16 + 5);
    CHECK(others[64 - 33] == 16 + 6);
    CHECK(others[64 - 64] == 16 + 10);
}

TEST_CASE("deberta: buckets are those of transformers") {
    // make_log_bucket_position(distances, 256, 512) of huggingface/transformers.
    const std::vector<double> row = read_rows(table_of("deberta --len 1001"), {1000, 1});
    const auto check = [&](std::size_t distance, double bucket) {
        CAPTURE(distance);
        CHECK(row[1000 - distance] == bucket);
    };
    check(127, 127);
    check(128, 128);
    check(129, 129);
    check(130, 130);
    check(131, 131);
    check(200, 169);
    check(256, 192);
    check(300, 207);
    check(400, 233);
    check(511, 255);
    check(512, 256);
    check(600, 270);
    check(1000, 317);
}

TEST_CASE("deberta: buckets are antisymmetric and grow with the distance") {
    for (const char* const settings :
         {"", " --clamp", " --position-buckets 32 --max-position 50"}) {
        CAPTURE(settings);
        const Table table = table_of(fmt::format("deberta --len 1601{}", settings), DType::int64);
        const std::vector<double> row = read_rows(table, {800, 1});
        for (std::size_t distance = 1; distance <= 800; ++distance) {
            CHECK(row[800 + distance] == -row[800 - distance]);
            CHECK(row[800 - distance] >= row[801 - distance]);
        }
    }
}

TEST_CASE("deberta: a clamp ends the buckets, the index has a row for each that is left") {
    const std::vector<double> free = values_of("deberta --len 700");
    const std::vector<double> clamped = values_of("deberta --len 700 --clamp");
    const std::vector<double> index = values_of("deberta --len 700 --table index");
    CHECK(*std::ranges::max_element(clamped) == 255);
    CHECK(*std::ranges::max_element(free) > 255);
    for (std::size_t i = 0; i < free.size(); i += 13) {
        CHECK(clamped[i] == std::clamp(free[i], -255.0, 255.0));
        CHECK(index[i] == std::clamp(free[i] + 256, 0.0, 511.0));
    }
}

TEST_CASE("deberta: what does not go together is refused") {
    CHECK(refusal_of("deberta --len 1 --key-len 400000 --position-buckets 65536 --max-position "
                     "32770",
                     DType::int32) ==
          "--dtype int32: cannot hold the largest number, 2686504145; its largest value is "
          "2147483647");
}

TEST_CASE("deberta: the other sign turns a square table over, and a shift moves the index alone") {
    const std::string command = "deberta --len 20 --position-buckets 8 --max-position 16";
    const auto bucket = values_of(command, DType::int64);
    const auto other = values_of(command + " --sign key-query", DType::int64);
    for (std::size_t i = 0; i < 400; ++i) CHECK(other[i] == bucket[i % 20 * 20 + i / 20]);
    const auto index = values_of(command + " --sign key-query --table index --shift -1");
    for (std::size_t i = 0; i < 400; ++i) {
        CHECK(index[i] == std::max(std::min(other[i] + 7, 15.0), 0.0));
    }
}
