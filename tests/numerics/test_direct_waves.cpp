#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "core/element.h"
#include "numerics/direct_waves.h"
#include "numerics/exact.h"
#include "numerics/plane_waves.h"
#include "numerics/sinusoid.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

/// Positions at which a wave of frequency 1 is hard: zeros, tiny ones, whole and half turns and
/// their neighbours, large ones.
std::vector<double> hard_positions() {
    std::vector<double> positions{0,       -0.0,  0x1p-1074, -0x1p-600, 0x1p-149, -0x1p-60,
                                  0x1p-30, 1e-10, 0x1p20,    -0x1p20,   1048575.9};
    for (int n = 1; n < 667544; n = 3 * n + 1) {
        const double turns = n * (std::numbers::pi / 128);
        for (const double position : {turns, std::nextafter(turns, 1e9), -turns}) {
            positions.push_back(position);
        }
    }
    std::mt19937_64 engine(7);
    std::uniform_real_distribution<double> exponent(-40, 20);
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
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>;
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

TEST_CASE("direct waves: every value of a list is MPFR's, in every narrow dtype") {
    const std::vector<double> frequencies{1, 0.5, -1, 1e-9, 1.0 / 3, 0x1p-140, 0};
    const std::vector<double> positions = hard_positions();
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
    const Rows rows = plane_wave_rows(axes, 1, halves(channels), DType::float32);
    std::vector<float> values(static_cast<std::size_t>(600 * channels));
    rows({0, 600}, std::as_writable_bytes(std::span(values)));
    const Precision precision(4000);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t row = i / (2 * weights.size()), channel = i % (2 * weights.size());
        const std::size_t k = channel % weights.size();
        const Real angle = Real(x[row]) * weights[k] - Real(y[row]) * weights[k];
        const Real exact = channel < weights.size() ? sin(angle) : cos(angle);
        REQUIRE(values[i] == mpfr_get_flt(exact.get(), MPFR_RNDN));
    }
}
