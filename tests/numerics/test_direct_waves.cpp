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

/// Positions at which a wave of frequency 1 is hard: zeros, small ones, whole and half turns and
/// their neighbours, large ones.
std::vector<double> hard_positions() {
    std::vector<double> positions{0,        -0.0,    0x1p-390, -0x1p-300, 0x1p-149, -0x1p-74,
                                  -0x1p-60, 0x1p-30, 1e-10,    0x1p26,    -0x1p26,  67108863.9};
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
        const T exact = round_to<T>(exact_value(function, list[row], frequencies, k, 1, dtype));
        CAPTURE(list[row]);
        CAPTURE(numbers[k]);
        REQUIRE(std::bit_cast<Bits>(values[i]) == std::bit_cast<Bits>(exact));
    }
}

/// Compares few waves of a progression, whose rows are made in parts, with MPFR.
template <class T>
void check_few_waves(DType dtype, std::int64_t most) {
    constexpr std::int64_t rows = 3001;
    for (std::int64_t count = 1; count <= most; ++count) {
        const Positions positions = Positions(-1500, 1, rows).reversed();
        const Frequencies frequencies(GeometricProgression{10, 1, 4, 0, 7, count});
        for (const ChannelLayout& layout :
             {interleaved(2 * count), padded(halves(2 * count, Function::cos), 2 * count + 1),
              only(Function::sin, count), both_of_pairs(Function::cos, 2 * count)}) {
            const Rows table = sinusoid_rows(positions, frequencies, layout, 1, dtype);
            std::vector<T> values(rows * layout.channels);
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
                REQUIRE(values[i] == (content ? static_cast<T>(exact_value(
                                                    content->function, position, frequencies,
                                                    content->frequency, 1, dtype))
                                              : 0));
            }
        }
    }
}

}  // namespace

TEST_CASE("direct waves: every value of a list is MPFR's, in every dtype") {
    const std::vector<double> frequencies{1, 0.5, -1, 1e-9, 1.0 / 3, 0x1p-140, 0};
    const std::vector<double> positions = hard_positions();
    const auto check = [&](const std::vector<double>& list, const std::vector<double>& numbers) {
        check_list<double>(DType::float64, list, numbers);
        check_list<float>(DType::float32, list, numbers);
        check_list<float16>(DType::float16, list, numbers);
        check_list<bfloat16>(DType::bfloat16, list, numbers);
    };
    check(positions, frequencies);
    // Products that doubles cannot hold exactly.
    std::vector<double> tiny{-0x1p-1074, 0x1p-1074, -0x1p-600, 3, 0}, huge{1e306, -3e307, 0};
    tiny.resize(2048, 0x1p-1070);
    huge.resize(4096, 7e305);
    check(tiny, {0.3, -0.3, 0x1p-1000, 1});
    check(huge, {1e-305 / 7, -1e-306});
    check(positions, {0x1p-401, -1e-300, 1, 0x1p-1050, 0});
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
    check_few_waves<float>(DType::float32, 4);
    check_few_waves<double>(DType::float64, 1);
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

TEST_CASE("direct waves: weights with rates that doubles hardly hold are MPFR's") {
    const std::vector<double> points{0, 0.5, 1.25, 2}, variances{0, 1, 1e302, 1e303};
    const std::vector<double> bands{1e-150, 0x1p600, 1}, shares{1, 1, 1e-200};
    std::vector<Real> rates;
    const Precision precision(2000);
    for (const double band : bands) rates.push_back(Real(band) * band / 2);
    const AxisWaves axis{
        Coordinates(Positions(points)), exactly(bands), halves(6, Function::sin),
        WaveWeights{exactly(shares), Frequencies([=] { return rates; }), Positions(variances)}};
    for (const DType dtype : {DType::float64, DType::float32}) {
        std::vector<std::byte> bytes(4 * 6 * info(dtype).size);
        std::vector<double> values(4 * 6);
        axis_wave_rows(axis, dtype)({0, 4}, bytes);
        load(bytes, dtype, values);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t row = i / 6, k = i % 3;
            const Real angle = Real(points[row]) * bands[k];
            const Real exact = (i % 6 < 3 ? sin(angle) : cos(angle)) * shares[k] *
                               exp(-(rates[k] * variances[row]));
            CAPTURE(row);
            CAPTURE(k);
            CHECK(values[i] == rounded(for_rounding_to(dtype, exact), dtype));
        }
    }
}
