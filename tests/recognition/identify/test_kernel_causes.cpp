#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>

#include "recognition/identify/kernels.h"
#include "recognition/kernel/kernel.h"
#include "recognition/kernel/rotary_kernel.h"

using namespace pegen;
using namespace pegen::recognition;
using pegen::testing::applied;
using pegen::testing::asked;
using pegen::testing::Kernel;
using pegen::testing::random_array;
using pegen::testing::says;
using pegen::trials::Array;

namespace {

/// What a kernel rounds to 16 bits.
struct Rounds {
    const char* name;
    bool positions = false;
    bool frequencies = false;
    bool angles = false;
    bool tables = false;
};

constexpr std::array combinations{Rounds{"nothing"},
                                  Rounds{"positions", true},
                                  Rounds{"frequencies", false, true},
                                  Rounds{"angles", false, false, true},
                                  Rounds{"frequencies and angles", false, true, true},
                                  Rounds{"cos and sin", false, false, false, true}};

Kernel kernel_of(const Rounds& rounds, DType format, double start, int rows) {
    Kernel kernel{.dim = 64, .start = start};
    for (int m = 0; m < 32; ++m) {
        const double frequency = static_cast<float>(std::pow(10000, -m / 32.0));
        kernel.frequencies.push_back(rounds.frequencies ? rounded(frequency, format) : frequency);
    }
    for (int row = 0; row < rows && rounds.positions; ++row) {
        kernel.positions.push_back(rounded(start + row, format));
    }
    if (rounds.angles) kernel.angle_format = format;
    if (rounds.tables) kernel.table_format = format;
    return kernel;
}

std::string cause(const char* what, DType format) {
    return std::string(what) + std::string(info(format).name);
}

bool names_a_cause(const KernelIdentification& answer) { return says(answer, "are rounded to"); }

}  // namespace

TEST_CASE("kernel: what is rounded to 16 bits is named, and nothing that is not") {
    for (const DType format : {DType::bfloat16, DType::float16}) {
        for (const Rounds& rounds : combinations) {
            CAPTURE(rounds.name);
            CAPTURE(info(format).name);
            // float16 holds all whole numbers up to 2048.
            const double start = !rounds.positions ? 0 : format == DType::float16 ? 2015 : 215;
            const Array x = random_array({2, 60, 64}, DType::float32, 31);
            const KernelIdentification answer =
                asked(x, applied(kernel_of(rounds, format, start, 60), x, 1));
            CAPTURE(answer.findings);
            CHECK((answer.verdict == Verdict::identified));
            CHECK(says(answer, cause("Positions are rounded to ", format)) == rounds.positions);
            // The rounded positions are those that the command counts, not a list.
            CHECK(std::ranges::count(answer.command, "--positions") == 0);
            CHECK(says(answer, cause("frequencies are rounded to ", format)) == rounds.frequencies);
            CHECK(says(answer, cause("positions times frequencies, are rounded to ", format)) ==
                  rounds.angles);
            CHECK(says(answer, cause("cos and sin are rounded to ", format)) == rounds.tables);
            const DType other = format == DType::float16 ? DType::bfloat16 : DType::float16;
            CHECK(!says(answer, cause("are rounded to ", other)));
        }
    }
}

TEST_CASE("kernel: no rounding is named where an array computed with it does not agree") {
    const Array x = random_array({2, 16, 64}, DType::float32, 32);
    Array y = applied({.dim = 64}, x, 1);
    std::mt19937_64 random(33);
    std::normal_distribution<double> noise(0, 1e-3);
    for (double& value : y.values) value += noise(random);
    const KernelIdentification answer = asked(x, rounded_to(y, DType::float32));
    CHECK((answer.verdict == Verdict::not_identified));
    CHECK(!names_a_cause(answer));
}

TEST_CASE("kernel: positions that stay, or are clamped, are not said to be rounded") {
    for (const double position : {3000.0, 4096.0, 8192.0, 65536.0}) {
        const Array x = random_array({4, 8, 64}, DType::float32, 34);
        const Kernel kernel{.dim = 64, .positions = std::vector<double>(8, position)};
        const KernelIdentification answer = asked(x, applied(kernel, x, 1));
        CHECK((answer.verdict == Verdict::identified));
        CHECK(!names_a_cause(answer));
    }
    const Array x = random_array({2, 30, 64}, DType::float32, 35);
    Kernel clamped{.dim = 64};
    for (int row = 0; row < 30; ++row) clamped.positions.push_back(std::min(228.0 + row, 256.0));
    CHECK(!names_a_cause(asked(x, applied(clamped, x, 1))));
}

TEST_CASE("kernel: frequencies that rise are reversed only if the fastest is that of a position") {
    const Array x = random_array({2, 40, 64}, DType::float32, 36);
    Kernel reversed{.dim = 64}, rising{.dim = 64};
    for (int m = 0; m < 32; ++m) {
        reversed.frequencies.push_back(std::pow(10000, -(31 - m) / 32.0));
        rising.frequencies.push_back(1e-4 * std::pow(10000, m / 32.0));
    }
    CHECK(says(asked(x, applied(reversed, x, 1)), "they are reversed"));
    CHECK(says(asked(x, applied(rising, x, 1)), "rise from pair to pair"));
    CHECK(!says(asked(x, applied(rising, x, 1)), "they are reversed"));
}

TEST_CASE("kernel: a value that is spoiled is never called the same, whatever it is") {
    constexpr double inf = std::numeric_limits<double>::infinity();
    for (const DType dtype : {DType::float32, DType::bfloat16}) {
        const Array x = random_array({2, 30, 64}, dtype, 37);
        const Array right = applied({.dim = 64}, x, 1);
        for (const double value : {std::nan(""), inf, -inf, -0.0}) {
            CAPTURE(value);
            Array y = right;
            y.at(41, 5) = value;
            const KernelIdentification answer = asked(x, y);
            CHECK((answer.verdict == Verdict::not_identified));
            CHECK(answer.agreement.differing == 1);
            CHECK(answer.agreement.nans == (std::isnan(value) ? 1 : 0));
            CHECK(answer.departure == "in rows 11 of the positions, in channels 5, at 1 of axis 0");
        }
    }
}

TEST_CASE("kernel: the largest difference may be in the last sample") {
    const Array x = random_array({2, 30, 64}, DType::float32, 38);
    Array y = x;
    for (std::int64_t row = 0; row < x.rows(); ++row) {
        for (std::int64_t c = 0; c < 64; ++c) {
            const double angle = static_cast<double>(row % 30) *
                                 std::pow(10000, -static_cast<double>(c - c % 2) / 64);
            y.at(row, c) += c % 2 == 0 ? std::sin(angle) : std::cos(angle);
        }
    }
    y = rounded_to(y, DType::float32);
    y.at(30 + 8, 19) += 4e-7;
    const KernelIdentification answer = asked(x, rounded_to(y, DType::float32));
    CHECK((answer.kind == KernelKind::added));
    CHECK(answer.agreement.place == std::vector<std::int64_t>{1, 8, 19});
}

TEST_CASE("kernel: doubles agree as float32 code makes them only if their angles are of float32") {
    const Array x = random_array({2, 40, 64}, DType::float64, 39);
    CHECK((asked(x, applied({.dim = 64}, x, 1)).agreement.level == Level::float32));
    Array near = applied({.dim = 64, .arithmetic = pegen::testing::Arithmetic::exact}, x, 1);
    for (double& value : near.values) value *= 1 + 1e-7;
    near.values.front() -= 1e-8;
    const KernelIdentification answer = asked(x, near);
    CHECK((answer.verdict == Verdict::not_identified || answer.agreement.level == Level::rounding));
}
