#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "core/dtype.h"
#include "numerics/plane_waves.h"
#include "numerics/real.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

/// Returns the exact result of the formula.
double exact(double low, double high, std::int64_t i, std::int64_t count) {
    const Precision precision(5000);
    const auto last = static_cast<double>(count - 1), at = static_cast<double>(i);
    return nearest_double((Real(low) * (last - at) + Real(high) * at) / last);
}

}  // namespace

TEST_CASE("coordinates: between two numbers, every one is the nearest, and the ends are the ends") {
    constexpr std::array<double, 11> numbers{
        0, 1, -1, 0.1, -0.2, 0.7, 1e6, 1e-6, 1.0 / 3, 1e-300, 9007199254740991.0};
    for (const double low : numbers) {
        for (const double high : numbers) {
            for (const std::int64_t count : {2, 3, 7, 19, 1000003}) {
                INFO(low, " ", high, " ", count);
                const Coordinates all = Coordinates::between(low, high, count);
                REQUIRE(all.size() == count);
                const auto at = [&](std::int64_t i) {
                    return all.for_rounding_to(DType::float64, i);
                };
                CHECK(at(0) == low);
                CHECK(at(count - 1) == high);
                for (const std::int64_t i : {std::int64_t{1}, count / 3, count / 2, count - 2}) {
                    CHECK(at(i) == exact(low, high, i, count));
                    CHECK(nearest_double(Real(all.origin()) + all.step() * all.positions()[i]) ==
                          doctest::Approx(at(i)));
                }
                if (low == -high && count % 2 == 1) CHECK(at(count / 2) == 0);
                CHECK(all.largest() == std::fmax(std::fabs(low), std::fabs(high)));
            }
        }
    }
    CHECK(Coordinates::between(0.3, 1, 1).for_rounding_to(DType::float64, 0) == 0.3);
}

TEST_CASE("coordinates: the middle of a grid is 0 without a sign, whatever the unit") {
    for (const double unit : {0.1, 1.0, 3.7}) {
        const Coordinates middles(Positions(-6, 2, 7), unit, 7);
        CHECK(middles.for_rounding_to(DType::float64, 3) == 0);
        CHECK_FALSE(std::signbit(middles.for_rounding_to(DType::float64, 3)));
    }
}

TEST_CASE("coordinates: a number next to a midpoint is rounded once") {
    // 1 + 2^-24 is halfway between two floats, so the term 1e-300 decides the rounding.
    const Coordinates up = Coordinates::between(1 + 0x1p-24, 1 + 0x1p-24, 2);
    CHECK(static_cast<float>(up.for_rounding_to(DType::float32, 0)) == 1);
    const Coordinates decided = Coordinates::between(2e-300, 2 * (1 + 0x1p-24), 3);
    CHECK(static_cast<float>(decided.for_rounding_to(DType::float32, 1)) == 1 + 0x1p-23F);
}

namespace {

template <class T>
std::vector<T> rows_of(const std::vector<WaveAxis>& axes, double factor, std::int64_t rows,
                       DType dtype) {
    const std::int64_t count = axes.front().weights.size();
    const Rows source = plane_wave_rows(axes, factor, halves(2 * count), dtype);
    std::vector<T> values(static_cast<std::size_t>(rows * 2 * count));
    source({0, rows}, std::as_writable_bytes(std::span(values)));
    return values;
}

/// Returns the angle as a sum by MPFR, with more bits than the sum needs.
Real exact_angle(const std::vector<WaveAxis>& axes, double factor, std::int64_t row,
                 std::size_t k) {
    Real angle = 0;
    for (const WaveAxis& axis : axes) {
        angle = angle + axis.coordinates.at(axis.index(row)) * axis.weights.reals()[k];
    }
    return angle * factor;
}

/// Checks every value, as float32 and float64.
void check(const std::vector<WaveAxis>& axes, double factor, std::int64_t rows) {
    const Precision precision(2000);
    const auto count = static_cast<std::size_t>(axes.front().weights.size());
    const auto floats = rows_of<float>(axes, factor, rows, DType::float32);
    const auto doubles = rows_of<double>(axes, factor, rows, DType::float64);
    for (std::size_t i = 0; i < floats.size(); ++i) {
        const std::size_t row = i / (2 * count), channel = i % (2 * count), k = channel % count;
        const Real angle = exact_angle(axes, factor, static_cast<std::int64_t>(row), k);
        const Real exact = channel < count ? sin(angle) : cos(angle);
        REQUIRE(doubles[i] == nearest_double(exact));
        REQUIRE(floats[i] == mpfr_get_flt(exact.get(), MPFR_RNDN));
    }
}

/// An axis of the coordinates positions[i] / divisor.
WaveAxis axis(Positions positions, double divisor, std::int64_t stride,
              std::vector<double> weights) {
    return {{Coordinates(std::move(positions), 1, divisor), stride}, exactly(std::move(weights))};
}

std::vector<double> normals(std::size_t count, double deviation) {
    static std::mt19937_64 engine(5);
    std::normal_distribution<double> normal(0, deviation);
    std::vector<double> numbers(count);
    for (double& number : numbers) number = normal(engine);
    return numbers;
}

}  // namespace

TEST_CASE("plane waves: on a grid of three axes with phases, every value is correctly rounded") {
    check({axis(Positions(-3, 2, 4), 4, 15, normals(9, 16)),
           axis(Positions(0, 1, 3), 2, 5, normals(9, 16)),
           axis(Positions(-4, 2, 5), 5, 1, normals(9, 16)),
           axis(Positions(1, 0, 1), 1, 1, normals(9, 1))},
          6.283185307179586, 60);
}

TEST_CASE("plane waves: of points in a list, every value is correctly rounded") {
    check({axis(Positions(normals(50, 1)), 1, 1, normals(7, 1)),
           axis(Positions(normals(50, 1e6)), 1, 1, normals(7, 1))},
          1, 50);
}

TEST_CASE("plane waves: a single axis is a table of sines and cosines, with or without a phase") {
    check({axis(Positions(0, 1, 40), 39, 1, normals(8, 30))}, 6.283185307179586, 40);
    check({axis(Positions(0, 1, 40), 39, 1, normals(8, 30)),
           axis(Positions(1, 0, 1), 1, 1, normals(8, 1))},
          6.283185307179586, 40);
    check({axis(Positions(0, 1, 5), 4, 3, normals(8, 2))}, 1, 15);
}

TEST_CASE("plane waves: summands that cancel leave an angle of 0, others what is left") {
    const std::vector<double> weights{0.1, 1e10, 0x1p-60, 3};
    const std::vector<double> opposite{-0.1, -1e10, -0x1p-60, std::nextafter(-3.0, 0.0)};
    const std::vector<WaveAxis> axes{axis(Positions(1, 1, 3), 3, 1, weights),
                                     axis(Positions(1, 1, 3), 3, 1, opposite)};
    const auto values = rows_of<double>(axes, 6.283185307179586, 3, DType::float64);
    for (std::size_t k = 0; k < 3; ++k) {
        CHECK(values[k] == 0);
        CHECK_FALSE(std::signbit(values[k]));
        CHECK(values[4 + k] == 1);
    }
    check(axes, 6.283185307179586, 3);
}

TEST_CASE("plane waves: positions of very different sizes are right, too") {
    check({axis(Positions(std::vector<double>{1e-200, 1, 0x1p52}), 1, 1, normals(3, 1)),
           axis(Positions(std::vector<double>{1, 1e-300, 0.1}), 1, 1, normals(3, 1))},
          1, 3);
}

TEST_CASE("plane waves: coordinates that no double holds are exact, alone and beside others") {
    for (const std::int64_t count : {2, 3, 10, 19, 700}) {
        const Coordinates decimal = Coordinates::between(0.7, -0.2, count);
        const Coordinates tiny = Coordinates::between(-1e6, 1e-6, count);
        check({{{decimal, 1}, exactly(normals(5, 20))}}, 1, count);
        check({{{decimal, 1}, exactly(normals(5, 1e15))}}, 6.283185307179586, count);
        check({{{tiny, 2}, exactly(normals(4, 3))}, {{decimal, 1}, exactly(normals(4, 3))}}, 0.1,
              2);
        check({{{tiny, 1}, exactly(normals(4, 3))}, axis(Positions(1, 0, 1), 1, 1, normals(4, 3))},
              1, count);
    }
    // The axis has more values than are cached.
    const auto count = std::int64_t{1} << 19;
    check({{{Coordinates::between(-0.3, 0.1, count), 1}, exactly(normals(2, 20))}}, 3, 300);
}
