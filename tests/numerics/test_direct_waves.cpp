#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <vector>

#include "core/dtype.h"
#include "numerics/axis_waves.h"
#include "numerics/direct_waves.h"
#include "numerics/exact.h"
#include "numerics/plane_waves.h"
#include "numerics/rounding.h"
#include "numerics/sinusoid.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

/// Positions at which a wave of frequency 1 is hard: zeros, tiny ones, whole and half turns and
/// their neighbours, large ones.
std::vector<double> hard_positions() {
    std::vector<double> positions{0,       -0.0,  0x1p-1074, -0x1p-600, 0x1p-149,  -0x1p-60,
                                  0x1p-30, 1e-10, 0x1p26,    -0x1p26,   67108863.9};
    for (int n = 1; n < 85445659; n = 3 * n + 1) {
        const double turns = n * (std::numbers::pi / 4);
        for (const double position : {turns, std::nextafter(turns, 1e9), -turns}) {
            positions.push_back(position);
        }
    }
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> exponent(-40, 26);
    for (int i = 0; i < 2000; ++i) positions.push_back(std::exp2(exponent(engine)));
    return positions;
}

/// Compares every value with MPFR's, to the bit.
template <class T>
void check_list(DType dtype, const std::vector<double>& list, const std::vector<double>& numbers) {
    std::vector<Ratio> ratios;
    for (const double number : numbers) ratios.push_back({number, 1});
    const Frequencies frequencies(ratios);
    const auto count = static_cast<std::int64_t>(numbers.size());
    REQUIRE(list.size() * numbers.size() >= 1 << 13);  // where lists are direct
    const Rows rows = sinusoid_rows(Positions(list), frequencies, interleaved(2 * count), 1, dtype);
    std::vector<T> values(list.size() * numbers.size() * 2);
    rows({0, static_cast<std::int64_t>(list.size())}, std::as_writable_bytes(std::span(values)));
    using Bits =
        std::conditional_t<sizeof(T) == 8, std::uint64_t,
                           std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>>;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t row = i / (2 * numbers.size()), k = i % (2 * numbers.size()) / 2;
        const Function function = i % 2 == 0 ? Function::sin : Function::cos;
        // The sine of no angle is 0, not -0.
        const double exact_double = exact_value(function, list[row], frequencies, k, 1, dtype);
        const T exact = round_to<T>(list[row] * numbers[k] == 0 && function == Function::sin
                                        ? 0.0 + exact_double
                                        : exact_double);
        CAPTURE(list[row]);
        CAPTURE(numbers[k]);
        REQUIRE(std::bit_cast<Bits>(values[i]) == std::bit_cast<Bits>(exact));
    }
}

}  // namespace

TEST_CASE("direct waves: every value of a list is MPFR's, in every dtype") {
    const std::vector<double> frequencies{1, 0.5, -1, 1e-9, 1.0 / 3, 0x1p-140, 0};
    const std::vector<double> positions = hard_positions();
    check_list<double>(DType::float64, positions, frequencies);
    check_list<float>(DType::float32, positions, frequencies);
    check_list<float16>(DType::float16, positions, frequencies);
    check_list<bfloat16>(DType::bfloat16, positions, frequencies);
}

TEST_CASE("direct waves: angles of several axes may cancel each other") {
    // So many points that rotations would not be kept.
    constexpr std::int64_t points = 70000;
    std::mt19937_64 engine(3);
    std::normal_distribution<double> normal(0, 100);
    std::vector<double> x(points), y(points);
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = normal(engine);
        y[i] = i % 3 == 0 ? x[i] : i % 3 == 1 ? std::nextafter(x[i], 0.0) : normal(engine);
    }
    const std::vector<double> weights{1, 3.7, -0.1, 1e-5, 12, 0, 100, 0.77};
    std::vector<double> opposite = weights;
    for (double& weight : opposite) weight = -weight;
    const std::vector<WaveAxis> axes{{{Coordinates(Positions(x)), 1}, exactly(weights)},
                                     {{Coordinates(Positions(y)), 1}, exactly(opposite)}};
    const std::int64_t channels = 2 * std::ssize(weights);
    std::vector<float> values(static_cast<std::size_t>(600 * channels));
    plane_wave_rows(axes, 1, halves(channels), DType::float32)(
        {0, 600}, std::as_writable_bytes(std::span(values)));
    std::vector<double> doubles(values.size());
    plane_wave_rows(axes, 1, halves(channels), DType::float64)(
        {0, 600}, std::as_writable_bytes(std::span(doubles)));
    const Precision precision(4000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t row = i / (2 * weights.size()), channel = i % (2 * weights.size());
        const std::size_t k = channel % weights.size();
        const Real angle = Real(x[row]) * weights[k] - Real(y[row]) * weights[k];
        const Real exact = channel < weights.size() ? sin(angle) : cos(angle);
        REQUIRE(values[i] == mpfr_get_flt(exact.get(), MPFR_RNDN));
        REQUIRE(doubles[i] == nearest_double(exact));
    }
}

TEST_CASE("direct waves: few waves of a progression are MPFR's, in any parts of the rows") {
    constexpr std::int64_t rows = 3001;
    for (const std::int64_t count : {1, 2, 3, 4}) {
        const Positions positions = Positions(-1500, 1, rows).reversed();
        const Frequencies frequencies(GeometricProgression{10, 1, 4, 0, 7, count});
        for (const ChannelLayout& layout :
             {interleaved(2 * count), padded(halves(2 * count, Function::cos), 2 * count + 1),
              only(Function::sin, count), both_of_pairs(Function::cos, 2 * count)}) {
            const Rows table = sinusoid_rows(positions, frequencies, layout, 1, DType::float32);
            std::vector<float> values(rows * layout.channels);
            const auto bytes = std::as_writable_bytes(std::span(values));
            for (std::int64_t first = 0, some = 1; first < rows; first += some, some += 7) {
                some = std::min(some, rows - first);
                table({first, some},
                      bytes.subspan(first * table.bytes_per_row(), some * table.bytes_per_row()));
            }
            for (std::int64_t i = 0; i < std::ssize(values); ++i) {
                const auto content = content_of(layout, i % layout.channels);
                const double position = positions[i / layout.channels];
                CAPTURE(position);
                REQUIRE(values[i] == (content ? static_cast<float>(exact_value(
                                                    content->function, position, frequencies,
                                                    content->frequency, 1, DType::float32))
                                              : 0));
            }
        }
    }
}

TEST_CASE("direct waves: a tiny negative angle keeps its sign") {
    const Frequencies frequencies(std::array{Ratio{0.3, 1}, Ratio{-0.3, 1}});
    const Positions positions(std::vector<double>{0x1p-1074, -0x1p-1074, 0x1p-1070, 1});
    const auto check = [&]<class T>(DType dtype, std::vector<T> values) {
        const Rows rows = sinusoid_rows(positions, frequencies, interleaved(4), 1, dtype);
        rows({0, 4}, std::as_writable_bytes(std::span(values)));
        CHECK(std::signbit(values[2]));
        CHECK_FALSE(std::signbit(values[0]));
        CHECK(std::signbit(values[4]));
        CHECK(std::signbit(values[10]));
    };
    check(DType::float32, std::vector<float>(16));
    check(DType::float64, std::vector<double>(16));
}

TEST_CASE("direct waves: weights are MPFR's, from 0 to 1") {
    constexpr std::size_t points = 2100;
    const std::vector<double> bands{0.7, 3, 11, 200}, shares{1, 0, 0.5, 1e-9};
    std::mt19937_64 engine(11);
    // With the bands 0.7 and 3, weights down to the smallest doubles.
    std::uniform_real_distribution<double> small(0, 3100);
    std::uniform_real_distribution<double> coordinate(-40, 40), exponent(-60, 1000);
    std::vector<AxisWaves> axes;
    std::vector<std::vector<double>> coordinates(2), variances(2);
    for (std::int64_t axis = 0; axis < 2; ++axis) {
        for (std::size_t i = 0; i < points; ++i) {
            coordinates[axis].push_back(i == 7 ? 0 : coordinate(engine));
            variances[axis].push_back(i % 5 == 0   ? 0
                                      : i % 5 == 1 ? small(engine)
                                                   : std::exp2(exponent(engine)));
        }
        std::vector<double> rates;
        for (const double band : bands) rates.push_back(band * band / 2);
        axes.push_back({Coordinates(Positions(coordinates[axis])), exactly(bands),
                        strided(17, 8 * axis, {2, 1}, 4, Function::sin),
                        WaveWeights{exactly(shares), exactly(rates), Positions(variances[axis])}});
    }
    for (const DType dtype : {DType::float64, DType::float32, DType::float16, DType::bfloat16}) {
        const std::optional<Rows> rows = joint_wave_rows(axes, dtype);
        REQUIRE(rows);
        std::vector<std::byte> bytes(rows->count() * rows->bytes_per_row());
        (*rows)({0, rows->count()}, bytes);
        std::vector<double> values(rows->count() * rows->columns());
        load(bytes, dtype, values);
        const Precision precision(400);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t row = i / 17, channel = i % 17;
            if (channel == 16) continue;
            const std::size_t axis = channel / 8, k = channel % 8 / 2;
            const Real angle = Real(coordinates[axis][row]) * bands[k];
            const Real wave = channel % 2 == 0 ? sin(angle) : cos(angle);
            const Real rate = bands[k] * bands[k] / 2;
            const Real exact = wave * shares[k] * exp(-(rate * variances[axis][row]));
            CAPTURE(row);
            CAPTURE(channel);
            REQUIRE(values[i] == rounded(for_rounding_to(dtype, exact), dtype));
        }
        CHECK(std::ranges::count(values, 0.0) > 2 * 2100);
        for (std::size_t axis = 0; axis < 2; ++axis) {
            std::vector<std::byte> alone(bytes.size());
            axis_wave_rows(axes[axis], dtype)({0, points}, alone);
            std::vector<double> of_axis(values.size());
            load(alone, dtype, of_axis);
            for (std::size_t i = 0; i < values.size(); ++i) {
                REQUIRE(of_axis[i] == (i % 17 / 8 == axis ? values[i] : 0));
            }
        }
    }
}
