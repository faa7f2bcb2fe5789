#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

TEST_CASE("shaw: the index is that of tensor2tensor and OpenNMT") {
    // _generate_relative_positions_matrix of tensorflow/tensor2tensor.
    CHECK(values_of("shaw --len 7 --max-distance 3") == std::vector<double>{3, 4, 5, 6, 6, 6, 6,  //
                                                                            2, 3, 4, 5, 6, 6, 6,  //
                                                                            1, 2, 3, 4, 5, 6, 6,  //
                                                                            0, 1, 2, 3, 4, 5, 6,  //
                                                                            0, 0, 1, 2, 3, 4, 5,  //
                                                                            0, 0, 0, 1, 2, 3, 4,  //
                                                                            0, 0, 0, 0, 1, 2, 3});
    CHECK(values_of("shaw --len 3 --key-len 8 --max-distance 4") ==
          std::vector<double>{0, 0, 1, 2, 3, 4, 5, 6,  //
                              0, 0, 0, 1, 2, 3, 4, 5,  //
                              0, 0, 0, 0, 1, 2, 3, 4});
    CHECK(values_of("shaw --len 5 --max-distance 16") ==
          std::vector<double>{16, 17, 18, 19, 20, 15, 16, 17, 18, 19, 14, 15, 16,
                              17, 18, 13, 14, 15, 16, 17, 12, 13, 14, 15, 16});
    // gen_relative_positions of OpenNMT/OpenNMT-py.
    CHECK(values_of("shaw --len 6 --max-distance 2") ==
          std::vector<double>{2, 3, 4, 4, 4, 4, 1, 2, 3, 4, 4, 4, 0, 1, 2, 3, 4, 4,
                              0, 0, 1, 2, 3, 4, 0, 0, 0, 1, 2, 3, 0, 0, 0, 0, 1, 2});
}

TEST_CASE("shaw: the index is antisymmetric about its centre, the other sign is the other side") {
    const std::vector<double> index = values_of("shaw --len 50 --max-distance 20");
    const std::vector<double> other = values_of("shaw --len 50 --max-distance 20 --sign query-key");
    for (std::size_t query = 0; query < 50; ++query) {
        for (std::size_t key = 0; key < 50; ++key) {
            CHECK(index[query * 50 + key] + index[key * 50 + query] == 40);
            CHECK(other[query * 50 + key] == index[key * 50 + query]);
        }
    }
}

TEST_CASE("shaw: distances beyond are clipped on either side, have no row, or are refused") {
    CHECK(values_of("shaw --len 4 --left 2 --right 1") ==
          std::vector<double>{2, 3, 3, 3, 1, 2, 3, 3, 0, 1, 2, 3, 0, 0, 1, 2});
    CHECK(values_of("shaw --len 4 --max-distance 2 --right 1") ==
          values_of("shaw --len 4 --left 2 --right 1"));
    CHECK(values_of("shaw --len 3 --max-distance 1 --outside zero") ==
          std::vector<double>{1, 2, -1, 0, 1, 2, -1, 0, 1});
}

TEST_CASE("shaw: the tables of keys and values are drawn one after the other") {
    const std::string size = " --max-distance 3 --d 5 --seed 9";
    CHECK(values_of("shaw" + size + " --table key") == values_of("learned --len 7 --d 5 --seed 9"));
    CHECK(values_of("shaw" + size + " --table value") ==
          values_of("learned --len 7 --d 5 --seed 9 --burn 1"));
    const std::string uniform = size + " --init uniform:0,1";
    const std::vector<double> both =
        values_of("learned --len 14 --d 5 --seed 9 --init uniform:0,1");
    const std::vector<double> keys = values_of("shaw" + uniform + " --table key");
    const std::vector<double> values = values_of("shaw" + uniform + " --table value");
    CHECK(std::equal(keys.begin(), keys.end(), both.begin()));
    CHECK(std::equal(values.begin(), values.end(), both.begin() + 35));
}

TEST_CASE("shaw: each pair has the vector of its row, or zeros") {
    for (const std::string name : {"key", "value"}) {
        for (const std::string outside : {"clip", "zero"}) {
            const std::string settings = fmt::format(
                "shaw --len 4 --key-len 6 --d 3 --max-distance 2 --outside {}", outside);
            const std::vector<double> index = values_of(settings);
            const std::vector<double> table = values_of(settings + " --table " + name);
            const Table gathered = table_of(settings + " --table " + name + "-gathered");
            CHECK(gathered.shape == Shape{4, 6, 3});
            const std::vector<double> vectors = all_values(gathered);
            for (std::size_t i = 0; i < vectors.size(); ++i) {
                const double row = index[i / 3];
                CHECK(vectors[i] ==
                      (row < 0 ? 0 : table[static_cast<std::size_t>(row) * 3 + i % 3]));
            }
        }
    }
}

TEST_CASE("shaw: weights of a file stand where they stood") {
    const std::vector<double> rows{0.1, 1, 2.5, -3, 4, 5};
    std::string bytes(rows.size() * sizeof(double), '\0');
    std::memcpy(bytes.data(), rows.data(), bytes.size());
    const TemporaryFolder folder;
    put(folder.path("k.npy"), npy_file("<f8", "False", "(3, 2)", bytes));
    const std::string settings =
        fmt::format("shaw --len 2 --max-distance 1 --d 2 --value-table {}", folder.path("k.npy"));
    CHECK(values_of(settings + " --table value", DType::float64) == rows);
    CHECK(values_of(settings + " --table value-gathered", DType::float64) ==
          std::vector<double>{2.5, -3, 4, 5, 0.1, 1, 2.5, -3});
    CHECK(values_of(settings + " --table key") == values_of("learned --len 3 --d 2"));
}

TEST_CASE("shaw: a shift puts rows before those of distances, in the index and in the tables") {
    const auto index = values_of("shaw --len 3 --key-len 5 --max-distance 2", DType::int64);
    auto shifted = index;
    for (double& row : shifted) row += 3;
    CHECK(values_of("shaw --len 3 --key-len 5 --max-distance 2 --shift 3", DType::int64) ==
          shifted);
    const std::string command = "shaw --len 3 --max-distance 1 --outside zero --d 4 --shift 2";
    CHECK(values_of(command, DType::int64) == std::vector<double>{3, 4, -1, 2, 3, 4, -1, 2, 3});
    const auto table = values_of(command + " --table key");
    const auto gathered = values_of(command + " --table key-gathered");
    CHECK(table.size() == 5 * 4);
    for (std::size_t i = 0; i < gathered.size(); ++i) {
        const double row = values_of(command, DType::int64)[i / 4];
        CHECK(gathered[i] == (row < 0 ? 0 : table[static_cast<std::size_t>(row) * 4 + i % 4]));
    }
}
