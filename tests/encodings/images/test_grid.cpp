#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/names.h"
#include "core/parallel.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "numerics/oracle.h"

using namespace pegen;

namespace {

/// The content of a channel: function and axis, as in "sx", of pair k.
struct Channel {
    char function, axis;
    int pair;
};

/// Reads "sx1 cy0" as channels; "0" is a channel of zeros.
std::vector<Channel> channels(std::string_view text) {
    std::vector<Channel> result;
    for (const std::string_view word : words(text)) {
        result.push_back(word == "0" ? Channel{'0', ' ', 0}
                                     : Channel{word[0], word[1], word[2] - '0'});
    }
    return result;
}

/// A point of a grid.
struct Point {
    double t = 0, y = 0, x = 0;

    double on(char axis) const { return axis == 't' ? t : axis == 'y' ? y : x; }
};

/// Returns the row of a point; the exponent of pair k is 2 k / under.
std::vector<double> row(std::string_view text, Point at, double under, double base = 10000) {
    std::vector<double> values;
    for (const Channel& c : channels(text)) {
        const double over = c.pair == 0 ? 0 : 2 * c.pair;
        values.push_back(c.function == '0'   ? 0
                         : c.function == 's' ? oracle::sin_float(at.on(c.axis), base, over, under)
                                             : oracle::cos_float(at.on(c.axis), base, over, under));
    }
    return values;
}

/// Returns rows of the table that a command makes.
std::vector<double> rows_of(std::string_view command, RowRange range) {
    return read_rows(table_of(command), range);
}

std::vector<std::string> axis_names(std::string_view command) {
    std::vector<std::string> names;
    for (const Axis& axis : table_of(command).axes) names.push_back(axis.name);
    return names;
}

/// Returns an array with its first axis moved to the end.
std::vector<double> first_axis_last(const std::vector<double>& values, std::size_t first) {
    const std::size_t rest = values.size() / first;
    std::vector<double> result;
    for (std::size_t i = 0; i < rest; ++i) {
        for (std::size_t j = 0; j < first; ++j) result.push_back(values[j * rest + i]);
    }
    return result;
}

}  // namespace

TEST_CASE("grid: the orders are the nestings of axis, pair and function") {
    const std::pair<const char*, const char*> orders[]{
        {"akf", "sy0 cy0 sy1 cy1 sx0 cx0 sx1 cx1"}, {"afk", "sy0 sy1 cy0 cy1 sx0 sx1 cx0 cx1"},
        {"fak", "sy0 sy1 sx0 sx1 cy0 cy1 cx0 cx1"}, {"kaf", "sy0 cy0 sx0 cx0 sy1 cy1 sx1 cx1"},
        {"kfa", "sy0 sx0 cy0 cx0 sy1 sx1 cy1 cx1"}, {"fka", "sy0 sx0 sy1 sx1 cy0 cx0 cy1 cx1"}};
    for (const auto& nesting : orders) {
        const auto order = nesting.first, expected = nesting.second;
        CAPTURE(order);
        // Token 7 of a 2 x 5 grid has y = 1, x = 2.
        CHECK(rows_of(std::string("grid --height 2 --width 5 --d 8 --order ") + order, {7, 1}) ==
              row(expected, {.y = 1, .x = 2}, 4));
    }
}

TEST_CASE("grid: the axes' blocks come in the order that is asked for") {
    const Point at{.t = 1, .y = 2, .x = 3};  // token (1 * 3 + 2) * 4 + 3 of 2 x 3 x 4
    const std::string video = "grid --depth 2 --height 3 --width 4 --d 12 ";
    CHECK(rows_of("grid --height 3 --width 4 --d 8 --axes xy", {11, 1}) ==
          row("sx0 cx0 sx1 cx1 sy0 cy0 sy1 cy1", at, 4));
    CHECK(rows_of(video, {23, 1}) == row("st0 ct0 st1 ct1 sy0 cy0 sy1 cy1 sx0 cx0 sx1 cx1", at, 4));
    CHECK(rows_of(video + "--axes xty", {23, 1}) ==
          row("sx0 cx0 sx1 cx1 st0 ct0 st1 ct1 sy0 cy0 sy1 cy1", at, 4));
    CHECK(rows_of(video + "--axes xyt --order kaf", {23, 1}) ==
          row("sx0 cx0 sy0 cy0 st0 ct0 sx1 cx1 sy1 cy1 st1 ct1", at, 4));
}

TEST_CASE("grid: first cos swaps the functions and nothing else") {
    CHECK(rows_of("grid --height 3 --width 4 --d 4 --first cos", {11, 1}) ==
          row("cy0 sy0 cx0 sx0", {.y = 2, .x = 3}, 2));
    CHECK(rows_of("grid --height 3 --width 4 --d 8 --first cos --order fak", {11, 1}) ==
          row("cy0 cy1 cx0 cx1 sy0 sy1 sx0 sx1", {.y = 2, .x = 3}, 4));
}

TEST_CASE("grid: the denominator shift is taken from the channels of an axis") {
    CHECK(rows_of("grid --height 3 --width 4 --d 8 --denom-shift 2 --base 50", {11, 1}) ==
          row("sy0 cy0 sy1 cy1 sx0 cx0 sx1 cx1", {.y = 2, .x = 3}, 2, 50));
    // With one pair per axis the exponent is 0, where other code divides by zero.
    CHECK(rows_of("grid --height 3 --width 4 --d 4 --denom-shift 2", {11, 1}) ==
          row("sy0 cy0 sx0 cx0", {.y = 2, .x = 3}, 1));
}

TEST_CASE("grid: channels that do not divide are zeros, or are left out") {
    const Point at{.t = 1, .y = 2, .x = 3};
    const std::string image = "grid --height 3 --width 4 ";
    CHECK(rows_of(image + "--d 7 --odd zero-pad", {11, 1}) == row("sy0 cy0 sx0 cx0 0 0 0", at, 2));
    CHECK(rows_of(image + "--d 7 --odd round-up", {11, 1}) ==
          row("sy0 cy0 sy1 cy1 sx0 cx0 sx1", at, 4));
    CHECK(rows_of(image + "--d 7 --odd round-up --order fak", {11, 1}) ==
          row("sy0 sy1 sx0 sx1 cy0 cy1 cx0", at, 4));
    CHECK(rows_of(image + "--d 3 --odd zero-pad", {11, 1}) == row("0 0 0", at, 1));
    CHECK(rows_of("grid --depth 2 --height 3 --width 4 --d 8 --odd round-up", {23, 1}) ==
          row("st0 ct0 st1 ct1 sy0 cy0 sy1 cy1", at, 4));
    CHECK(rows_of("grid --depth 2 --height 3 --width 4 --d 3 --odd round-up", {23, 1}) ==
          row("st0 ct0 sy0", at, 2));
}

TEST_CASE("grid: a split gives the axes their channels, in the order depth, height, width") {
    const Point at{.t = 1, .y = 2, .x = 3};
    const std::vector<double> t = row("st0 ct0 st1 ct1", at, 4);
    std::vector<double> yx = row("sy0 cy0 sx0 cx0", at, 2);
    std::vector<double> all = t;
    all.insert(all.end(), yx.begin(), yx.end());
    const std::string video = "grid --depth 2 --height 3 --width 4 --d 8 ";
    CHECK(rows_of(video + "--split 4,2,2", {23, 1}) == all);
    CHECK(rows_of(video + "--split 1/2,1/4,1/4", {23, 1}) == all);
    CHECK(rows_of(video + "--split 1/2,2,1/4", {23, 1}) == all);
    yx.insert(yx.end(), t.begin(), t.end());
    CHECK(rows_of(video + "--split 4,2,2 --axes yxt", {23, 1}) == yx);
    CHECK(rows_of(video + "--split rest,1/4,1/4", {23, 1}) == all);
    CHECK(rows_of(video + "--split rest,1/3,1/3", {23, 1}) == all);  // 8 / 3 is rounded down to 2
    CHECK(rows_of("grid --height 3 --width 4 --d 4 --split 0,4", {11, 1}) ==
          row("sx0 cx0 sx1 cx1", at, 4));
}

TEST_CASE("grid: base, start and step may be one for each axis") {
    const std::string command =
        "grid --depth 2 --height 3 --width 4 --d 12 --base 10,20,30 --start 0.5,-2,100000 "
        "--step 1,2,3 --freq-scale 1 ";
    const std::vector<double> expected[]{row("st0 ct0 st1 ct1", {.t = 1.5}, 4, 10),
                                         row("sy0 cy0 sy1 cy1", {.y = 2}, 4, 20),
                                         row("sx0 cx0 sx1 cx1", {.x = 100009}, 4, 30)};
    std::vector<double> all;
    for (const auto& axis : expected) all.insert(all.end(), axis.begin(), axis.end());
    CHECK(rows_of(command, {23, 1}) == all);
    // The same values appear in another order of the axes' blocks.
    std::rotate(all.begin(), all.begin() + 8, all.end());
    CHECK(rows_of(command + "--axes xty", {23, 1}) == all);
    CHECK(values_of("grid --height 2 --width 3 --d 8 --freq-scale 2 --out-scale 0.5 --step 1") ==
          values_of("grid --height 2 --width 3 --d 8 --step 2 --out-scale 0.5"));
    CHECK(values_of("grid --height 1 --width 1 --d 4 --out-scale -3") ==
          std::vector<double>{-0.0, -3, -0.0, -3});
}

TEST_CASE("grid: values are correctly rounded far from the origin, in every dtype") {
    const std::string command = "grid --height 2 --width 2 --d 8 --start 100000 ";
    CHECK(rows_of(command, {1, 1}) ==
          row("sy0 cy0 sy1 cy1 sx0 cx0 sx1 cx1", {.y = 100000, .x = 100001}, 4));
    const auto last = [&](DType dtype) {
        const std::vector<double> values = values_of(command, dtype);
        return std::pair(values[30], values[31]);
    };
    CHECK(last(DType::float64) == std::pair(oracle::sin_double(100001, 10000, 2, 4),
                                            oracle::cos_double(100001, 10000, 2, 4)));
    CHECK(last(DType::float16) == std::pair(oracle::sin_of_bits(11, 100001, 10000, 2, 4),
                                            oracle::cos_of_bits(11, 100001, 10000, 2, 4)));
    CHECK(last(DType::bfloat16) == std::pair(oracle::sin_of_bits(8, 100001, 10000, 2, 4),
                                             oracle::cos_of_bits(8, 100001, 10000, 2, 4)));
}

TEST_CASE("grid: column tokens exchange height and width, depth stays slowest") {
    const std::string video = "grid --depth 2 --height 3 --width 4 --d 12 ";
    const std::vector<double> rows = values_of(video);
    const std::vector<double> columns = values_of(video + "--tokens column");
    for (std::int64_t t = 0; t < 2; ++t) {
        for (std::int64_t y = 0; y < 3; ++y) {
            for (std::int64_t x = 0; x < 4; ++x) {
                const auto row = rows.begin() + ((t * 3 + y) * 4 + x) * 12;
                CHECK(std::equal(row, row + 12, columns.begin() + ((t * 4 + x) * 3 + y) * 12));
            }
        }
    }
}

TEST_CASE("grid: the views are the same values") {
    for (const std::string command :
         {"grid --height 3 --width 5 --d 8 ", "grid --depth 2 --height 3 --width 5 --d 12 "}) {
        for (const DType dtype : {DType::float32, DType::float64, DType::float16}) {
            const std::vector<double> tokens = values_of(command, dtype);
            CHECK(values_of(command + "--view grid", dtype) == tokens);
            const std::vector<double> first = values_of(command + "--view channels-first", dtype);
            CHECK(first_axis_last(first, command.find("depth") == 7 ? 12 : 8) == tokens);
        }
    }
}

TEST_CASE("grid: the views have shapes and axes of their own") {
    using Names = std::vector<std::string>;
    const std::string image = "grid --height 3 --width 5 --d 8 ";
    const std::string video = "grid --depth 2 --height 3 --width 5 --d 12 ";
    CHECK(table_of(image).shape == Shape{15, 8});
    CHECK(table_of(video).shape == Shape{30, 12});
    CHECK(axis_names(video) == Names{"token", "channel"});
    CHECK(table_of(image + "--view grid").shape == Shape{3, 5, 8});
    CHECK(axis_names(image + "--view grid") == Names{"height", "width", "channel"});
    CHECK(table_of(video + "--view grid").shape == Shape{2, 3, 5, 12});
    CHECK(axis_names(video + "--view grid") == Names{"depth", "height", "width", "channel"});
    CHECK(table_of(image + "--view channels-first").shape == Shape{8, 3, 5});
    CHECK(axis_names(image + "--view channels-first") == Names{"channel", "height", "width"});
    CHECK(table_of(video + "--view channels-first").shape == Shape{12, 2, 3, 5});
    CHECK(axis_names(video + "--view channels-first") ==
          Names{"channel", "depth", "height", "width"});
}

TEST_CASE("grid: prefix rows are zeros in front") {
    const std::vector<double> table = values_of("grid --height 2 --width 3 --d 4 --prefix-rows 2");
    const std::vector<double> tokens = values_of("grid --height 2 --width 3 --d 4");
    REQUIRE(table.size() == tokens.size() + 8);
    CHECK(std::all_of(table.begin(), table.begin() + 8, [](double value) { return value == 0; }));
    CHECK(std::equal(tokens.begin(), tokens.end(), table.begin() + 8));
}

TEST_CASE("grid: any range of rows is that part of the table") {
    for (const char* command :
         {"grid --depth 3 --height 4 --width 5 --d 12 --prefix-rows 3 --tokens column",
          "grid --depth 3 --height 4 --width 5 --d 12 --view channels-first"}) {
        const Table table = table_of(command);
        const std::vector<double> all = all_values(table);
        const std::int64_t rows = table.shape.rows(), columns = table.shape.columns();
        for (std::int64_t first = 0; first < rows; ++first) {
            for (std::int64_t count = 1; count <= rows - first; ++count) {
                const std::vector<double> part = read_rows(table, {first, count});
                REQUIRE(std::equal(part.begin(), part.end(), all.begin() + first * columns,
                                   all.begin() + (first + count) * columns));
            }
        }
    }
}

TEST_CASE("grid: axes too long to be kept give the same rows, from many threads") {
    for (const std::string extents : {"--height 3 --width 100000", "--height 100000 --width 3",
                                      "--depth 100000 --height 1 --width 3"}) {
        CAPTURE(extents);
        const std::string command = "grid --d 48 " + extents;
        const std::vector<double> tokens = values_of(command);
        const Table first = table_of(command + " --view channels-first");
        const std::int64_t points = 300000, rows = first.shape.rows() / 48;
        std::vector<int> is_right(48);
        parallel_for(48, [&](std::int64_t channel) {
            const std::vector<double> values = read_rows(first, {channel * rows, rows});
            for (std::int64_t i = 0; i < points; ++i) {
                const double token = tokens[static_cast<std::size_t>(i * 48 + channel)];
                if (values[static_cast<std::size_t>(i)] != token) return;
            }
            is_right[static_cast<std::size_t>(channel)] = 1;
        });
        CHECK(is_right == std::vector<int>(48, 1));
    }
    // Rows far along both axes are read a few at a time, as tiles read them.
    const Table large = table_of("grid --height 1000000 --width 300000 --d 8");
    const std::string expected = "sy0 cy0 sy1 cy1 sx0 cx0 sx1 cx1";
    const std::vector<double> rows = read_rows(large, {700000LL * 300000 - 2, 4});
    CHECK(std::vector(rows.begin() + 8, rows.begin() + 16) ==
          row(expected, {.y = 699999, .x = 299999}, 4));
    CHECK(std::vector(rows.begin() + 24, rows.end()) == row(expected, {.y = 700000, .x = 1}, 4));
}

TEST_CASE("grid: what does not go together is refused with the remedy") {
    const std::pair<const char*, const char*> refusals[]{
        {"--d 10", "--d 10: must be a multiple of 4 with --odd error; use 8, 12 or --odd zero-pad"},
        {"--d 2", "--d 2: must be a multiple of 4 with --odd error; use 4 or --odd zero-pad"},
        {"--depth 4",
         "--d 512: must be a multiple of 6 with --odd error; use 510, 516 or --odd "
         "zero-pad"},
        {"--odd exact", "--odd exact: must be one of error, zero-pad, round-up"},
        {"--base 1,2,3", "--base 1,2,3: must be one number, or 2, for height and width"},
        {"--d 12 --depth 2 --start 1,2",
         "--start 1,2: must be one number, or 3, for depth, height and width"},
        {"--axes tyx",
         "--axes tyx: there is no axis t without --depth; give it, or --axes yx or xy"},
        {"--d 12 --depth 2 --axes xy", "--axes xy: must name t too with --depth, as txy or xyt"},
        {"--split 1/2,1/4", "--split 1/2,1/4: adds up to 384 channels, but --d is 512"},
        {"--split rest,rest",
         "--split rest,rest: must have one rest, an even number of the 512 channels"},
        {"--split rest,600",
         "--split rest,600: must have one rest, an even number of the 512 channels"},
        {"--split 512",
         "--split 512: must be equal, or 2 numbers such as 1/4,3/4: of channels, or "
         "parts of d, for height and width"},
        {"--split 256,,256",
         "--split 256,,256: must be equal, or 2 numbers such as 1/4,3/4: of "
         "channels, or parts of d, for height and width"},
        {"--split 1/2,1/0", "--split 1/2,1/0: 1/0 is not a part of anything"},
        {"--split 255,257",
         "--split 255,257: every axis must get an even number of the 512 channels with --odd "
         "error; use another --split or --d, or --odd zero-pad"},
        {"--order kaf --split 128,384",
         "--order kaf: needs as many channels for each axis; use an order that begins with a, or "
         "--split equal"},
        {"--denom-shift 256", "--denom-shift 256: must be less than 256, the channels of an axis"},
        {"--view grid --tokens column",
         "--tokens column: --view grid has no order of tokens; use --tokens row"},
        {"--view channels-first --prefix-rows 1",
         "--prefix-rows 1: --view channels-first has no rows in front; use 0"},
        {"--view channels-first --width 1048577",
         "--width 1048577: must be at most 1048576 with --view channels-first; use --view grid"},
        {"--start 9007199254740990,0",
         "--height 14: the last position would be 9007199254741003; positions end at 2^53"},
        {"--height 100000000 --width 100000000",
         "--height, --width: 10000000000000000 points; they end at 2^53"},
        {"--height 9007199254740992 --width 9007199254740992",
         "the points: 9007199254740992 x 9007199254740992 is too large; sizes end at 2^63 - 1"},
    };
    for (const auto& [arguments, message] : refusals) {
        CHECK(refusal_of(std::string("grid ") + arguments) == message);
    }
    CHECK(refusal_of("grid --out-scale 1e6", DType::float16) ==
          "--dtype float16: cannot hold the largest value, 1e+06; its largest value is 65504");
}

TEST_CASE("grid presets: jepa is mae with its halves exchanged, moco-v3 jepa on square grids") {
    std::vector<double> mae = values_of("mae --height 3 --width 5 --d 16");
    for (auto half = mae.begin(); half != mae.end(); half += 16) {
        std::rotate(half, half + 8, half + 16);
    }
    CHECK(values_of("jepa --height 3 --width 5 --d 16") == mae);
    CHECK(values_of("moco-v3 --height 4 --width 4 --d 16") ==
          values_of("jepa --height 4 --width 4 --d 16 --prefix-rows 1"));
    CHECK(values_of("moco-v3 --height 3 --width 5 --d 16") !=
          values_of("jepa --height 3 --width 5 --d 16 --prefix-rows 1"));
}

TEST_CASE("grid presets: loftr counts from 1 and puts the functions of a frequency together") {
    const Table table = table_of("loftr --height 3 --width 5 --d 8");
    CHECK(table.shape == Shape{8, 3, 5});
    const std::vector<double> expected =
        row("sx0 cx0 sy0 cy0 sx1 cx1 sy1 cy1", {.y = 2, .x = 4}, 4);
    for (std::size_t channel = 0; channel < 8; ++channel) {
        CHECK(all_values(table)[(channel * 3 + 1) * 5 + 3] == expected[channel]);
    }
}

TEST_CASE("grid presets: their three axes are those of their code bases") {
    const Point at{.t = 1, .y = 2, .x = 3};
    const std::string video = " --depth 2 --height 3 --width 4 --d ";
    CHECK(rows_of("simple-vit-3d" + video + "14", {23, 1}) ==
          row("sx0 sx1 cx0 cx1 sy0 sy1 cy0 cy1 st0 st1 ct0 ct1 0 0", at, 2));
    CHECK(rows_of("tatp22" + video + "8", {23, 1}) ==
          row("st0 ct0 st1 ct1 sy0 cy0 sy1 cy1", at, 4));
    CHECK(rows_of("t2t-nd" + video + "7", {23, 1}) == row("st0 ct0 sy0 cy0 sx0 cx0 0", at, 2));
    const std::vector<double> jepa = rows_of("jepa-3d" + video + "8", {23, 1});
    CHECK(std::vector(jepa.begin(), jepa.begin() + 4) == row("st0 st1 ct0 ct1", at, 4));
    CHECK(std::vector(jepa.begin() + 4, jepa.end()) == row("sy0 cy0 sx0 cx0", at, 2));
    CHECK(rows_of("fairseq2-3d" + video + "8", {23, 1}) == jepa);
    const std::vector<double> diffusers = rows_of("diffusers-3d" + video + "16", {23, 1});
    CHECK(std::vector(diffusers.begin(), diffusers.begin() + 4) == row("st0 st1 ct0 ct1", at, 4));
    CHECK(std::vector(diffusers.begin() + 4, diffusers.end()) ==
          row("sx0 sx1 sx2 cx0 cx1 cx2 sy0 sy1 sy2 cy0 cy1 cy2", at, 6));
}

TEST_CASE("grid presets: each can make what the examples of the help ask for") {
    const Encoding& grid = *find_encoding("grid");
    for (const Preset& preset : all_presets()) {
        if (preset.encoding != &grid) continue;
        for (const std::string_view example : words(grid.examples, '\n')) {
            const std::string_view arguments = example.substr(4, example.rfind(" --") - 4);
            CAPTURE(preset.name);
            CHECK(refusal_of(std::string(preset.name) + std::string(arguments)) == "accepted");
        }
    }
}
