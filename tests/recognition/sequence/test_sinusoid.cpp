#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "core/shape.h"
#include "encodings/table_of.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/proposed.h"
#include "recognition/recognized.h"

namespace pegen::recognition {
namespace {

constexpr std::initializer_list<DType> formats{DType::float64, DType::float32, DType::float16,
                                               DType::bfloat16};

TEST_CASE("sinusoid recognition: tables of the usual conventions are found in all formats") {
    for (const DType dtype : formats) {
        check_proposed("sinusoid --d 64 --len 50", dtype);
        check_proposed("sinusoid --d 64 --len 50 --layout halves --denom-shift 2 --start 1", dtype);
        check_proposed("sinusoid --d 16 --len 100 --layout halves --first cos --base 100", dtype);
        check_proposed("sinusoid --d 32 --len 40 --out-scale 1/sqrt(d) --start -3", dtype);
        check_proposed("sinusoid --d 32 --len 40 --standardize 10", dtype);
    }
}

TEST_CASE("sinusoid recognition: positions are found") {
    check_proposed("sinusoid --d 64 --len 30 --start 100 --step 2");
    check_proposed("sinusoid --d 64 --len 30 --step 0.25 --reverse");
    check_proposed("sinusoid --d 64 --len 30 --start 1000000 --step 7", DType::float64);
    check_proposed("sinusoid --d 64 --positions 3,1,999,0.5,10");
    check_proposed("sinusoid --d 128 --len 1 --start 500");
    check_proposed("sinusoid --d 64 --len 30 --freq-scale 2*pi --step 0.01");
}

TEST_CASE("sinusoid recognition: the base of a list of doubles is the typed one") {
    check_proposed("sinusoid --d 128 --base 500000 --denom-shift 1 --table frequencies",
                   DType::float64);
}

TEST_CASE("sinusoid recognition: an amplitude may be between the values of its format") {
    check_proposed("sinusoid --d 60 --len 31 --out-scale 0.02", DType::float16);
    check_proposed("sinusoid --d 36 --len 7 --start 100 --out-scale 1/sqrt(d)", DType::bfloat16);
}

TEST_CASE("sinusoid recognition: a table that was standardised after rounding is found") {
    const Table plain = table_of("sinusoid --d 48 --len 80 --layout halves --denom-shift 2");
    std::vector<double> values = all_values(plain);
    const auto count = static_cast<double>(values.size());
    double mean = 0, squares = 0;
    for (const double value : values) mean += value / count;
    for (const double value : values) squares += (value - mean) * (value - mean);
    for (double& value : values) {
        value = static_cast<float>((value - mean) / std::sqrt(squares / (count - 1)) / 10);
    }
    const auto proposals = find_recognized("sinusoid", sample_of(plain, values));
    CHECK(std::ranges::any_of(proposals, [](const evidence::Proposal& proposal) {
        return setting_of(proposal, "standardize") == "10" &&
               setting_of(proposal, "denom-shift") == "2";
    }));
}

TEST_CASE("sinusoid recognition: rows of zeros are found") {
    check_proposed("sinusoid --d 64 --len 30 --zero-row 1");
    check_proposed("sinusoid --d 64 --len 30 --zero-row 0");
    check_proposed("sinusoid --d 64 --len 30 --prefix-rows 3");
    check_proposed("sinusoid --d 64 --len 30 --prefix-rows 2 --zero-row 5 --start 4");
    check_proposed("sinusoid --d 64 --positions 7,2,30 --zero-row 2");
}

TEST_CASE("sinusoid recognition: an odd d is found in each of its ways") {
    for (const char* const odd : {"exact", "zero-pad", "round-up"}) {
        for (const char* const layout : {"interleaved", "halves"}) {
            check_proposed(std::string("sinusoid --d 15 --len 30 --odd ") + odd + " --layout " +
                           layout);
        }
    }
}

TEST_CASE("sinusoid recognition: a frequency for each channel is found") {
    check_proposed("sinusoid --d 64 --len 50 --pairing per-channel --denom-shift 1");
    check_proposed("sinusoid --d 64 --len 50 --pairing per-channel --base 1e8 --start 5");
    check_proposed("sinusoid --d 33 --len 50 --pairing per-channel --odd zero-pad --first cos");
    check_proposed("sinusoid --d 16 --len 200 --pairing per-channel --step 3");
}

TEST_CASE("sinusoid recognition: float32 arithmetic is found") {
    check_proposed("sinusoid --d 64 --len 500 --arith float32");
}

TEST_CASE("sinusoid recognition: frequencies and wavelengths are found") {
    check_proposed("sinusoid --d 64 --table frequencies");
    check_proposed("sinusoid --d 64 --denom-shift 2 --freq-scale 2 --table frequencies",
                   DType::float64);
    check_proposed("sinusoid --d 64 --base 500 --table wavelengths");
    check_proposed("sinusoid --d 9 --pairing per-channel --odd exact --table wavelengths");
}

TEST_CASE("sinusoid recognition: channels cut out of a wider table are found") {
    const Table wide = table_of("sinusoid --d 128 --len 40 --layout interleaved");
    const std::vector<double> values = all_values(wide);
    for (const std::int64_t first : {0, 32}) {
        Table cut = table_of("sinusoid --d 64 --len 40");
        std::vector<double> kept;
        for (std::int64_t row = 0; row < 40; ++row) {
            const auto begin = values.begin() + row * 128 + first;
            kept.insert(kept.end(), begin, begin + 64);
        }
        const auto proposals = find_recognized("sinusoid", sample_of(cut, kept));
        CHECK(std::ranges::any_of(proposals, [&](const evidence::Proposal& proposal) {
            return setting_of(proposal, "keep-channels") ==
                       fmt::format("{}:{}", first, first + 64) &&
                   setting_of(proposal, "d") == "128" && setting_of(proposal, "start").empty();
        }));
    }
}

TEST_CASE("sinusoid recognition: angles are those of the cells") {
    const auto proposals =
        find_recognized("sinusoid", table_of("sinusoid --d 8 --len 30 --layout halves --start 2"));
    REQUIRE(!proposals.empty());
    REQUIRE(proposals.front().angle);
    CHECK(proposals.front().angle(3, 0) == doctest::Approx(5));
    CHECK(proposals.front().angle(3, 5) == doctest::Approx(0.5));
}

TEST_CASE("sinusoid recognition: arrays that no wave has made are refused, whatever is in them") {
    std::mt19937 generator(11);
    const double infinity = std::numeric_limits<double>::infinity();
    for (const char* const shape : {"sinusoid --d 2 --len 1", "sinusoid --d 2 --len 2",
                                    "sinusoid --d 64 --len 20", "sinusoid --d 2 --len 500"}) {
        const Table table = table_of(shape);
        std::vector<double> values(table.shape.size());
        for (const double value : {0.0, 1.0, 1e300, 1e-310, infinity, std::nan("")}) {
            std::ranges::fill(values, value);
            CHECK_NOTHROW(find_recognized("sinusoid", sample_of(table, values)));
        }
        for (double& value : values) value = static_cast<double>(generator()) * 0x1p-32;
        CHECK_NOTHROW(find_recognized("sinusoid", sample_of(table, values)));
    }
    CHECK(find_recognized("sinusoid", table_of("t5 --len 8")).empty());
    CHECK(find_recognized("sinusoid", table_of("alibi --len 8 --heads 4")).empty());
}

}  // namespace
}  // namespace pegen::recognition
