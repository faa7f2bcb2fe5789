#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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
        CHECK((answer.verdict == Verdict::not_identified));
        CHECK(says(answer, "rotated in 32 pairs"));
        CHECK(says(answer, "pe-gen rope --d 32, at positions 0, 0, 0, 0, 0, 0, 0, 1, 1,"));
        CHECK(says(answer, "pe-gen rope --d 32, at positions 0, 1, 2, 3, 4, 5, 6, 0, 1,"));
    }
}
