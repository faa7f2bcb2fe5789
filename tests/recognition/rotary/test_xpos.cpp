#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/table_of.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/proposed.h"
#include "recognition/recognized.h"

using namespace pegen;

TEST_CASE("xpos recognition: all tables are found, with base, scale, gamma, centre and layout") {
    for (const char* table : {"cos-q", "sin-q", "cos-k", "sin-k", "scale"}) {
        const std::string last = " --table " + std::string(table);
        check_proposed("torchscale --d 64 --len 51" + last);
        check_proposed("flash-attn-xpos --d 64 --len 50" + last, DType::float64);
        check_proposed(
            "xpos --d 32 --len 60 --base 500 --scale-base 256 --gamma 0.2 "
            "--centre 10 --layout half" +
            last);
        check_proposed("xpos --d 32 --len 60" + last, DType::float16);
    }
}

TEST_CASE("xpos recognition: 16 bits and few rows suffice") {
    check_proposed("xpos --len 24 --base 12345 --layout single", DType::bfloat16);
    check_proposed("xpos --len 7 --d 24 --base 5e+05 --gamma 0.2", DType::float16);
    check_proposed("xpos --len 16 --base 1e+07 --scale-base 256 --gamma 1 --centre 0 --table cos-k",
                   DType::bfloat16);
    check_proposed("xpos --len 7 --d 36 --centre 10 --table scale", DType::bfloat16);
}

TEST_CASE("xpos recognition: the first half of the channels is found, as such") {
    const Table table = table_of("xpos --len 48 --d 32 --table sin-q");
    const std::vector<double> values = all_values(table);
    Table half = table;
    half.shape = {48, 16};
    std::vector<double> kept;
    for (std::size_t row = 0; row < 48; ++row) {
        kept.insert(kept.end(), values.begin() + static_cast<std::ptrdiff_t>(32 * row),
                    values.begin() + static_cast<std::ptrdiff_t>(32 * row + 16));
    }
    const auto proposals = find_recognized("xpos", sample_of(half, kept));
    REQUIRE(!proposals.empty());
    CHECK(setting_of(proposals[0], "d") == "32");
    CHECK(proposals[0].channels.size() == 16);
}

TEST_CASE("xpos recognition: a centre that this length does not tell has both its names") {
    const auto proposals = find_recognized("xpos", table_of("xpos --len 64 --d 8"));
    const auto has = [&](std::string_view centre) {
        return std::ranges::any_of(proposals, [&](const pegen::evidence::Proposal& proposal) {
            return setting_of(proposal, "centre") == centre;
        });
    };
    CHECK(has(""));
    CHECK(has("ceil"));
}

TEST_CASE("xpos recognition: tables that do not fade, and arrays of one value, are left") {
    CHECK(find_recognized("xpos", table_of("rope --d 32 --len 64")).empty());
    const Table table = table_of("xpos --d 16 --len 30");
    const std::size_t size = all_values(table).size();
    for (const double value : {0.0, 1.0, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(find_recognized("xpos", sample_of(table, std::vector(size, value))).empty());
    }
}
