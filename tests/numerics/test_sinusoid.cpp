#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "oracle.h"
#include "pegen/core/parallel.h"
#include "pegen/numerics/sinusoid.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

Frequencies paper_frequencies(std::int64_t d, double base = 10000) {
    return Frequencies(
        {.base = base, .step = 2, .width = d, .shift = 0, .scale = 1, .count = d / 2});
}

ChannelLayout interleaved(std::int64_t d) {
    return {d, {{Function::sin, 0, 2, 0, 1, d / 2}, {Function::cos, 1, 2, 0, 1, d / 2}}};
}

std::vector<double> values(RowSource rows, std::int64_t columns, DType dtype, RowRange range) {
    Table table;
    table.shape = Shape{range.first + range.count, columns};
    table.dtype = dtype;
    table.rows = std::move(rows);
    return read_rows(table, range);
}

}  // namespace

TEST_CASE("frequencies: are correctly rounded") {
    constexpr std::int64_t d = 512;
    const std::vector<double> omega =
        values(frequency_rows(paper_frequencies(d), DType::float64), 1, DType::float64, {0, d / 2});
    for (std::int64_t k = 0; k < d / 2; ++k) {
        CHECK(omega[static_cast<std::size_t>(k)] ==
              oracle::frequency(10000, static_cast<double>(2 * k), static_cast<double>(d)));
    }
}

TEST_CASE("frequencies: the first is the scale even where the denominator is zero") {
    const Frequencies one(
        {.base = 10000, .step = 2, .width = 2, .shift = 2, .scale = 3, .count = 1});
    CHECK(one.largest() == 3);
    CHECK(one.size() == 1);
}

TEST_CASE("frequencies: the denominator is the exact difference of width and shift") {
    const Frequencies omega(
        {.base = 10000, .step = 2, .width = 10, .shift = 0.1, .scale = 1, .count = 2});
    // 10 - 0.1 as a double is not 10 minus the double 0.1; the oracle takes an exact quotient.
    CHECK(omega.smallest() == doctest::Approx(oracle::frequency(10000, 2, 9.9)).epsilon(1e-15));
}

TEST_CASE("wavelengths: run from 2 pi to 2 pi base") {
    const std::vector<double> lambda = values(
        wavelength_rows(paper_frequencies(512), DType::float64), 1, DType::float64, {0, 256});
    CHECK(lambda.front() == 2 * M_PI);
    CHECK(lambda.back() == doctest::Approx(2 * M_PI * std::pow(10000, 510.0 / 512)).epsilon(1e-14));
}

TEST_CASE("sinusoid: float32 values near and far are those of MPFR rounded once") {
    constexpr std::int64_t d = 64;
    for (const double base : {10000.0, 20.0, 1e8}) {
        for (const double start : {0.0, 999990.0, 0x1p40 + 3, 0x1p53 - 20, -12345678.0}) {
            const RowSource rows =
                sinusoid_rows(Positions(start, 1, 20), paper_frequencies(d, base), interleaved(d),
                              1, DType::float32);
            const std::vector<double> table = values(rows, d, DType::float32, {0, 20});
            for (std::int64_t i = 0; i < 20 * d; ++i) {
                const double position = start + static_cast<double>(i / d);
                const auto exponent = static_cast<double>(i % d / 2 * 2);
                const float exact = i % 2 ? oracle::cos_float(position, base, exponent, d)
                                          : oracle::sin_float(position, base, exponent, d);
                CHECK(static_cast<float>(table[static_cast<std::size_t>(i)]) == exact);
            }
        }
    }
}

TEST_CASE("sinusoid: float64 values are within 2^-52 of those of MPFR") {
    constexpr std::int64_t d = 64;
    for (const double start : {0.0, 1e6, 1e15, 0x1p53 - 20}) {
        const RowSource rows = sinusoid_rows(Positions(start, 1, 20), paper_frequencies(d),
                                             interleaved(d), 1, DType::float64);
        const std::vector<double> table = values(rows, d, DType::float64, {0, 20});
        for (std::int64_t i = 0; i < 20 * d; ++i) {
            const double position = start + static_cast<double>(i / d);
            const auto exponent = static_cast<double>(i % d / 2 * 2);
            const double exact = i % 2 ? oracle::cos_double(position, 10000, exponent, d)
                                       : oracle::sin_double(position, 10000, exponent, d);
            CHECK(std::fabs(table[static_cast<std::size_t>(i)] - exact) <= 0x1p-52);
        }
    }
}

TEST_CASE("sinusoid: fractional positions are those of MPFR rounded once") {
    const RowSource rows = sinusoid_rows(Positions({0.5, 1e-3, 999.75, -2.25}),
                                         paper_frequencies(8), interleaved(8), 1, DType::float32);
    const std::vector<double> table = values(rows, 8, DType::float32, {0, 4});
    const std::vector<double> positions{0.5, 1e-3, 999.75, -2.25};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const auto exponent = static_cast<double>(i % 8 / 2 * 2);
        const double position = positions[i / 8];
        CHECK(static_cast<float>(table[i]) ==
              (i % 2 ? oracle::cos_float(position, 10000, exponent, 8)
                     : oracle::sin_float(position, 10000, exponent, 8)));
    }
}

TEST_CASE("sinusoid: hard values of d 512 are those that are known") {
    // Positions and channels whose exact value is within 2^-18 ULP of a midpoint between floats.
    struct HardCase {
        double position;
        std::int64_t channel;
        std::uint32_t bits;
    };
    // From a search of the whole table of 2^24 positions, checked with MPFR.
    constexpr HardCase cases[]{{396, 309, 0x3c89c286},
                               {30629, 131, 0x3bbe8c1c},
                               {49831, 469, 0x3a524e38},
                               {142401, 348, 0x3f6e514f}};
    for (const HardCase& hard : cases) {
        const RowSource rows = sinusoid_rows(Positions({hard.position}), paper_frequencies(512),
                                             interleaved(512), 1, DType::float32);
        const std::vector<double> row = values(rows, 512, DType::float32, {0, 1});
        const auto exponent = static_cast<double>(hard.channel / 2 * 2);
        const float known = std::bit_cast<float>(hard.bits);
        CHECK(known == (hard.channel % 2 ? oracle::cos_float(hard.position, 10000, exponent, 512)
                                         : oracle::sin_float(hard.position, 10000, exponent, 512)));
        CHECK(static_cast<float>(row[static_cast<std::size_t>(hard.channel)]) == known);
    }
}

TEST_CASE("sinusoid: channels in no run are zero and the scale multiplies the others") {
    const ChannelLayout layout{3, {{Function::cos, 1, 1, 0, 1, 1}}};
    const RowSource rows =
        sinusoid_rows(Positions(0, 1, 1), paper_frequencies(2), layout, 2.5, DType::float32);
    CHECK(values(rows, 3, DType::float32, {0, 1}) == std::vector<double>{0, 2.5, 0});
}

TEST_CASE("sinusoid: rows are the same for any cut of the table") {
    const RowSource rows = sinusoid_rows(Positions(0, 1, 1000), paper_frequencies(30),
                                         interleaved(30), 1, DType::float32);
    const std::vector<double> whole = values(rows, 30, DType::float32, {0, 1000});
    for (const std::int64_t step : {1, 7, 333}) {
        std::vector<double> pieces;
        for (std::int64_t first = 0; first < 1000; first += step) {
            const std::vector<double> piece = values(
                rows, 30, DType::float32, {first, std::min<std::int64_t>(step, 1000 - first)});
            pieces.insert(pieces.end(), piece.begin(), piece.end());
        }
        CHECK(pieces == whole);
    }
}
