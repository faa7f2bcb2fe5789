#include <doctest/doctest.h>

#include <atomic>
#include <random>
#include <vector>

#include "core/parallel.h"
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

using namespace pegen::torch;

TEST_CASE("draws: from any place, in any order and from many threads") {
    // The number of places exceeds the number of generator states that are kept.
    constexpr std::int64_t places = 2000;
    constexpr std::int64_t apart = 100;
    Draws draws(3);
    std::vector<std::uint32_t> expected;
    std::mt19937 theirs(3);
    for (std::int64_t i = 0; i < places * apart; ++i)
        expected.push_back(static_cast<std::uint32_t>(theirs()));
    std::atomic<std::int64_t> wrong = 0;
    parallel_for(places, [&](std::int64_t item) {
        const std::int64_t first = item * 7919 % places * apart;
        Mt19937 generator = draws.from(first, apart);
        for (std::int64_t i = 0; i < apart; ++i) {
            if (generator.next() != expected[static_cast<std::size_t>(first + i)]) ++wrong;
        }
    });
    CHECK(wrong == 0);
}

TEST_CASE("draws: the low 32 bits of the seed count") {
    CHECK(Draws(-1).from(0, 1).next() == Draws(0xffffffff).from(0, 1).next());
}

TEST_CASE("draws: a double is the low 53 bits of two draws, the first of which is the high one") {
    Mt19937 generator(11);
    std::mt19937 theirs(11);
    for (int i = 0; i < 1000; ++i) {
        const auto high = static_cast<double>(theirs() & 0x1fffffU);
        const auto low = static_cast<double>(theirs());
        CHECK(unit_double(generator) == high * 0x1p-21 + low * 0x1p-53);
    }
}
