#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "encodings/drawn/command.h"
#include "recognition/identify/kernels.h"
#include "recognition/kernel/kernel.h"

using namespace pegen;
using namespace pegen::recognition;
using pegen::testing::applied;
using pegen::testing::asked;
using pegen::testing::random_array;
using pegen::testing::says;
using pegen::trials::Array;

TEST_CASE("kernel: where an array leaves its kernel is said, and nothing is claimed") {
    for (const DType dtype : {DType::float32, DType::bfloat16}) {
        const Array x = random_array({2, 40, 64}, dtype, 8);
        Array channel = applied({.dim = 64}, x, 1);
        for (std::int64_t row = 0; row < channel.rows(); ++row) channel.at(row, 17) += 0.5;
        const KernelIdentification off = asked(x, rounded_to(channel, dtype));
        CHECK((off.verdict == Verdict::not_identified));
        CHECK(off.command.empty());
        CHECK(fmt::format("{}", fmt::join(off.nearest, " ")) == "pe-gen apply rope --x x.npy");
        CHECK(off.departure == "in channels 17");

        Array half = applied({.dim = 64}, x, 1);
        std::copy_n(x.values.begin() + 40 * 64, 40 * 64, half.values.begin() + 40 * 64);
        CHECK(asked(x, half).departure == "at 1 of axis 0");
    }
}

TEST_CASE("kernel: samples with kernels of their own are named, each with its command") {
    const Array x = random_array({4, 40, 16}, DType::float32, 9);
    Array y = applied({.dim = 16}, x, 1);
    const Array other = applied({.dim = 16, .base = 500}, x, 1);
    const std::size_t half = 2 * 40 * 16;
    std::copy_n(other.values.data() + half, half, y.values.data() + half);
    const KernelIdentification answer = asked(x, y);
    CHECK((answer.verdict == Verdict::not_identified));
    CHECK(answer.departure == "at 2, 3 of axis 0");
    CHECK(answer.findings ==
          std::vector<std::string>{"At 0, 1 of axis 0: pe-gen apply rope --x x.npy.",
                                   "At 2, 3 of axis 0: pe-gen apply rope --x x.npy --base 500."});
}

TEST_CASE("kernel: heads that are not rotated are named by their axis") {
    const Array x = random_array({2, 4, 24, 32}, DType::float32, 14);
    Array y = applied({.dim = 32}, x, 2);
    const std::size_t head = 24 * 32;
    for (const std::size_t first : {2 * head, 6 * head}) {
        std::copy_n(x.values.data() + first, 2 * head, y.values.data() + first);
    }
    CHECK(asked(x, y).departure == "at 2 to 3 of axis 1");
}

TEST_CASE("kernel: sections that are rotated by positions of their own are told apart") {
    // Rows are the tokens of an image of 5 x 7; the first half of the pairs is rotated by the index
    // of the image row.
    const Array x = random_array({35, 64}, DType::float32, 15);
    const auto turned = [&](auto&& pair_of) {
        Array y = x;
        for (std::int64_t row = 0; row < 35; ++row) {
            for (std::int64_t m = 0; m < 32; ++m) {
                const auto position = static_cast<double>(m < 16 ? row / 7 : row % 7);
                const double angle =
                    position * std::pow(10000.0, -static_cast<double>(m % 16) / 16);
                const auto [a, b] = pair_of(m);
                y.at(row, a) = x.at(row, a) * std::cos(angle) - x.at(row, b) * std::sin(angle);
                y.at(row, b) = x.at(row, b) * std::cos(angle) + x.at(row, a) * std::sin(angle);
            }
        }
        return rounded_to(y, DType::float32);
    };
    const std::array pairings{+[](std::int64_t m) { return std::pair(m, m + 32); },
                              +[](std::int64_t m) { return std::pair(2 * m, 2 * m + 1); },
                              +[](std::int64_t m) {
                                  const std::int64_t first = m / 16 * 32 + m % 16;
                                  return std::pair(first, first + 16);
                              }};
    for (const auto& pairing : pairings) {
        const KernelIdentification answer = asked(x, turned(pairing));
        CHECK((answer.verdict == Verdict::identified));
        CHECK(says(answer, "in 2 sections, of 16, 16 pairs"));
        CHECK(says(answer, "frequencies 10000^(-k / n)"));
        CHECK(says(answer, "Pairs 0 to 15: positions 0, 0, 0, 0, 0, 0, 0, 1, 1,"));
        CHECK(says(answer, "Pairs 16 to 31: positions 0, 1, 2, 3, 4, 5, 6, 0, 1,"));
    }
}

TEST_CASE("kernel: sections of any sizes are told, contiguous or interleaved, and no random ones") {
    const Array x = random_array({35, 64}, DType::float32, 16);
    const auto turned = [&](auto&& axis_of, auto&& angle_of) {
        Array y = x;
        for (std::int64_t row = 0; row < 35; ++row) {
            const std::array positions{row < 5 ? row : 5, row < 5 ? row : 5 + row / 6,
                                       row < 5 ? row : 5 + row % 6};
            for (std::int64_t m = 0; m < 32; ++m) {
                const double angle =
                    angle_of(static_cast<double>(positions[axis_of(m)]), static_cast<double>(m));
                y.at(row, m) = x.at(row, m) * std::cos(angle) - x.at(row, m + 32) * std::sin(angle);
                y.at(row, m + 32) =
                    x.at(row, m + 32) * std::cos(angle) + x.at(row, m) * std::sin(angle);
            }
        }
        return rounded_to(y, DType::float32);
    };
    const auto of_mrope = [](double position, double m) {
        return position * std::pow(1e6, -m / 32);
    };
    const auto contiguous = [](std::int64_t m) { return m < 9 ? 0 : m < 20 ? 1 : 2; };
    CHECK(says(asked(x, turned(contiguous, of_mrope)), "in 3 sections, of 9, 11, 12 pairs"));
    const auto interleaved = [](std::int64_t m) { return m < 24 ? m % 3 : 0; };
    const KernelIdentification answer = asked(x, turned(interleaved, of_mrope));
    CHECK(says(answer, "in 3 sections, of 16, 8, 8 pairs"));
    CHECK(says(answer, "Pairs 1, 4, 7 ... 22: positions"));
    const auto random_angle = [](double position, double m) {
        return std::fmod(12345.678 * std::sin(78.233 * position + 37.7 * m), 3.0);
    };
    CHECK((asked(x, turned(contiguous, random_angle)).verdict == Verdict::not_identified));
}

TEST_CASE("kernel: a table that is added along another axis, subtracted, or not everywhere") {
    const Array x = random_array({6, 24, 32}, DType::float32, 17);
    const Table table = trials::made_by(trials::command_of("sinusoid --len 24 --d 32"));
    const std::vector<double> pe = read_rows(table, {0, 24});
    const auto added = [&](auto&& value_of) {
        Array y = x;
        for (std::size_t i = 0; i < y.values.size(); ++i) {
            const std::size_t sample = i / 768, row = i / 32 % 24, c = i % 32;
            y.values[i] = value_of(x.values[i], sample, row, c);
        }
        return rounded_to(y, DType::float32);
    };
    const KernelIdentification batch =
        asked(x, added([&](double v, auto s, auto, auto c) { return v + pe[s * 32 + c]; }));
    CHECK((batch.verdict == Verdict::identified));
    CHECK(says(batch, "The table of pe-gen sinusoid --len 6 --d 32 is added along axis 0."));
    const KernelIdentification minus =
        asked(x, added([&](double v, auto, auto row, auto c) { return v - pe[row * 32 + c]; }));
    CHECK(fmt::format("{}", fmt::join(minus.command, " "))
              .ends_with("-- sinusoid --len 24 --d 32 --out-scale -1"));
    const KernelIdentification padded =
        asked(x, added([&](double v, auto s, auto row, auto c) {
                  return s == 2 && row >= 18 ? 0 : v + pe[row * 32 + c];
              }));
    CHECK((padded.verdict == Verdict::not_identified));
    CHECK(
        fmt::format("{}", fmt::join(padded.nearest, " ")).ends_with("-- sinusoid --len 24 --d 32"));
    CHECK(padded.departure == "in rows 18 to 23 of the positions, at 2 of axis 0");
    CHECK(says(padded, "There the result is 0"));
    const KernelIdentification short_of = asked(x, added([&](double v, auto, auto row, auto c) {
                                                    return row >= 18 ? v : v + pe[row * 32 + c];
                                                }));
    CHECK(short_of.departure == "in rows 18 to 23 of the positions");
    CHECK(says(short_of, "There the array is unchanged."));
}
