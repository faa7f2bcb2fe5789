#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "figure/ticks.h"

using namespace pegen;

namespace {

std::string labels(const std::vector<Tick>& ticks) {
    std::string joined;
    for (const Tick& tick : ticks) joined += (joined.empty() ? "" : " ") + tick.label;
    return joined;
}

/// The ticks of an axis of cells.
std::vector<Tick> index_ticks(std::int64_t count, int intervals) {
    return pegen::index_ticks({-0.5, static_cast<double>(count) - 0.5}, intervals);
}

}  // namespace

// The labels of matplotlib 3.6.3 for the same limits, unless said otherwise.

TEST_CASE("ticks: 400 rows get steps of 50") {
    CHECK(labels(index_ticks(400, 9)) == "0 50 100 150 200 250 300 350");
}

TEST_CASE("ticks: 128 and 40 and 512 columns get steps of 20 and 5 and 100") {
    CHECK(labels(index_ticks(128, 9)) == "0 20 40 60 80 100 120");
    CHECK(labels(index_ticks(40, 9)) == "0 5 10 15 20 25 30 35");
    CHECK(labels(index_ticks(512, 9)) == "0 100 200 300 400 500");
}

TEST_CASE("ticks: indices have whole steps where matplotlib has 2.5") {
    CHECK(labels(index_ticks(20, 9)) == "0 5 10 15");
}

TEST_CASE("ticks: 200 rows may get steps of 25") {
    CHECK(labels(index_ticks(200, 9)) == "0 25 50 75 100 125 150 175");
}

TEST_CASE("ticks: one row has the tick 0") { CHECK(labels(index_ticks(1, 9)) == "0"); }

TEST_CASE("ticks: an axis of two indices has both") { CHECK(labels(index_ticks(2, 9)) == "0 1"); }

TEST_CASE("ticks: indices of long tables are written in full") {
    CHECK(labels(index_ticks(std::int64_t{1} << 32, 4)) == "0 2000000000 4000000000");
}

TEST_CASE("ticks: an axis of more than one index has two ticks at least") {
    CHECK(labels(index_ticks(400, 1)) == "0 250");
    CHECK(labels(index_ticks(501, 1)) == "0 500");
    CHECK(labels(index_ticks(3, 1)) == "0 2");
}

TEST_CASE("ticks: sinusoid values get quarters with two digits") {
    CHECK(labels(value_ticks({-1, 1}, 9)) ==
          "\u22121.00 \u22120.75 \u22120.50 \u22120.25 0.00 0.25 0.50 0.75 1.00");
}

TEST_CASE("ticks: a multiple just outside the limits is left out") {
    CHECK(labels(value_ticks({-0.9999902248382568, 1}, 9)) ==
          "\u22120.75 \u22120.50 \u22120.25 0.00 0.25 0.50 0.75 1.00");
}

TEST_CASE("ticks: a multiple a rounding error outside is kept") {
    CHECK(value_ticks({-1, 1 - 1e-12}, 9).back().label == "1.00");
}

TEST_CASE("ticks: fewer than two ticks inside make the step smaller") {
    CHECK(labels(value_ticks({0.1, 0.9}, 1)) == "0.25 0.50 0.75");
}

TEST_CASE("ticks: values are the doubles nearest to their labels") {
    const std::vector<Tick> ticks = value_ticks({0, 0.7}, 9);
    CHECK(labels(ticks) == "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7");
    CHECK(ticks[3].value == 0.3);
    CHECK(ticks[6].value == 0.6);
}

TEST_CASE("ticks: large and small values share an exponent that each label shows") {
    CHECK(labels(value_ticks({0, 2.5e-6}, 5)) ==
          "0.0e\u22126 0.5e\u22126 1.0e\u22126 1.5e\u22126 2.0e\u22126 2.5e\u22126");
    CHECK(labels(value_ticks({-2e9, 2e9}, 2)) == "\u22122e9 0e9 2e9");
    CHECK(labels(value_ticks({0, 100000}, 2)) == "0 50000 100000");
}

TEST_CASE("ticks: values far from zero but close together keep all digits") {
    CHECK(labels(value_ticks({100000.25, 100000.75}, 2)) == "100000.25 100000.50 100000.75");
    CHECK(labels(value_ticks({123456789.0, 123456791.0}, 2)) == "123456789 123456790 123456791");
}

TEST_CASE("ticks: limits a few roundings apart still give true labels") {
    for (const Tick& tick : value_ticks({1, 1 + 0x1p-49}, 9)) {
        CHECK(tick.value >= 1);
        CHECK(tick.value <= 1 + 0x1p-49);
    }
}

TEST_CASE("ticks: the whole range of doubles has ticks") {
    constexpr double largest = std::numeric_limits<double>::max();
    CHECK(labels(value_ticks({-largest, largest}, 4)) == "\u22121e308 0e308 1e308");
    CHECK(labels(value_ticks({-largest, largest}, 1)) == "\u22121e308 0e308 1e308");
}

TEST_CASE("ticks: whole numbers between the ends of doubles have ticks, too") {
    constexpr double largest = std::numeric_limits<double>::max();
    for (const Limits& limits : {Limits{-largest, largest}, {-8e307, 1e308}, {0, largest}}) {
        const std::vector<Tick> ticks = index_ticks(limits, 9);
        REQUIRE(ticks.size() >= 2);
        for (const Tick& tick : ticks) CHECK(std::isfinite(tick.value));
    }
}

TEST_CASE("ticks: at given values all have as many digits as the one that needs most") {
    const auto at = [](std::vector<double> values) { return labels(ticks_at(values)); };
    CHECK(at({0, 10, 1000}) == "0 10 1000");
    CHECK(at({0.1, 0.25, -3}) == "0.10 0.25 \u22123.00");
    CHECK(at({0.1 + 0.2}) == "0.30000000000000004");
    CHECK(at({1e-7, 3e-7}) == "1e\u22127 3e\u22127");
    CHECK(at({12345678, 5}) == "12345678 5");
    CHECK(at({1e300, 2e300}) == "1e300 2e300");
    CHECK(at({1e-300, 0, 1e300}) == "1e\u2212300 0 1e300");
    CHECK(at({0, 0}) == "0 0");
    CHECK(at({}) == "");
    CHECK(ticks_at(std::vector{5.0, 0.1})[1].value == 0.1);
}

namespace {

std::string major_labels(Limits limits, int intervals) {
    std::vector<Tick> ticks = power_ticks(limits, intervals);
    std::erase_if(ticks, [](const Tick& tick) { return tick.is_minor; });
    return labels(ticks);
}

std::vector<double> minor_values(Limits limits, int intervals) {
    std::vector<double> values;
    for (const Tick& tick : power_ticks(limits, intervals)) {
        if (tick.is_minor) values.push_back(tick.value);
    }
    return values;
}

}  // namespace

TEST_CASE("ticks: a logarithmic axis has the powers of ten within the limits") {
    CHECK(major_labels({6, 63000}, 9) == "10\u00b9 10\u00b2 10\u00b3 10\u2074");
    CHECK(major_labels({0.001, 1}, 9) == "10\u207b\u00b3 10\u207b\u00b2 10\u207b\u00b9 10\u2070");
    CHECK(major_labels({1, 1e12}, 4) == "10\u2070 10\u00b3 10\u2076 10\u2079 10\u00b9\u00b2");
}

TEST_CASE("ticks: between neighbouring powers there are minor ticks at their multiples") {
    CHECK(minor_values({6, 150}, 9) ==
          std::vector<double>{6, 7, 8, 9, 20, 30, 40, 50, 60, 70, 80, 90});
    CHECK(minor_values({1, 1e12}, 4).empty());
}

TEST_CASE("ticks: a symlog axis has 0 and the powers from its threshold on, on both sides") {
    CHECK(labels(symlog_ticks({-31.5, 0}, 0.01, 6)) == "−10¹ −10⁰ −10⁻¹ −10⁻² 0");
    CHECK(labels(symlog_ticks({-31.5, 0}, 0.01, 2)) == "−10¹ −10⁻¹ 0");
    CHECK(labels(symlog_ticks({-10, 100}, 10, 9)) == "−10¹ 0 10¹ 10²");
    CHECK(labels(symlog_ticks({0.25, 0.5}, 1, 9)).starts_with("0.25"));
    CHECK(labels(symlog_ticks({0, 50}, 10, 9)) == "0 10¹");
    for (const Tick& tick : symlog_ticks({-1000, 10}, 1, 9)) {
        CAPTURE(tick.label);
        CHECK((tick.value == 0) == (tick.label == "0"));
    }
}

TEST_CASE("ticks: a logarithmic axis of fewer than two powers has those of values") {
    CHECK(labels(power_ticks({6, 60}, 3)) == labels(value_ticks({6, 60}, 3)));
}

TEST_CASE(
    "ticks: labels with an exponent know their digits, so that one exponent can stand for all") {
    const std::vector<Tick> large = value_ticks({-2e9, 2e9}, 2);
    REQUIRE(large.size() == 3);
    CHECK(large[0].digits == "\u22122");
    CHECK(large[0].label == "\u22122e9");
    CHECK(large[0].exponent == 9);
    CHECK(large[1].exponent == 9);
    // Shorter with an exponent at the end of the axis, but not with one at each label.
    const std::vector<Tick> small = value_ticks({0, 1e-5}, 5);
    CHECK(small.back().label == "0.000010");
    CHECK(small.back().digits == "1.0");
    CHECK(small.back().exponent == -5);
    CHECK(value_ticks({0, 1}, 5).back().digits.empty());
    CHECK(power_of_ten_text(-12) == "10\u207b\u00b9\u00b2");
}
