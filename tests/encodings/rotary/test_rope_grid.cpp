#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"
#include "numerics/oracle.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

using Values = std::vector<double>;

/// Returns row `row` of the table that a command makes.
Values row_of(const std::string& command, std::int64_t row, DType dtype = DType::float32) {
    return read_rows(table_of(command, dtype), {row, 1});
}

/// Returns each value of a list twice in succession.
Values twice(const Values& values) {
    Values result;
    for (const double value : values) result.insert(result.end(), {value, value});
    return result;
}

void check_near(const Values& values, const Values& expected) {
    REQUIRE(values.size() == expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK(std::fabs(values[i] - expected[i]) < 1e-6);
    }
}

}  // namespace

TEST_CASE("rope-grid: a small table is cos and sin of the index on each axis") {
    // Token 7 of a 2 x 5 grid has y = 1, x = 2.
    const auto cos = [](double p, double k) { return oracle::cos_float(p, 10000, 2 * k, 4); };
    const auto sin = [](double p, double k) { return oracle::sin_float(p, 10000, 2 * k, 4); };
    const Values cosines{cos(1, 0), cos(1, 1), cos(2, 0), cos(2, 1)};
    const std::string command = "rope-grid --height 2 --width 5 --d 8 ";
    Values halves = cosines;
    halves.insert(halves.end(), cosines.begin(), cosines.end());
    CHECK(row_of(command, 7) == halves);
    CHECK(row_of(command + "--layout interleaved", 7) == twice(cosines));
    CHECK(row_of(command + "--layout single", 7) == cosines);
    CHECK(row_of(command + "--layout axis-half", 7) == Values{cos(1, 0), cos(1, 1), cos(1, 0),
                                                              cos(1, 1), cos(2, 0), cos(2, 1),
                                                              cos(2, 0), cos(2, 1)});
    CHECK(row_of(command + "--layout single --axes xy", 7) ==
          Values{cos(2, 0), cos(2, 1), cos(1, 0), cos(1, 1)});
    CHECK(row_of(command + "--layout single --table sin-cos", 7) ==
          Values{sin(1, 0), sin(1, 1), sin(2, 0), sin(2, 1), cos(1, 0), cos(1, 1), cos(2, 0),
                 cos(2, 1)});
    CHECK(table_of(command + "--table sin-cos").shape == Shape{10, 16});
    CHECK(row_of(command + "--table freqs-cis", 7 * 4 + 2) == Values{cos(2, 0), sin(2, 0)});
    CHECK(table_of(command + "--table freqs-cis").shape == Shape{10, 4, 2});
    const Table matrices = table_of(command + "--table matrices");
    CHECK(matrices.shape == Shape{10, 4, 2, 2});
    CHECK(read_rows(matrices, {(7 * 4 + 2) * 2, 2}) ==
          Values{cos(2, 0), -sin(2, 0), sin(2, 0), cos(2, 0)});
}

TEST_CASE("rope-grid: the values are those of EVA-02") {
    const std::string command = "eva02 --height 4 --width 4 --ref-extent 4 --d 16 ";
    check_near(
        row_of(command, 6),
        twice({0.5403023362159729, 0.9950041770935059, 0.9999499917030334, 0.9999995231628418,
               -0.416146844625473, 0.9800665974617004, 0.9998000264167786, 0.9999980330467224}));
    check_near(row_of(command + "--table sin", 6),
               twice({0.8414709568023682, 0.0998334214091301, 0.009999833069741726,
                      0.0009999999310821295, 0.9092974066734314, 0.19866932928562164,
                      0.019998665899038315, 0.0019999986980110407}));
}

TEST_CASE("rope-grid: the complex tables are those of Mistral's Pixtral and of SAM 2") {
    // The last token of a 3 x 5 grid has y = 2, x = 4.
    const std::string options = " --height 3 --width 5 --d 16 --table freqs-cis";
    check_near(
        read_rows(table_of("pixtral" + options), {14 * 8, 8}),
        {-0.416146844625473, 0.9092974066734314, 0.9800665974617004, 0.19866932928562164,
         0.9998000264167786, 0.019998665899038315, 0.9999979734420776, 0.0019999986980110407,
         0.3011374771595001, 0.9535807371139526, 0.9920106530189514, 0.1261540800333023,
         0.9999200105667114, 0.012648774310946465, 0.9999992251396179, 0.001264910795725882});
    check_near(
        read_rows(table_of("sam2-rope" + options), {14 * 8, 8}),
        {-0.6536436080932617, -0.756802499294281, 0.9210609793663025, 0.3894183337688446,
         0.9992001056671143, 0.03998933359980583, 0.9999920129776001, 0.003999989479780197,
         -0.416146844625473, 0.9092974066734314, 0.9800665974617004, 0.19866932928562164,
         0.9998000264167786, 0.019998665899038315, 0.9999979734420776, 0.0019999986980110407});
}

TEST_CASE("rope-grid: every value of cos and sin lies on the unit circle") {
    for (const char* command :
         {"rope-grid --depth 3 --height 4 --width 5 --d 24 --spectrum strided ",
          "rope-grid --height 5 --width 7 --d 16 --coords cells --normalize max ",
          "rope-grid --height 5 --width 7 --d 16 --spectrum sections --prefix-tokens 2 "}) {
        const Values cos = values_of(command + std::string("--table cos"), DType::float64);
        const Values sin = values_of(command + std::string("--table sin"), DType::float64);
        for (std::size_t i = 0; i < cos.size(); ++i) {
            CHECK(cos[i] * cos[i] + sin[i] * sin[i] == doctest::Approx(1).epsilon(1e-15));
        }
    }
}

TEST_CASE("rope-grid: a grid of one row with sections of one spectrum is rope") {
    const Values grid =
        values_of("rope-grid --height 1 --width 9 --d 32 --split 0,32 --layout interleaved");
    CHECK(grid == values_of("rope --len 9 --d 32 --layout interleaved"));
    // The axes share one spectrum, whichever part of it each axis has.
    const Values w = values_of("rope --d 32 --table inv-freq");
    CHECK(values_of("rope-grid --d 32 --spectrum sections --split 12,20 --table inv-freq") == w);
    Values strided = values_of("rope-grid --d 32 --spectrum strided --table inv-freq");
    CHECK(strided[1] == w[2]);
    CHECK(strided[8] == w[1]);
    std::ranges::sort(strided, std::greater());
    CHECK(strided == w);
}

TEST_CASE("rope-grid: bands of frequencies include both ends") {
    CHECK(values_of("rope-grid --d 16 --spectrum linear --freqs 1,7 --table inv-freq") ==
          Values{1, 3, 5, 7, 1, 3, 5, 7});
    CHECK(values_of("rope-grid --d 16 --spectrum geometric --freqs 1,8 --freq-scale 2 --table "
                    "inv-freq") == Values{2, 4, 8, 16, 2, 4, 8, 16});
    CHECK(values_of("rope-grid --d 4 --spectrum linear --freqs 3,7 --table inv-freq") ==
          Values{3, 3});
    CHECK(values_of("rope-grid --d 8 --table wavelengths").size() == 4);
}

TEST_CASE("rope-grid: coordinates are exact quotients") {
    // Each axis has one frequency, 1: the channels are y, x.
    const auto angles = [](const std::string& options, std::int64_t row) {
        Values result;
        for (const double sin :
             row_of("rope-grid --d 4 --layout single " + options + " --table sin", row,
                    DType::float64)) {
            result.push_back(std::asin(sin));
        }
        return result;
    };
    const std::string grid = "--height 2 --width 3 ";
    using doctest::Approx;
    CHECK(angles(grid + "--coords linspace", 4) == Values{std::asin(std::sin(1.0)), 0});
    CHECK(angles("--height 1 --width 3 --coords linspace", 2)[0] == Approx(-1));
    CHECK(angles(grid + "--coords cells", 5)[0] == Approx(0.5));
    CHECK(angles(grid + "--coords cells", 5)[1] == Approx(2.0 / 3));
    CHECK(angles(grid + "--coords cells --normalize max", 5)[0] == Approx(0.0));
    CHECK(angles(grid + "--coords cells --normalize max", 2)[0] == Approx(-2.0 / 3));
    CHECK(angles(grid + "--coords cells --normalize min", 3)[1] == Approx(-0.5));
    CHECK(angles(grid + "--ref-extent 1", 5)[0] == Approx(0.5));
    CHECK(angles(grid + "--ref-extent 1", 5)[1] == Approx(2.0 / 3));
    CHECK(angles(grid + "--ref-extent 2,1 --start 0.5", 5)[0] == Approx(1.5));
    CHECK(angles(grid + "--step 0.25 --start 0.5", 5) ==
          Values{std::asin(std::sin(0.75)), std::asin(std::sin(1.0))});
    // 4 / 3 is no double: 3 of them are 4 exactly.
    CHECK(row_of("rope-grid --height 1 --width 6 --ref-extent 8 --d 4 --table sin", 3,
                 DType::float64)[1] == oracle::sin_double(4, 1, 0, 1));
}

TEST_CASE("rope-grid: tokens around the grid are not rotated") {
    const std::string command = "rope-grid --height 2 --width 3 --d 8 ";
    const std::string around = command + "--prefix-tokens 2 --suffix-tokens 1 ";
    for (const std::string table : {"cos", "sin", "matrices"}) {
        const Values all = values_of(around + "--table " + table);
        const Values grid = values_of(command + "--table " + table);
        const std::size_t values = grid.size() / 6;
        REQUIRE(all.size() == 9 * values);
        CHECK(std::equal(grid.begin(), grid.end(), all.begin() + 2 * static_cast<long>(values)));
        CHECK(std::equal(grid.begin(), grid.begin() + static_cast<long>(values), all.begin()));
        CHECK(std::equal(grid.begin(), grid.begin() + static_cast<long>(values),
                         all.end() - static_cast<long>(values)));
    }
}

TEST_CASE("rope-grid: merged tokens follow each other, block by block") {
    const std::string command = "rope-grid --height 4 --width 6 --d 8 --table freqs-cis";
    const Values along = all_values(table_of(command));
    // The expected order follows Qwen2-VL's rot_pos_emb: reshape(h // 2, 2, w // 2, 2).permute(0,
    // 2, 1, 3).
    const std::vector<std::size_t> order{0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, 12, 13, 18, 19};
    for (const std::string fixed : {"", " --prefix-tokens 1"}) {
        const Values merged = all_values(table_of("rope-grid --height 4 --width 6 --d 8 --merge 2" +
                                                  fixed + " --table freqs-cis"));
        const std::size_t before = fixed.empty() ? 0 : 8;
        std::size_t place = before;
        for (const std::size_t token : order) {
            for (std::size_t i = 0; i < 8; ++i) CHECK(merged[place++] == along[token * 8 + i]);
        }
        CHECK(merged.size() == along.size() + before);
    }
    // The expected order follows Qwen2.5-VL's get_window_index: windows of 4 x 4, and smaller ones
    // at the edge.
    const Values windows = all_values(
        table_of("rope-grid --height 4 --width 6 --d 8 --merge 2 --window 4 --table freqs-cis"));
    std::size_t place = 0;
    for (const std::size_t token :
         std::vector<std::size_t>{0,  1,  6,  7,  2, 3, 8,  9,  12, 13, 18, 19,
                                  14, 15, 20, 21, 4, 5, 10, 11, 16, 17, 22, 23}) {
        for (std::size_t i = 0; i < 8; ++i) CHECK(windows[place++] == along[token * 8 + i]);
    }
    // Each frame of a video has the same order.
    const Values frames = all_values(table_of("rope-grid --depth 2 --height 2 --width 2 --d 12"));
    CHECK(all_values(table_of("rope-grid --depth 2 --height 2 --width 2 --d 12 --merge 2")) ==
          frames);
}

TEST_CASE("rope-grid: any range of rows is that part of the table") {
    const Table table = table_of(
        "rope-grid --depth 2 --height 4 --width 2 --d 12 --prefix-tokens 3 --suffix-tokens 2 "
        "--merge 2 --table matrices");
    const Values all = all_values(table);
    const std::int64_t rows = table.shape.rows();
    for (std::int64_t first = 0; first < rows; first += 7) {
        for (std::int64_t count = 1; count <= rows - first; count += 5) {
            const Values part = read_rows(table, {first, count});
            REQUIRE(std::equal(part.begin(), part.end(), all.begin() + first * 2));
        }
    }
}

TEST_CASE("rope-grid: --order ka takes the axes in turn, each with its frequencies") {
    const auto cos = [](double p, double k) { return oracle::cos_float(p, 10000, 2 * k, 4); };
    const std::string command = "rope-grid --height 2 --width 5 --d 8 --layout single --order ka ";
    const Values in_turn{cos(1, 0), cos(2, 0), cos(1, 1), cos(2, 1)};
    CHECK(row_of(command, 7) == in_turn);
    CHECK(row_of(command + "--axes xy", 7) == Values{cos(2, 0), cos(1, 0), cos(2, 1), cos(1, 1)});
    // Pixtral's frequencies, which the axes take in turn, are then the spectrum of rope.
    CHECK(values_of(command + "--spectrum strided --table inv-freq") ==
          values_of("rope --d 8 --table inv-freq"));
    CHECK(values_of(command + "--spectrum sections --table inv-freq", DType::float64) ==
          Values{1, 0.01, 0.1, 0.001});
}

TEST_CASE("rope-grid: presets that count from the middle do so in every image") {
    CHECK(row_of("qwen-image --height 5 --width 8 --table angles", 0)[8] == -3);
    CHECK(row_of("qwen-image --height 5 --width 8 --table angles", 0)[36] == -4);
    CHECK(row_of("magi-1 --height 4 --width 8 --table angles", 0)[16] == -1.5);
    CHECK(values_of("qwen-image --depth 1 --height 64 --width 64") ==
          values_of("qwen-image --start 0,-32,-32"));
}

TEST_CASE("rope-grid: start, step and base may be one for each axis") {
    const std::string command = "rope-grid --height 3 --width 4 --d 8 --layout single ";
    const Values row = row_of(command + "--start 1,-1 --step 2,0.5 --base 100,10000", 11);
    CHECK(row == Values{oracle::cos_float(5, 100, 0, 4), oracle::cos_float(5, 100, 2, 4),
                        oracle::cos_float(0.5, 10000, 0, 4), oracle::cos_float(0.5, 10000, 2, 4)});
}

TEST_CASE("rope-grid: channels that no axis turns have cos 1 and sin 0, in front or behind") {
    const std::string command = "rope-grid --height 3 --width 4 ";
    for (const char* layout : {"half", "interleaved", "single", "axis-half"}) {
        for (const char* table : {"cos", "sin", "freqs-cis", "matrices"}) {
            CAPTURE(layout);
            CAPTURE(table);
            const std::string form = fmt::format(" --layout {} --table {}", layout, table);
            const Table turned = table_of(command + "--d 8" + form);
            const Table padded = table_of(command + "--d 12 --unrotated 4" + form);
            const Table front =
                table_of(command + "--d 12 --unrotated 4 --unrotated-at front" + form);
            const auto sorted = [](Values values) {
                std::ranges::sort(values);
                return values;
            };
            // At the first point nothing turns, so every row has this row's values more.
            const std::int64_t rows = turned.shape.rows() / 12, more = padded.shape.rows() / 12;
            Values still = read_rows(turned, {0, rows});
            still.resize(still.size() / 2);
            Values expected = read_rows(turned, {7 * rows, rows});
            if (table == std::string("matrices")) still = {1, 0, 0, 1, 1, 0, 0, 1};
            if (table == std::string("freqs-cis")) still = {1, 0, 1, 0};
            expected.insert(expected.end(), still.begin(), still.end());
            CHECK(sorted(read_rows(padded, {7 * more, more})) == sorted(expected));
            CHECK(sorted(read_rows(front, {7 * more, more})) == sorted(expected));
        }
    }
    const auto cos = [](double p, double k) { return oracle::cos_float(p, 10000, 2 * k, 4); };
    CHECK(row_of(command + "--d 10 --unrotated 2 --layout single", 5) ==
          Values{cos(1, 0), cos(1, 1), cos(1, 0), cos(1, 1), 1});
    CHECK(row_of(command + "--d 10 --unrotated 2 --unrotated-at front --layout single", 5) ==
          Values{1, cos(1, 0), cos(1, 1), cos(1, 0), cos(1, 1)});
    CHECK(values_of(command + "--d 10 --unrotated 2 --table inv-freq", DType::float64) ==
          Values{1, 0.01, 1, 0.01, 0});
    CHECK(values_of(command + "--d 10 --unrotated 2 --table wavelengths").back() == INFINITY);
}

TEST_CASE("rope-grid: angles are those of cos and sin, and 0 where nothing turns") {
    const std::string command =
        "rope-grid --height 3 --width 2 --axes xy --start=-2,-1 --d 16 --unrotated 4 --base 1000 "
        "--prefix-rows 1 --prefix-tokens 1 --layout single --table ";
    const Values angles = values_of(command + "angles", DType::float64);
    const Values cos = values_of(command + "cos", DType::float64);
    const Values sin = values_of(command + "sin", DType::float64);
    REQUIRE(angles.size() == 8 * 8);
    for (std::size_t i = 8; i < angles.size(); ++i) {
        CHECK(cos[i] == doctest::Approx(std::cos(angles[i])).epsilon(1e-14));
        CHECK(sin[i] == doctest::Approx(std::sin(angles[i])).epsilon(1e-14));
    }
    CHECK(std::ranges::none_of(angles, [](double x) { return x == 0 && std::signbit(x); }));
    CHECK(row_of(command + "angles", 2) == Values{-1, -0.1F, -0.01F, -2, -0.2F, -0.02F, 0, 0});
}

TEST_CASE("rope-grid: rows of zeros in front are zeros in every table") {
    const std::string command = "rope-grid --height 2 --width 3 --d 8 --prefix-rows 2 ";
    CHECK(row_of(command, 1) == Values(8, 0));
    CHECK(row_of(command + "--prefix-tokens 1", 2) == Values(8, 1));
    CHECK(row_of(command, 3) == row_of("rope-grid --height 2 --width 3 --d 8", 1));
    CHECK(table_of(command).shape == Shape{8, 8});
}

TEST_CASE("rope-grid: points of a file turn by their coordinates, as points of a grid do") {
    const TemporaryFolder folder;
    const std::string path = folder.path("points.npy");
    const auto put_points = [&](const char* shape, const Values& coordinates) {
        put(path, npy_of_doubles(shape, coordinates));
        return fmt::format("rope-grid --points {} --d 12 ", path);
    };
    const std::string planar = put_points("(3, 2)", {0, 0, 1.5, -2, 1, 3});
    const std::string grid = "rope-grid --height 1 --width 1 --d 12 ";
    for (const char* options :
         {"", "--axes xy", "--order ka --table freqs-cis", "--unrotated 4 --layout interleaved",
          "--spectrum strided", "--arith float32", "--prefix-rows 1 --suffix-tokens 1"}) {
        CAPTURE(options);
        for (const auto& [row, start] : {std::pair{0, "0"}, {1, "1.5,-2"}, {2, "1,3"}}) {
            const Table all = table_of(planar + options);
            const Table one = table_of(fmt::format("{}{} --start {}", grid, options, start));
            const bool has_prefix = all.shape.rows() == 5;
            const std::int64_t each = has_prefix ? 1 : all.shape.rows() / 3;
            const std::int64_t in_front = has_prefix ? 1 : 0;
            CHECK(read_rows(all, {in_front + row * each, each}) ==
                  read_rows(one, {in_front, each}));
        }
    }
    CHECK(refusal_of(planar + "--height 3") ==
          "--height 3: cannot be used with --points; leave --height out");
    CHECK(refusal_of(planar + "--axes tyx") ==
          fmt::format("--axes tyx: --points {} has 2 columns, one for each axis", path));
    const std::string spatial = put_points("(2, 3)", {4, 0, 0, 0, 5, 6});
    CHECK(
        row_of(spatial + "--layout single", 1) ==
        row_of("rope-grid --depth 1 --height 1 --width 1 --d 12 --start 0,5,6 --layout single", 0));
    put_points("(1, 4)", {1, 2, 3, 4});
    CHECK_THROWS_WITH_AS(
        table_of(spatial),
        fmt::format("{}: shape (1, 4): needs 2 columns, y and x, or 3, t, y and x", path).c_str(),
        FormatError);
}

TEST_CASE("rope-grid: what does not go together is refused with the remedy") {
    const std::pair<const char*, const char*> refusals[]{
        {"--d 10",
         "--d 10: must be a multiple of 4, pairs for 2 axes; or give --split, or --unrotated 2"},
        {"--d 11", "--d 11: must be a multiple of 4, pairs for 2 axes; or give --split"},
        {"--unrotated 3",
         "--unrotated 3: must be even, since channels turn in pairs, and less than --d 64"},
        {"--unrotated 64",
         "--unrotated 64: must be even, since channels turn in pairs, and less than --d 64"},
        {"--unrotated-at front", "--unrotated-at: has no effect without --unrotated"},
        {"--split 16,48 --order ka",
         "--split 16,48: --order ka needs as many channels for each axis; use --order ak"},
        {"--order ka --layout axis-half",
         "--layout axis-half: needs the block of each axis, --order ak"},
        {"--base 1,2,3", "--base 1,2,3: must be one number, or 2, for height and width"},
        {"--start 1,2,3", "--start 1,2,3: must be one number, or 2, for height and width"},
        {"--step 1,2,3", "--step 1,2,3: must be one number, or 2, for height and width"},
        {"--split 64", "--split 64: must be 2 numbers, for height and width"},
        {"--split 31,33", "--split 31,33: must be even numbers, since channels turn in pairs"},
        {"--split 16,16",
         "--split 16,16: adds up to 32 channels, but --d is 64; if 32 are not rotated, give "
         "--unrotated 32"},
        {"--split 60,8", "--split 60,8: adds up to 68 channels, but --d is 64"},
        {"--split 16,16 --unrotated 4",
         "--split 16,16: adds up to 32 channels, but --d 64 leaves 60 with --unrotated 4"},
        {"--split 16,48 --spectrum strided",
         "--split 16,48: --spectrum strided needs as many channels for each axis; use --spectrum "
         "own or sections"},
        {"--freqs 1,2", "--freqs: has no effect with --spectrum own, only with linear, geometric"},
        {"--spectrum linear --freqs 1,2 --base 3",
         "--base: has no effect with --spectrum linear, only with own, strided, sections"},
        {"--spectrum linear",
         "--spectrum linear: needs --freqs FIRST,LAST, the first and the last frequency"},
        {"--coords cells --start 1", "--start: has no effect with --coords cells, only with index"},
        {"--normalize max", "--normalize: has no effect with --coords index, only with cells"},
        {"--ref-extent 1,2,3",
         "--ref-extent 1,2,3: must be one number, or 2, for height and width"},
        {"--axes tyx",
         "--axes tyx: there is no axis t without --depth; give it, or --axes yx or xy"},
        {"--merge 4", "--merge 4: must divide --height 14"},
        {"--merge 2 --window 7", "--window 7: must be a multiple of --merge 2"},
        {"--window 2 --width 16777216",
         "--merge, --window: order the tokens of a frame, --height times --width, at most 2^24"},
        {"--prefix-tokens 9007199254740992",
         "--prefix-rows, --prefix-tokens, --suffix-tokens: tokens end at 2^53"},
    };
    for (const auto& [arguments, message] : refusals) {
        CHECK(refusal_of(std::string("rope-grid ") + arguments) == message);
    }
}
