#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "encodings/table_of.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/proposed.h"
#include "recognition/recognized.h"

using namespace pegen;

namespace {

/// True if the table of the settings is recognized as such.
bool is_recognized(const std::string& settings, DType dtype = DType::float32) {
    const std::string command = "grid " + settings;
    const auto proposals = find_recognized("grid", sample_of(table_of(command, dtype)));
    check_stored(proposals, command, dtype);
    return is_proposed(settings, proposals);
}

}  // namespace

TEST_CASE("grid recognition: the nesting of channels") {
    for (const char* order : {"afk", "fak", "kaf", "kfa", "fka"}) {
        CAPTURE(order);
        CHECK(is_recognized("--height 5 --width 7 --d 24 --order " + std::string(order)));
    }
    CHECK(is_recognized("--height 5 --width 7 --d 24"));
    CHECK(is_recognized("--height 5 --width 7 --d 24 --axes xy --first cos"));
}

TEST_CASE("grid recognition: --tokens column is the same as another --height and --width") {
    const evidence::Sample sample =
        sample_of(table_of("grid --height 5 --width 7 --d 24 --axes xy --tokens column"));
    const auto proposals = find_recognized("grid", sample);
    CHECK(is_proposed("--width 7 --height 5 --d 24 --axes xy --tokens column", proposals) !=
          is_proposed("--width 5 --height 7 --d 24 --axes xy --tokens column", proposals));
    CHECK(is_proposed("--height 7 --width 5 --d 24", proposals));
}

TEST_CASE("grid recognition: positions and frequencies of each axis") {
    CHECK(is_recognized("--height 5 --width 7 --d 32 --start 1"));
    CHECK(is_recognized("--height 5 --width 7 --d 32 --start 1,-3 --step 0.5,2"));
    CHECK(is_recognized("--height 5 --width 7 --d 32 --base 10000,100"));
    CHECK(is_recognized("--height 5 --width 7 --d 32 --denom-shift 2"));
    CHECK(is_recognized("--height 5 --width 7 --d 32 --step 0.25 --freq-scale 2*pi"));
    CHECK(is_recognized("--height 5 --width 7 --d 32 --out-scale 0.5"));
}

TEST_CASE("grid recognition: three axes and unequal shares") {
    CHECK(is_recognized("--depth 3 --height 4 --width 5 --d 48"));
    CHECK(is_recognized("--depth 3 --height 4 --width 5 --d 64 --order afk --split 1/2,1/4,1/4"));
    CHECK(is_recognized("--depth 3 --height 4 --width 5 --d 50 --odd zero-pad"));
    CHECK(is_recognized("--depth 3 --height 4 --width 5 --d 52 --odd round-up"));
    CHECK(is_recognized("--height 4 --width 5 --d 48 --split 1/4,3/4"));
}

TEST_CASE("grid recognition: prefix rows and views") {
    CHECK(is_recognized("--height 4 --width 5 --d 16 --prefix-rows 2"));
    CHECK(is_recognized("--height 4 --width 5 --d 16 --view grid"));
    CHECK(is_recognized("--height 4 --width 5 --d 16 --view channels-first"));
    CHECK(is_recognized("--depth 3 --height 4 --width 5 --d 24 --view channels-first"));
}

TEST_CASE("grid recognition: values of few digits") {
    CHECK(is_recognized("--height 9 --width 12 --d 64", DType::float16));
    CHECK(is_recognized("--height 9 --width 12 --d 64", DType::bfloat16));
    CHECK(is_recognized("--height 9 --width 12 --d 64 --base 100", DType::float64));
}

TEST_CASE("grid recognition: a base of few digits is what the values round to") {
    const evidence::Sample sample = sample_of(
        table_of("grid --height 4 --width 5 --d 32 --base 12345 --order kfa", DType::bfloat16));
    const std::string near = "--height 4 --width 5 --d 32 --order kfa --base 123";
    CHECK(std::ranges::any_of(proposed(find_recognized("grid", sample)),
                              [&](const std::string& text) { return text.starts_with(near); }));
}

TEST_CASE("grid recognition: a shift and a base that few frequencies show are both usual") {
    const evidence::Sample sample =
        sample_of(table_of("grid --height 5 --width 6 --d 8 --base 12345", DType::float16));
    for (const std::string& text : proposed(find_recognized("grid", sample))) {
        CAPTURE(text);
        CHECK(text.find("--denom-shift") == text.npos);
    }
}

TEST_CASE("grid recognition: the fastest of a few frequencies may have turned") {
    CHECK(is_recognized("--height 4 --width 14 --d 8 --base 10000,100 --freq-scale 10"));
    CHECK(is_recognized("--height 5 --width 6 --d 12 --freq-scale 10"));
}

TEST_CASE("grid recognition: a frequency that hardly moves does not hide the first position") {
    CHECK(is_recognized("--height 7 --width 3 --d 8 --denom-shift 2", DType::float16));
}

TEST_CASE("grid recognition: shares whose first columns stand still, or are odd") {
    CHECK(is_recognized(
        "--height 10 --width 8 --d 24 --split 1/3,2/3 --base 1000 --freq-scale 2*pi"));
    CHECK(is_recognized("--height 5 --width 4 --d 12 --split 1/4,3/4 --odd zero-pad"));
}

TEST_CASE("grid recognition: angles are those of the cells") {
    const evidence::Sample sample =
        sample_of(table_of("grid --height 3 --width 4 --d 8 --prefix-rows 1 --start 2"));
    const auto proposals = find_recognized("grid", sample);
    REQUIRE(!proposals.empty());
    // Row 7 is the point (1, 2): channels 0 to 3 belong to y, 4 to 7 to x.
    CHECK(proposals[0].angle(7, 0) == doctest::Approx(3));
    CHECK(proposals[0].angle(7, 4) == doctest::Approx(4));
    CHECK(proposals[0].angle(7, 6) == doctest::Approx(4 * 0.01));
    CHECK(proposals[0].angle(0, 0) == 0);
}

TEST_CASE("grid recognition: one axis and spoiled values are no grid") {
    CHECK(find_recognized("grid", table_of("sinusoid --len 24 --d 16")).empty());
    evidence::Sample sample = sample_of(table_of("grid --height 4 --width 6 --d 16"));
    sample.values[100] = std::numeric_limits<double>::quiet_NaN();
    CHECK(find_recognized("grid", sample).empty());
}
