#include <doctest/doctest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "recognition/evidence/precision.h"

using namespace pegen;
using namespace pegen::evidence;

namespace {

std::vector<double> rounded_sines(double scale) {
    std::vector<double> values;
    for (int i = 0; i < 50; ++i) values.push_back(std::rint(std::sin(i) * scale) / scale);
    return values;
}

std::optional<std::string> rounding_of(const std::vector<double>& values) {
    const auto decimals = decimals_of(values, DType::float64);
    if (!decimals) return {};
    return to_string(*decimals);
}

}  // namespace

TEST_CASE("decimals_of: tells how printed values were rounded") {
    CHECK(rounding_of(rounded_sines(1e3)) == "3 decimals");
    CHECK(rounding_of(rounded_sines(1e6)) == "6 decimals");
    CHECK(rounding_of({8.4147e-01, 1.5925e-03, 6.8156e-04, 9.9998e-01, 2.4673e-02, 3.9811e-06,
                       5.4030e-01, 7.1113e-02, 4.5464e-01}) == "5 significant digits");
    std::vector<double> singles;
    for (const double value : rounded_sines(1e4)) singles.push_back(static_cast<float>(value));
    CHECK(to_string(decimals_of(singles, DType::float32).value()) == "4 decimals");
    singles.clear();
    for (const double value : rounded_sines(1e6)) singles.push_back(static_cast<float>(value));
    CHECK(to_string(decimals_of(singles, DType::float32).value()) == "6 decimals");
}

TEST_CASE("decimals_of: claims nothing of values with all their digits, or of simple fractions") {
    std::vector<double> sines, eighths;
    for (int i = 0; i < 50; ++i) {
        sines.push_back(std::sin(i));
        eighths.push_back(i / 8.0);
    }
    CHECK_FALSE(rounding_of(sines));
    CHECK_FALSE(rounding_of(eighths));
    CHECK_FALSE(rounding_of({}));
    CHECK_FALSE(decimals_of(rounded_sines(1e4), DType::bfloat16));
    std::vector<double> singles;
    for (const double value : sines) singles.push_back(static_cast<float>(value));
    CHECK_FALSE(decimals_of(singles, DType::float32));
    // Too few values to tell 6 decimals from the digits that float32 has.
    const std::vector<double> few = rounded_sines(1e6);
    CHECK_FALSE(decimals_of(std::span(few).first(12), DType::float32));
}

TEST_CASE("decimals_of: the values together must tell rounding from chance") {
    // Of the float32 numbers from 8 on, one in five is as near to 5 decimals: 2.4 bits. From 4 on,
    // it is one in ten: 3.4 bits. Sixteen of the former and one of the latter exceed 40 bits.
    std::vector<double> values{5.12347F};
    for (int i = 1; i < 17; ++i) {
        values.push_back(static_cast<float>(std::rint((9 + 0.9 * std::sin(i)) * 1e5) / 1e5));
    }
    CHECK(decimals_of(values, DType::float32));
    CHECK_FALSE(decimals_of(std::span(values).first(16), DType::float32));
}

TEST_CASE("precision_of: a unit is about that of the last decimal") {
    const Precision four = precision_of({4, false}, 1.0, DType::float64);
    for (const double value : {1.0, 0.3, 0.001, 0.0}) {
        CHECK(unit_of(value, four) >= 1e-4);
        CHECK(unit_of(value, four) < 2e-4);
    }
    const Precision five = precision_of({5, true}, 1.0, DType::float64);
    CHECK(unit_of(0.9999, five) >= 1e-5);
    CHECK(unit_of(1.5e-6, five) >= 1e-10);
    CHECK(unit_of(1.5e-6, five) < 1e-9);
}
