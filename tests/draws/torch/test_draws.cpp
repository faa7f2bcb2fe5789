#include <doctest/doctest.h>

#include <atomic>
#include <random>

#include "core/parallel.h"
#include "draws/torch/mt19937.h"

using namespace pegen;
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
