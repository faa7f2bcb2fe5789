#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "encodings/choice.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"

using namespace pegen;

namespace {

using Channels = std::vector<std::int64_t>;

std::string refusal(std::string_view text) {
    try {
        parse_channels(text, 8);
        return "accepted";
    } catch (const UsageError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("channels: numbers and slices are those of Python") {
    CHECK(parse_channels("0:3", 8) == Channels{0, 1, 2});
    CHECK(parse_channels("5:", 8) == Channels{5, 6, 7});
    CHECK(parse_channels(":-6", 8) == Channels{0, 1});
    CHECK(parse_channels("::3", 8) == Channels{0, 3, 6});
    CHECK(parse_channels("::-1", 3) == Channels{2, 1, 0});
    CHECK(parse_channels("6:2:-2", 8) == Channels{6, 4});
    CHECK(parse_channels("-1,0,0:2", 8) == Channels{7, 0, 0, 1});
    CHECK(parse_channels("0:2,0:2", 8) == Channels{0, 1, 0, 1});
    CHECK(parse_channels("8:0:-1", 8) == Channels{7, 6, 5, 4, 3, 2, 1});
}

TEST_CASE("channels: each of a slice is there several times in succession") {
    CHECK(parse_channels("0:3x2", 8) == Channels{0, 0, 1, 1, 2, 2});
    CHECK(parse_channels("::-4x3,1x2,5", 8) == Channels{7, 7, 7, 3, 3, 3, 1, 1, 5});
    CHECK(parse_channels(":x1", 2) == Channels{0, 1});
    CHECK(refusal("0:4x0") ==
          "--keep-channels 0:4x0: each channel must be there at least once, x1");
    CHECK(refusal("0:4x") == "--keep-channels 0:4x: needs a number after the x, as in 0:16x2");
    CHECK(refusal("0:4x2x2") == "--keep-channels 2x2: not an integer: 'x2' after the digits");
    CHECK(refusal(":x1000000000000") ==
          "--keep-channels :x1000000000000: must be at most 2^20 of them");
    CHECK(refusal("0:4x131072,0:4x131073") ==
          "--keep-channels 0:4x131072,0:4x131073: must be at most 2^20 of them");
    const auto all = values_of("whisper --d 8 --len 5");
    const auto twice = values_of("whisper --d 8 --len 5 --keep-channels :x2");
    for (std::size_t i = 0; i < twice.size(); ++i) CHECK(twice[i] == all[i / 2]);
}

TEST_CASE("channels: the text that chooses channels chooses them again") {
    const std::vector<std::pair<Channels, std::string>> texts{
        {{0, 1, 2}, "0:3"},
        {{0, 0, 1, 1, 2, 2}, "0:3x2"},
        {{4, 4, 4, 0, 1, 1, 2}, "4:5x3,0:1,1:2x2,2:3"},
        {{0, 0, 1, 1, 1}, "0:1x2,1:2x3"},
        {{2, 1}, "2:3,1:2"}};
    for (const auto& [channels, text] : texts) {
        CHECK(channels_text(channels) == text);
        CHECK(parse_channels(text, 8) == channels);
    }
}

TEST_CASE("channels: what is not there is refused") {
    CHECK(refusal("8") == "--keep-channels 8: there are 8 channels");
    CHECK(refusal("0:9") == "--keep-channels 0:9: there are 8 channels");
    CHECK(refusal("-9:") == "--keep-channels -9:: there are 8 channels");
    CHECK(refusal("3:3") == "--keep-channels 3:3: there is none of them");
    CHECK(refusal("0:4:0") == "--keep-channels 0:4:0: the step must not be 0");
    CHECK(refusal("0:4:1:1") == "--keep-channels 0:4:1:1: must be FROM:TO or FROM:TO:STEP");
    CHECK(refusal("a:b") == "--keep-channels a: not an integer");
    CHECK(refusal("") == "--keep-channels '': needs an integer");
}

TEST_CASE("channels: a table has the values of the chosen ones, in every dtype") {
    for (const DType dtype : {DType::float32, DType::float64, DType::bfloat16}) {
        const auto all = values_of("sinusoid --d 10 --len 300", dtype);
        const auto some = values_of("sinusoid --d 10 --len 300 --keep-channels ::-1,2:5", dtype);
        REQUIRE(some.size() == 300 * 13);
        for (std::size_t row = 0; row < 300; ++row) {
            for (std::size_t i = 0; i < 10; ++i) {
                REQUIRE(some[row * 13 + i] == all[row * 10 + 9 - i]);
            }
            for (std::size_t i = 0; i < 3; ++i) {
                REQUIRE(some[row * 13 + 10 + i] == all[row * 10 + 2 + i]);
            }
        }
    }
}

TEST_CASE("channels: pairs are those whose two channels were chosen") {
    const Table table = table_of("sinusoid --d 8 --len 4 --keep-channels 2:7");
    REQUIRE(table.pairs);
    CHECK(table.pairs() == std::vector<ChannelPair>{{0, 1}, {2, 3}});
}

TEST_CASE("channels: every table of positions and channels takes a choice of them") {
    for (const Encoding* encoding : all_encodings()) {
        CAPTURE(encoding->name);
        const std::string name(encoding->name);
        const Table all = table_of(name);
        if (all.shape.rank() != 2 || all.axes[1].kind != AxisKind::channel) continue;
        if (all.shape[1] == 1) continue;
        const bool has_choice = all.provenance.parameters.knows("keep-channels");
        CHECK_MESSAGE(has_choice, "Add keep_channels_parameter and view_parameter.");
        if (!has_choice) continue;
        const Table some = table_of(name + " --keep-channels -1,0");
        REQUIRE(some.shape.columns() == 2);
        const auto row = read_rows(all, {1, 1}), chosen = read_rows(some, {1, 1});
        CHECK(chosen == std::vector{row.back(), row.front()});
    }
}

TEST_CASE("channels: first, the table is transposed") {
    for (const std::string command :
         {"sinusoid --d 6 --len 300", "fourier --height 9 --width 5 --raw after",
          "random-fourier --d 10 --height 4 --width 5", "rope --d 8 --len 5", "binary --len 9",
          "rope-grid --height 3 --width 4 --d 8", "xpos --d 6 --len 5", "relative --len 3 --d 4",
          "transformer-xl --len 3 --d 4", "mrope", "periodic --len 7",
          "learned --d 7 --len 11 --padding-row 2",
          "sinusoid --d 8 --len 3 --keep-channels ::-2"}) {
        CAPTURE(command);
        const Table last = table_of(command), first = table_of(command + " --view channels-first");
        CHECK(first.shape == Shape{last.shape[1], last.shape[0]});
        CHECK(first.axes[0].kind == AxisKind::channel);
        const std::vector<double> rows = all_values(last), channels = all_values(first);
        const auto columns = static_cast<std::size_t>(last.shape[1]);
        const auto count = static_cast<std::size_t>(last.shape[0]);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            REQUIRE(rows[i] == channels[i % columns * count + i / columns]);
        }
    }
}

TEST_CASE("channels: tables of code bases that keep a part of another's") {
    // searchless_chess: d / 2 + 1 sines, then d / 2 - 1 cosines.
    const auto chess = values_of("whisper --d 18 --len 5 --keep-channels 0:16", DType::float64);
    CHECK(chess.size() == 80);
    CHECK(chess[16] == doctest::Approx(0.8414709848078965));      // row 1, sin of frequency 0
    CHECK(chess[16 + 9] == doctest::Approx(0.5403023058681398));  // its cosine is the tenth
    // DI-star has the highest bit first.
    CHECK(values_of("binary --len 4 --bits 2 --keep-channels ::-1") ==
          std::vector<double>{0, 0, 0, 1, 1, 0, 1, 1});
    CHECK(refusal_of("grid --view channels-first --keep-channels 0:4")
              .starts_with("--keep-channels 0:4: the channels must be the last axis"));
}
