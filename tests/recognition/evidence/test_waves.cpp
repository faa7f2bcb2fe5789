#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/dtype.h"
#include "recognition/evidence/circle.h"
#include "recognition/evidence/geometric.h"
#include "recognition/evidence/lone_wave.h"

namespace pegen::evidence {
namespace {

double rounded_to(DType dtype, double value) {
    switch (dtype) {
        case DType::bfloat16:
            return widen(round_to<bfloat16>(value));
        case DType::float16:
            return widen(round_to<float16>(value));
        case DType::float32:
            return static_cast<float>(value);
        default:
            return value;
    }
}

struct Wave {
    double amplitude = 1;
    double offset = 0;
    double start = 0;
    double step = 1;
    double base = 10000;
};

/// Returns the sines and cosines of `count` frequencies at `rows` equally spaced positions.
WavePairs waves(const Wave& wave, std::int64_t rows, std::int64_t count, DType dtype) {
    const Precision precision = precision_of(dtype);
    WavePairs pairs{.rows = rows, .pairs = count};
    for (std::int64_t k = 0; k < count; ++k) {
        const double frequency =
            std::pow(wave.base, -static_cast<double>(k) / static_cast<double>(count));
        for (std::int64_t row = 0; row < rows; ++row) {
            const double angle = (wave.start + wave.step * static_cast<double>(row)) * frequency;
            pairs.sines.push_back(
                rounded_to(dtype, wave.amplitude * std::sin(angle) + wave.offset));
            pairs.cosines.push_back(
                rounded_to(dtype, wave.amplitude * std::cos(angle) + wave.offset));
            pairs.sine_errors.push_back(unit_of(pairs.sines.back(), precision) / 2);
            pairs.cosine_errors.push_back(unit_of(pairs.cosines.back(), precision) / 2);
        }
    }
    return pairs;
}

bool is_within(const Measured& measured, double value) {
    return std::fabs(measured.value - value) <= measured.error + 1e-14 * std::fabs(value);
}

TEST_CASE("circle: amplitude and offset of a standardised table are found in all formats") {
    for (const DType dtype : {DType::float64, DType::float32, DType::float16, DType::bfloat16}) {
        const WavePairs pairs = waves({.amplitude = 0.135, .offset = -0.042}, 60, 16, dtype);
        const auto circle = common_circle(pairs);
        REQUIRE(circle);
        CHECK(is_within(circle->radius, 0.135));
        CHECK(is_within(circle->offset, -0.042));
    }
}

TEST_CASE("circle: the offset is 0 where the cells are as near to a circle about 0") {
    const auto circle = common_circle(waves({.amplitude = 0.5}, 1, 2, DType::float16));
    REQUIRE(circle);
    CHECK(circle->offset.value == 0);
    CHECK(is_within(circle->radius, 0.5));
}

TEST_CASE("circle: some spoiled cells are passed over, many are on no circle") {
    WavePairs pairs = waves({}, 50, 8, DType::float32);
    for (std::size_t i = 0; i < pairs.sines.size(); i += 13) pairs.sines[i] += 0.3;
    const auto circle = common_circle(pairs);
    REQUIRE(circle);
    CHECK(is_within(circle->radius, 1));
    const Angles angles = angles_of(pairs, *circle);
    CHECK(std::isinf(angles.errors[13]));
    CHECK(std::isfinite(angles.errors[14]));
    std::mt19937 generator(1);
    for (double& value : pairs.cosines) value = static_cast<double>(generator()) * 0x1p-32;
    CHECK(!common_circle(pairs));
}

TEST_CASE("turning: advances and phases are found within the errors that are said") {
    for (const DType dtype : {DType::float64, DType::float32, DType::float16, DType::bfloat16}) {
        const Wave wave{.start = 5, .step = -0.75};
        const WavePairs pairs = waves(wave, 100, 12, dtype);
        const auto circle = common_circle(pairs);
        REQUIRE(circle);
        const auto turnings = turnings_of(angles_of(pairs, *circle));
        REQUIRE(turnings);
        for (std::size_t k = 0; k < 12; ++k) {
            const double frequency = std::pow(1e4, -static_cast<double>(k) / 12);
            CAPTURE(k);
            CAPTURE(precision_of(dtype).digits);
            CHECK(is_within((*turnings)[k].advance, wave.step * frequency));
            CHECK(is_within({wrapped((*turnings)[k].phase.value - wave.start * frequency),
                             (*turnings)[k].phase.error},
                            0));
        }
    }
}

TEST_CASE("turning: a fifth of the rows may be spoiled") {
    std::vector<double> angles, errors;
    std::mt19937 generator(3);
    for (int row = 0; row < 80; ++row) {
        angles.push_back(wrapped(0.3 + 2.7 * row));
        errors.push_back(1e-7);
        if (row % 6 == 2) angles.back() = static_cast<double>(generator()) * 0x1p-31 - 1;
    }
    const auto turning = turning_of(angles, errors);
    REQUIRE(turning);
    CHECK(turning->advance.value == doctest::Approx(2.7).epsilon(1e-6));
    CHECK(turning->phase.value == doctest::Approx(0.3).epsilon(1e-5));
}

TEST_CASE("turning: there is none of rows that are not at equal distances") {
    std::vector<double> angles, errors(20, 1e-7);
    for (int row = 0; row < 20; ++row) angles.push_back(wrapped(row * row));
    CHECK(!turning_of(angles, errors));
}

std::vector<Measured> series(double first, double ratio, int count, double error) {
    std::vector<Measured> angles;
    for (int k = 0; k < count; ++k) angles.push_back({wrapped(first * std::pow(ratio, -k)), error});
    return angles;
}

TEST_CASE("geometric series: turned angles are unwrapped") {
    for (const double first : {1.0, -7.0, 1000.0, 0.5}) {
        const auto found = geometric_series(series(first, 1.5, 32, 1e-7));
        REQUIRE(found.size() == 1);
        CHECK(found[0].first.value == doctest::Approx(first).epsilon(1e-6));
        CHECK(is_within(found[0].first, first));
        CHECK(is_within(found[0].log_ratio, std::log(1.5)));
    }
}

TEST_CASE("geometric series: two angles may be many, the true one among them") {
    const auto found = geometric_series(series(7, 100, 2, 1e-7));
    REQUIRE(found.size() == 8);
    CHECK(is_within(found[1].first, 7));
    CHECK(is_within(found[1].log_ratio, std::log(100)));
}

TEST_CASE("geometric series: there is none of random angles, one or none") {
    std::mt19937 generator(5);
    std::vector<Measured> angles;
    for (int k = 0; k < 12; ++k) {
        angles.push_back({static_cast<double>(generator()) * 0x1p-30 - 2, 1e-7});
    }
    CHECK(geometric_series(angles).empty());
    CHECK(geometric_series(std::vector<Measured>{{1, 1e-7}}).empty());
    CHECK(geometric_series({}).empty());
    CHECK(geometric_series(std::vector<Measured>(9, Measured{0, 1e-9})).empty());
}

TEST_CASE("geometric series: another position is found though the slowest angle has turned") {
    for (const double first : {0.0, 3.0, -1e5, 123456.25}) {
        const auto found = first_of_series(series(first, 1.4, 28, 1e-7), {std::log(1.4), 1e-13});
        REQUIRE(found);
        CHECK(is_within(*found, first));
        CHECK(found->error < 1e-4);
    }
    CHECK(!first_of_series(series(5, 1.7, 28, 1e-7), {std::log(1.4), 1e-13}));
}

TEST_CASE("lone wave: frequency and phase of a cosine are found, however slow") {
    for (const double advance : {1e-4, 1e-3, 0.05, 0.9, 2.5, 3.1}) {
        for (const DType dtype : {DType::float64, DType::float32, DType::float16}) {
            std::vector<double> values, errors;
            for (int row = 0; row < 512; ++row) {
                values.push_back(rounded_to(dtype, std::cos(advance * row)));
                errors.push_back(unit_of(values.back(), precision_of(dtype)) / 2);
            }
            const auto wave = lone_wave(values, errors, {.amplitude = 1});
            CAPTURE(advance);
            CAPTURE(static_cast<int>(dtype));
            REQUIRE(wave);
            CAPTURE(wave->advance.value);
            CAPTURE(wave->advance.error);
            CAPTURE(wave->phase.value);
            CHECK(is_within(wave->advance, advance));
            CHECK(wave->advance.error < 0.1 * advance + 1e-4);
        }
    }
}

TEST_CASE("lone wave: amplitude and offset are found if it turns") {
    for (const double advance : {0.05, 1.3, 3.0}) {
        std::vector<double> values, errors;
        for (int row = 0; row < 200; ++row) {
            values.push_back(rounded_to(DType::float32, 0.25 + 3 * std::sin(advance * row - 2)));
            errors.push_back(1e-7);
        }
        const auto wave = lone_wave(values, errors, {.offset = std::nullopt});
        REQUIRE(wave);
        CHECK(is_within(wave->amplitude, 3));
        CHECK(is_within(wave->offset, 0.25));
        CHECK(is_within(wave->advance, advance));
        CHECK(is_within(wave->phase, -2));
    }
}

TEST_CASE("lone wave: there is none through random numbers or too few") {
    std::mt19937 generator(7);
    std::vector<double> values, errors(100, 1e-7);
    for (int row = 0; row < 100; ++row)
        values.push_back(static_cast<double>(generator()) * 0x1p-32);
    CHECK(!lone_wave(values, errors));
    CHECK(!lone_wave(values, errors, {.amplitude = 1}));
    CHECK(!lone_wave(std::vector<double>(5, 0.5), std::vector<double>(5, 1e-7)));
    values[3] = std::nan("");
    CHECK(!lone_wave(values, errors));
}

TEST_CASE("spacings: the ratio of neighbours gives the base and the shift of code bases") {
    const auto ratio = [](double base, double step, double width) {
        return Measured{std::log(base) * step / width, 1e-8};
    };
    const auto plain = spacings(ratio(10000, 2, 64), 2, 64);
    CHECK(plain.front().base.text == "10000");
    CHECK(plain.front().shift.text == "0");
    const auto shifted = spacings(ratio(10000, 2, 62), 2, 64);
    CHECK(shifted.front().base.text == "10000");
    CHECK(shifted.front().shift.text == "2");
    const auto other = spacings(ratio(500, 2, 63), 2, 64);
    CHECK(other.front().base.text == "500");
    CHECK(other.front().shift.text == "1");
    const auto rare = spacings(ratio(10000, 2, 61), 2, 64);
    CHECK(rare.front().base.text == "10000");
    CHECK(rare.front().shift.text == "3");
}

TEST_CASE("spacings: a shift is a whole number") {
    for (const auto& spacing : spacings({std::log(10000.0) * 2 / 60.5, 1e-8}, 2, 64)) {
        CHECK(spacing.shift.value == std::rint(spacing.shift.value));
    }
}

TEST_CASE("spacings: there are none of equal frequencies") {
    CHECK(spacings({0, 0}, 2, 64).empty());
    CHECK(spacings({std::nan(""), 0}, 2, 64).empty());
}

}  // namespace
}  // namespace pegen::evidence
