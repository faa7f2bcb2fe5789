#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "encodings/cell.h"
#include "encodings/npy_file.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"
#include "numerics/real.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

TEST_CASE("relpos: two copies and another chain, by hand") {
    const std::string reach = " --max-residue 1 --max-chain 1";
    CHECK(values_of("relpos --chains 2x2,1" + reach) ==
          std::vector<double>{
              1, 0, 3, 3, 3, 2, 1, 3, 3, 3, 3, 3, 1, 0, 3, 3, 3, 2, 1, 3, 3, 3, 3, 3, 1,  //
              1, 3, 3, 3, 3, 3, 1, 3, 3, 3, 3, 3, 1, 3, 3, 3, 3, 3, 1, 3, 3, 3, 3, 3, 1,  //
              1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1,  //
              1, 1, 0, 0, 3, 1, 1, 0, 0, 3, 2, 2, 1, 1, 3, 2, 2, 1, 1, 3, 3, 3, 3, 3, 1});
    CHECK(values_of("relpos --chains 2,1 --blocks entity,residue --table one-hot" + reach) ==
          std::vector<double>{1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1,  //
                              1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1,  //
                              0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0});
}

TEST_CASE("relpos: the one-hot table is that of Protenix, with atoms that share a residue") {
    // RelativePositionEncoding.generate_relp of bytedance/Protenix, r_max 3, s_max 1.
    constexpr std::string_view expected =
        "000100000001000010100001000000000000110100010000000000000110100"
        "000000010000000111000000000010000000111000000000010000000111000"
        "000010000000000110100000100000001000010100001000000000000110100"
        "000000010000000111000000000010000000111000000000010000000111000"
        "000001000000000110100000010000000000110100000100000001000010100"
        "000000010000000111000000000010000000111000000000010000000111000"
        "000000010000000110010000000010000000110010000000010000000110010"
        "000100000001000010100001000000000000110100001000000000000110100"
        "000000010000000110010000000010000000110010000000010000000110010"
        "000010000000000110100000100000001000010100000100000010000010100"
        "000000010000000110010000000010000000110010000000010000000110010"
        "000010000000000110100000100000000100010100000100000001000010100";
    const TemporaryFolder folder;
    put(folder.path("residue.csv"), "residue_index\n1\n2\n3\n1\n2\n2\n");
    put(folder.path("asym.npy"), npy_of_doubles("(6,)", {0, 0, 0, 1, 1, 1}));
    put(folder.path("entity.txt"), "0 0 0 0 0 0");
    const std::string files = fmt::format(
        " --residue-index {} --asym-id {} --entity-id {} --sym-id {}", folder.path("residue.csv"),
        folder.path("asym.npy"), folder.path("entity.txt"), folder.path("asym.npy"));
    const Table table = table_of("protenix --table one-hot --max-residue 3 --max-chain 1" + files);
    CHECK(table.shape == Shape{6, 6, 21});
    std::string digits;
    for (const double value : all_values(table)) digits += value == 0 ? '0' : '1';
    CHECK(digits == expected);
}

TEST_CASE("relpos: rings and copies are those of Boltz") {
    // RelativePositionEncoder of jwohlwend/boltz, encoders.py, r_max 4, s_max 1.
    const TemporaryFolder folder;
    put(folder.path("ring.txt"), "5 5 5 5 5 0 0");
    put(folder.path("sym.txt"), "1 1 1 1 1 2 2");
    const std::string command = fmt::format(
        "boltz-relpos --max-residue 4 --max-chain 1 --chains 5,2 --cyclic-period {} "
        "--sym-id {} --blocks ",
        folder.path("ring.txt"), folder.path("sym.txt"));
    CHECK(values_of(command + "residue") ==
          std::vector<double>{4, 3, 2, 6, 5, 9, 9, 5, 4, 3, 2, 6, 9, 9, 6, 5, 4,
                              3, 2, 9, 9, 2, 6, 5, 4, 3, 9, 9, 3, 2, 6, 5, 4, 9,
                              9, 9, 9, 9, 9, 9, 4, 3, 9, 9, 9, 9, 9, 5, 4});
    CHECK(values_of(command + "chain") == std::vector<double>{3, 3, 3, 3, 3, 0, 0, 3, 3, 3, 3, 3, 0,
                                                              0, 3, 3, 3, 3, 3, 0, 0, 3, 3, 3, 3, 3,
                                                              0, 0, 3, 3, 3, 3, 3, 0, 0, 2, 2, 2, 2,
                                                              2, 3, 3, 2, 2, 2, 2, 2, 3, 3});
}

TEST_CASE("relpos: half a ring away, residues keep their offset") {
    const TemporaryFolder folder;
    put(folder.path("ring.txt"), "4 4 4 4 4 4 4");
    CHECK(values_of("alphafold2 --max-residue 9 --cyclic-period " + folder.path("ring.txt")) ==
          std::vector<double>{9, 8,  7,  10, 9,  8,  11, 10, 9, 8,  7,  10, 9,  8,  11, 10, 9,
                              8, 7,  10, 9,  8,  11, 10, 9,  8, 7,  10, 9,  8,  11, 10, 9,  8,
                              7, 10, 9,  8,  11, 10, 9,  8,  7, 10, 9,  8,  11, 10, 9});
}

TEST_CASE("relpos: the ring of a pair is that of its key") {
    const TemporaryFolder folder;
    put(folder.path("ring.txt"), "3 3 3 3 0");
    const std::vector<double> index =
        values_of("alphafold2 --max-residue 9 --cyclic-period " + folder.path("ring.txt"));
    CHECK(index[4 * 5 + 0] == 9 + 1);
    CHECK(index[0 * 5 + 4] == 9 - 4);
}

// RPE of Pointcept/PointTransformerV3, model.py, with pos_bnd 3 and a table of k^2 / 8.
TEST_CASE("relpos: the bias of points is that of Point Transformer V3") {
    std::vector<double> weights;
    for (int k = 0; k < 42; ++k) weights.push_back(k * k / 8.0);
    const TemporaryFolder folder;
    put(folder.path("grid.npy"), npy_of_doubles("(4, 3)", {0, 0, 0, 1, 5, 2, 9, 4, -3, 3, 3, 3}));
    put(folder.path("table.npy"), npy_of_doubles("(21, 2)", weights));
    const std::string command = "relpos --max-point 3 --d 2 --points ";
    const std::string own = fmt::format("{}{} --weights {} --table ", command,
                                        folder.path("grid.npy"), folder.path("table.npy"));
    CHECK(values_of(own + "bias") ==
          std::vector<double>{199.0,   139.0,   224.5,   122.5,   273.0,   199.0,   260.5,
                              200.5,   200.5,   156.5,   199.0,   176.5,   302.5,   206.5,
                              240.5,   199.0,   214.375, 151.375, 238.375, 133.375, 291.375,
                              214.375, 276.375, 215.375, 217.375, 171.375, 214.375, 192.375,
                              322.375, 222.375, 255.375, 214.375});
    const std::vector<double> pairs = values_of(own + "pair"), bias = values_of(own + "bias");
    for (std::size_t i = 0; i < bias.size(); ++i) CHECK(bias[i] == pairs[i % 16 * 2 + i / 16]);
    CHECK(refusal_of("relpos --blocks points") == "--blocks points: points needs --points");
    put(folder.path("half.npy"), npy_of_doubles("(1, 2)", {0, 0.5}));
    CHECK_THROWS_AS(table_of(command + folder.path("half.npy")), FormatError);
}

TEST_CASE("relpos: a single chain has the index of shaw") {
    CHECK(values_of("rfdiffusion --len 50 --max-residue 20,7") ==
          values_of("shaw --len 50 --left 20 --right 7"));
    CHECK(values_of("alphafold2 --len 50 --max-residue 20") ==
          values_of("shaw --len 50 --max-distance 20 --sign query-key"));
    std::vector<double> later = values_of("shaw --len 50 --max-distance 32");
    for (double& row : later) ++row;
    CHECK(values_of("esmfold --len 50") == later);
    CHECK(values_of("alphafold2 --len 1100", DType::int32) ==
          values_of("shaw --len 1100 --max-distance 32 --sign query-key", DType::int32));
}

TEST_CASE("relpos: the index is that of each cell by itself, with every option") {
    const TemporaryFolder folder;
    std::string command = "relpos --max-residue 2,3 --max-chain 1";
    for (const auto& [name, ids] : {std::pair{"residue-index", "3 4 5 5 5 9 1 2 -7 4 2 2"},
                                    {"asym-id", "0 0 0 0 0 0 1 1 1 2 2 2"},
                                    {"entity-id", "5 5 5 5 5 5 5 5 5 8 8 8"},
                                    {"sym-id", "1 1 1 1 1 1 2 2 2 1 1 1"},
                                    {"cyclic-period", "0 0 0 0 0 0 3 3 3 4 4 4"}}) {
        const std::string path = folder.path(fmt::format("{}.txt", name));
        put(path, ids);
        command += fmt::format(" --{} {}", name, path);
    }
    for (const std::string other : {"last", "first", "none"}) {
        for (const char* const options :
             {"", " --sign key-query", " --chain-offsets other-chain", " --entities order"}) {
            const std::string settings = command + " --other " + other + options;
            CAPTURE(settings);
            const Table table = table_of(settings, DType::int64);
            const std::vector<double> index = all_values(table);
            CHECK(index == values_of(settings, DType::float16));
            const Plan plan =
                plan_of(*find_encoding("relpos"), table.provenance.parameters, "index");
            for (std::size_t i = 0; i < index.size(); ++i) {
                const auto place = index_of(static_cast<std::int64_t>(i), table.shape.extents());
                CHECK(index[i] == numerics::nearest_double(plan.cell(place).value.value()));
            }
        }
    }
}

TEST_CASE("relpos: exchanging the tokens of a pair turns every offset over") {
    const std::vector<double> index = values_of(
        "relpos --chains 7x3,5 --max-residue 4 --entities order --blocks "
        "residue,entity,chain");
    constexpr std::size_t n = 26;
    const std::size_t sums[] = {8, 2, 4}, other[] = {9, 9, 5};
    for (std::size_t i = 0; i < index.size(); ++i) {
        const std::size_t block = i / (n * n), query = i / n % n, key = i % n;
        const double turned = index[(block * n + key) * n + query];
        const bool has_offset = index[i] < static_cast<double>(other[block]);
        CHECK(index[i] + turned ==
              static_cast<double>(has_offset ? sums[block] : 2 * other[block]));
    }
}

TEST_CASE("relpos: the vector of a pair is the sum of the rows of its classes") {
    for (const std::string other : {"last", "first", "none"}) {
        const std::string settings =
            "relpos --chains 3x2,2 --max-residue 2 --max-chain 1 --other " + other + " --table ";
        const Table one_hot = table_of(settings + "one-hot");
        const std::int64_t channels = one_hot.shape[2];
        const std::vector<double> rows =
            values_of(fmt::format("learned --len {} --d 3 --seed 4", channels));
        const std::vector<double> ones = all_values(one_hot);
        const std::vector<double> pairs =
            values_of(settings + "pair --d 3 --seed 4", DType::float64);
        REQUIRE(pairs.size() == 64 * 3);
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            double sum = 0;
            for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c) {
                sum += ones[i / 3 * channels + c] * rows[c * 3 + i % 3];
            }
            CHECK(pairs[i] == doctest::Approx(sum).epsilon(1e-14));
        }
    }
}

TEST_CASE("relpos: sums are rounded once, however their terms cancel") {
    // Channels of the only pair: residue 0, token 2, entity 4, copy 5.
    const TemporaryFolder folder;
    put(folder.path("w.npy"),
        npy_of_doubles("(7, 1)", {0x1p900, 0, 0x1p-900, 0, -0x1p900, 0x1p-900, 0}));
    const std::string command = "relpos --len 1 --d 1 --max-residue 0 --max-chain 0 --table pair";
    CHECK(values_of(command + " --weights " + folder.path("w.npy"), DType::float64) ==
          std::vector<double>{0x1p-899});
    put(folder.path("w.npy"), npy_of_doubles("(7, 1)", {1, 0, 0x1p-24, 0, 0x1p-80, 0, 0}));
    CHECK(values_of(command + " --weights " + folder.path("w.npy")) ==
          std::vector<double>{1 + 0x1p-23});
    CHECK(values_of("relpos --len 1 --d 1 --max-residue 0 --max-chain 0 --table bias --weights " +
                    folder.path("w.npy")) == std::vector<double>{1 + 0x1p-23});
}

TEST_CASE("relpos: ids are whole numbers, as many in each file") {
    const TemporaryFolder folder;
    put(folder.path("half.txt"), "1 1.5");
    put(folder.path("three.txt"), "1 1 2");
    CHECK_THROWS_WITH_AS(table_of("relpos --asym-id " + folder.path("half.txt")),
                         (folder.path("half.txt") + ": id 1, 1.5: must be a whole number").c_str(),
                         FormatError);
    CHECK(refusal_of("relpos --chains 2 --sym-id " + folder.path("three.txt")) ==
          "--sym-id: 3 tokens, but --chains has 2; all need as many");
    CHECK(refusal_of("relpos --len 3 --sym-id " + folder.path("three.txt")) == "accepted");
    CHECK(refusal_of("relpos --len 4 --sym-id " + folder.path("three.txt")) ==
          "--sym-id: 3 tokens, but --len has 4; all need as many");
}

TEST_CASE("relpos: a dtype that cannot hold the sum is refused") {
    const std::string command = "relpos --table pair --len 1 --d 1 --init constant:";
    CHECK(values_of(command + "16000", DType::float16) == std::vector<double>{64000});
    CHECK(refusal_of(command + "20000", DType::float16) ==
          "--dtype float16: cannot hold the largest possible sum, 80000; its largest value is "
          "65504");
}
