#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/positions.h"
#include "core/shape.h"
#include "exact_error.h"
#include "numerics/exact.h"
#include "numerics/rotate.h"
#include "numerics/rotations.h"
#include "numerics/rounding.h"

using namespace pegen;
using namespace pegen::numerics;

// The bounds are those that docs/numerics.md derives.

namespace {

constexpr std::int64_t frequency_count = 7;

Frequencies frequencies() {
    return Frequencies({.base = 10000,
                        .step = 1,
                        .width = frequency_count,
                        .shift = 0,
                        .scale = 1,
                        .count = frequency_count});
}

/// Returns angles that doubling leads round an orbit of few angles: the orbit of 2 pi / 3 is 2 pi /
/// 3 and 4 pi / 3. So each effect of doubling on an error repeats again and again. The angles lie
/// slightly beside the orbit, since on it errors vanish by chance: the square of sin is rounded to
/// 3/4.
Frequencies on_short_orbits() {
    return Frequencies([] {
        std::vector<Real> angles;
        for (const double denominator : {3, 5, 7, 9, 15, 17, 31}) {
            angles.push_back(Real(2) * pi() / denominator + 0x1p-130);
        }
        return angles;
    });
}

/// The largest error of a sin or cos, as rotations by position * frequency.
double largest_error(const Rotations& rotations, double position,
                     const Frequencies& omega = frequencies()) {
    double largest = 0;
    for (std::size_t k = 0; k < rotations.size(); ++k) {
        Real angle, sin, cos;
        mpfr_mul_d(angle.get(), omega.reals()[k].get(), position, MPFR_RNDN);
        mpfr_sin_cos(sin.get(), cos.get(), angle.get(), MPFR_RNDN);
        largest =
            std::max({largest, error_of(rotations[k].sin, sin), error_of(rotations[k].cos, cos)});
    }
    return largest;
}

Rotations exact(double position) { return exact_rotations(frequencies(), position, 0, 1).front(); }

}  // namespace

TEST_CASE("rotations: those of MPFR are exact to 2^-106, after many doublings too") {
    for (const double position : {1.0, -0.1, 1e15, 0x1p-40}) {
        const std::vector<Rotations> doubled = exact_rotations(frequencies(), position, 6, 8);
        for (std::size_t i = 0; i < doubled.size(); ++i) {
            CAPTURE(i);
            CHECK(largest_error(doubled[i], std::ldexp(position, static_cast<int>(6 * i))) <=
                  0x1p-106);
        }
    }
}

TEST_CASE("rotations: those of MPFR are exact on short orbits of doubling, after 126 doublings") {
    for (const int doublings : {2, 3, 6}) {
        const std::vector<Rotations> doubled =
            exact_rotations(on_short_orbits(), 1, doublings, 126 / doublings + 1);
        for (std::size_t i = 0; i < doubled.size(); ++i) {
            CAPTURE(i);
            CHECK(largest_error(doubled[i], std::ldexp(1, doublings * static_cast<int>(i)),
                                on_short_orbits()) <= 0x1p-106);
        }
    }
}

TEST_CASE("rotations: a product adds the angles, an inverse negates them") {
    for (const double b : {1.0, 3000.25, -12345678.0}) {
        CHECK(largest_error(product(exact(1000), exact(b)), 1000 + b) <= 0x1p-101);
        CHECK(largest_error(inverse(exact(b)), -b) <= 0x1p-106);
    }
    CHECK(largest_error(identity(frequency_count), 0) == 0);
}

TEST_CASE("rotations: powers are multiples of the angle, with an error that adds up") {
    const std::vector<Rotations> all = powers(exact(0.3), 64);
    REQUIRE(all.size() == 64);
    CHECK(largest_error(all[0], 0) == 0);
    // Powers of two: only those multiples of 0.3 are doubles.
    for (const double k : {1.0, 2.0, 32.0}) {
        CHECK(largest_error(all[static_cast<std::size_t>(k)], 0.3 * k) <=
              k * std::sqrt(2.0) * 0x1p-102);
    }
}

TEST_CASE("rotations: scaled values are off by 2^-103 of themselves") {
    const Rotations plain = exact(5);
    const Rotations large = scaled(exact(5), 0.3);
    for (std::size_t k = 0; k < plain.size(); ++k) {
        Real sin(plain[k].sin.high);
        mpfr_add_d(sin.get(), sin.get(), plain[k].sin.low, MPFR_RNDN);
        mpfr_mul_d(sin.get(), sin.get(), 0.3, MPFR_RNDN);
        CHECK(error_of(large[k].sin, sin) <= 0x1p-103 * std::fabs(large[k].sin.high));
    }
}

TEST_CASE("ladder: reaches every position of the table to 2^-92") {
    const std::vector<double> list{0, 0.25, -3, 1e6 + 0.75, -0x1p52, 0x1p53, 4095, 4096};
    const Ladder of_list{Positions(list), frequencies()};
    for (const double position : list) {
        CAPTURE(position);
        CHECK(largest_error(of_list.at(position), position) <= 0x1p-92);
    }
    const Ladder of_zero(Positions(0, 1, 1), frequencies());
    CHECK(largest_error(of_zero.at(0), 0) == 0);
}

TEST_CASE("ladder: reaches positions of 128 bits together to 2^-92, on short orbits too") {
    std::vector<double> list{1, 0x1p127};
    for (int exponent = 0; exponent < 75; ++exponent) {
        list.push_back(std::ldexp(0x1.fffffffffffffp52, exponent));
    }
    const Ladder ladder{Positions(list), on_short_orbits()};
    for (const double position : list) {
        CAPTURE(position);
        CHECK(largest_error(ladder.at(position), position, on_short_orbits()) <= 0x1p-92);
    }
}

TEST_CASE("ladder: its steps are multiples of the unit, the largest that divides all positions") {
    const Ladder ladder(Positions(-3, 0.75, 100), frequencies());
    CHECK(ladder.unit() == 0.25);
    REQUIRE(ladder.steps().size() == 64);
    for (const std::size_t digit : {0U, 1U, 63U}) {
        CHECK(largest_error(ladder.steps()[digit], 0.25 * static_cast<double>(digit)) <= 0x1p-92);
    }
}

TEST_CASE("ladder: fits positions of at most 128 bits together") {
    CHECK(Ladder::fits(Positions({0x1p-64, 0x1p63})));
    CHECK_FALSE(Ladder::fits(Positions({0x1p-64, 0x1p64})));
    CHECK(Ladder::fits(Positions(0, 1, 1)));
}

TEST_CASE("ladder: digits are shorter where rotations are large") {
    const auto bits = [](double start, std::size_t count) {
        return digit_bits(Positions(start, 1, 16), Frequencies(std::vector<Ratio>(count, {1, 1})));
    };
    CHECK(bits(0, 0) == 6);
    CHECK(bits(0, 256) == 6);
    CHECK(bits(0x1p50, 256) == 6);
    CHECK(bits(0, 1 << 14) == 6);
    CHECK(bits(0x1p50, 1 << 14) < 4);
    CHECK(bits(0, 1 << 18) == 2);
}

TEST_CASE("split rotations: a position is its base and its step, to 2^-91") {
    std::vector<double> list;
    for (int i = 0; i < 100; ++i) list.push_back(i % 2 ? 1e9 + i : -0.125 * i);
    for (const Positions& positions :
         {Positions(-70, 1, 300), Positions(0x1p53 - 300, 1, 300), Positions(0, 0.1, 300),
          Positions(5, -0.75, 300), Positions(0, 1, 5).reversed(), Positions(list)}) {
        const SplitRotations rotations(positions, frequencies());
        double largest = 0;
        for (std::int64_t row = 0; row < positions.size(); ++row) {
            const Split split = rotations.split(row, positions[row]);
            largest = std::max(largest,
                               largest_error(product(rotations.base(split), rotations.step(split)),
                                             positions[row]));
        }
        CAPTURE(positions[1]);
        CHECK(largest <= 0x1p-91);
    }
}

TEST_CASE("split rotations: the base of a position may be larger than every position") {
    const auto error_at = [](double position, const Frequencies& ones) {
        const SplitRotations rotations{Positions({position}), ones};
        const Split split = rotations.split(0, position);
        return largest_error(product(rotations.base(split), rotations.step(split)), position, ones);
    };
    const Frequencies one(std::vector<Ratio>{{1, 1}});
    for (int below = 0; below <= 130; ++below) {
        for (const double unit : {1.0, 0x1p-53, 0x1p-83}) {
            CAPTURE(below);
            CHECK(error_at(-(0x1p53 - below) * unit, one) <= 0x1p-91);
        }
    }
    // With so many frequencies, a digit has 5 bits.
    const Frequencies many(std::vector<Ratio>(1 << 14, {1, 1}));
    CHECK(error_at(-(0x1p53 - 31), many) <= 0x1p-91);
}

TEST_CASE("split rotations: rows of a progression share a base 64 at a time") {
    const Positions positions(-70, 3, 300);
    const SplitRotations rotations(positions, frequencies());
    for (const std::int64_t row : {0, 1, 63, 64, 127, 299}) {
        const Split split = rotations.split(row, positions[row]);
        CHECK(split.base == positions[row / 64 * 64]);
        CHECK(split.step == to_size(row % 64));
    }
}

TEST_CASE("rotate: a value at a midpoint is uncertain, to double-doubles too") {
    // The step is the identity, so the values of the base stay as they are, and need not be
    // rotations.
    const Rotations step = identity(9);
    const double midpoint = 0.5 + 0x1p-25;
    for (const std::size_t at : {0U, 4U, 8U}) {
        Rotations base(9);
        for (std::size_t k = 0; k < 9; ++k) base.set(k, {{0.25, 0}, {0.5, 0}});
        std::array<float, 9> sin{}, cos{};
        const Channels<float> both{{Function::sin, sin.data()}, {Function::cos, cos.data()}, 1};
        CHECK(rotate(base, step, 1, both));
        base.set(at, {{0.25, 0}, {midpoint, 0}});
        CHECK_FALSE(rotate(base, step, 1, both));
        const Channels<float> only_sin{{Function::sin, sin.data()}, {}, 1};
        CHECK(rotate(base, step, 1, only_sin));
        CHECK(sin[at] == 0.25F);
        const auto [value, error] = estimate(Function::cos, base, step, at, 1);
        CHECK_FALSE(round_certainly<float>(value, error).is_certain);
        // A value that doubles cannot round with certainty can be rounded with double-doubles.
        base.set(at, {{0.25, 0}, {midpoint, 0x1p-80}});
        CHECK_FALSE(rotate(base, step, 1, both));
        const auto [near_value, near_error] = estimate(Function::cos, base, step, at, 1);
        const Rounded<float> rounded = round_certainly<float>(near_value, near_error);
        CHECK(rounded.is_certain);
        CHECK(rounded.value == 0.5F + 0x1p-24F);
    }
}
