#include <doctest/doctest.h>

#include <random>
#include <vector>

#include "draws/torch/mt19937.h"

using namespace pegen;
using torch::Mt19937;

TEST_CASE("mt19937: makes the draws of std::mt19937") {
    for (const std::uint32_t seed : {0U, 1U, 5489U, 0xffffffffU}) {
        Mt19937 ours(seed);
        std::mt19937 theirs(seed);
        for (int i = 0; i < 2000; ++i) CHECK(ours.next() == theirs());
    }
}

TEST_CASE("mt19937: skips draws, from the middle of a state too") {
    for (const std::int64_t before : {0, 1, 623, 624}) {
        for (const std::int64_t skipped : {0, 1, 622, 623, 624, 625, 1248, 100000}) {
            CAPTURE(before);
            CAPTURE(skipped);
            Mt19937 ours(42);
            std::mt19937 theirs(42);
            for (std::int64_t i = 0; i < before; ++i) ours.next();
            ours.skip(skipped);
            theirs.discard(static_cast<unsigned long long>(before + skipped));
            CHECK(ours.next() == theirs());
        }
    }
}

TEST_CASE("mt19937: units are the low 24 bits of a draw each") {
    Mt19937 ours(7);
    std::mt19937 theirs(7);
    for (const std::size_t count : {0U, 1U, 623U, 624U, 1300U}) {
        std::vector<float> units(count);
        ours.draw_units(units);
        for (const float unit : units) {
            CHECK(unit == static_cast<float>(theirs() & 0xffffffU) * 0x1p-24F);
        }
        CHECK(ours.next() == theirs());
    }
}
