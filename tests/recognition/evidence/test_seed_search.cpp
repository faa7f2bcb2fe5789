#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "draws/torch/mt19937.h"
#include "recognition/evidence/seed_search.h"

using namespace pegen::evidence;
using pegen::torch::Mt19937;

namespace {

/// The draws of a seed from draw `first` on, as PyTorch makes numbers of them.
std::vector<float> units_of(std::uint32_t seed, std::int64_t first) {
    Mt19937 generator(seed);
    generator.skip(first);
    std::vector<float> units(window_size);
    generator.draw_units(units);
    return units;
}

}  // namespace

TEST_CASE("seeds_with: draws near and far are those of the generator") {
    for (const std::int64_t first : {0, 1, 623, 624, 5000, 786432}) {
        for (const std::int64_t seed : {0, 42, 9999, 2147483647}) {
            const std::vector<float> units = units_of(static_cast<std::uint32_t>(seed), first);
            const std::vector<std::int64_t> seeds{seed}, first_draws{0, first};
            const auto found = seeds_with(seeds, first_draws, [&](const SeedDraws& draws) {
                for (std::int64_t k = 0; k < window_size; ++k) {
                    const double unit = units[static_cast<std::size_t>(k)];
                    if (std::fabs(draws.unit(1, k) - unit) > 0x1p-13) return false;
                    for (int count = 1; count <= 12; ++count) {
                        const double bits = std::floor(std::ldexp(unit, count));
                        if (draws.first_bits(1, k, count) != bits) return false;
                    }
                }
                return true;
            });
            CHECK(found == seeds);
        }
    }
}

TEST_CASE("seeds_with: one of the usual seeds is found by five draws") {
    const std::vector<float> units = units_of(31337, 100);
    const std::vector<std::int64_t> first_draws{100};
    const auto found = seeds_with(usual_seeds(), first_draws, [&](const SeedDraws& draws) {
        for (std::int64_t k = 0; k < 5; ++k) {
            const double unit = units[static_cast<std::size_t>(k)];
            if (std::fabs(draws.unit(0, k) - unit) > 0x1p-13) return false;
        }
        return true;
    });
    CHECK(found == std::vector<std::int64_t>{31337});
}

TEST_CASE("seeds_with: each seed is asked for once, however many there are") {
    for (const std::int64_t count : {0, 1, 7, 8, 9, 64, 65, 200}) {
        CAPTURE(count);
        std::vector<std::int64_t> seeds;
        for (std::int64_t i = 0; i < count; ++i) seeds.push_back(1000 - 3 * i);
        const std::vector<std::int64_t> first_draws{700};
        std::atomic<std::int64_t> asked = 0;
        const auto found = seeds_with(seeds, first_draws, [&](const SeedDraws&) {
            ++asked;
            return true;
        });
        CHECK(found == seeds);
        CHECK(asked == count);
        for (const std::int64_t seed : seeds) {
            const double unit = units_of(static_cast<std::uint32_t>(seed), 700).front();
            const auto own = seeds_with(seeds, first_draws, [&](const SeedDraws& draws) {
                return std::fabs(draws.unit(0, 0) - unit) <= 0x1p-13;
            });
            CHECK(std::ranges::count(own, seed) == 1);
        }
    }
}

TEST_CASE("seeds_with: no draw beyond the last one is computed") {
    const std::vector<std::int64_t> seeds{0}, first_draws{last_draw + 1};
    CHECK(seeds_with(seeds, first_draws, [](const SeedDraws&) { return true; }).empty());
}

TEST_CASE("usual_seeds: popular ones are among them, none twice") {
    const auto usual = usual_seeds();
    std::vector<std::int64_t> sorted(usual.begin(), usual.end());
    std::ranges::sort(sorted);
    CHECK(std::ranges::adjacent_find(sorted) == sorted.end());
    CHECK(std::ranges::all_of(popular_seeds(), [&](std::int64_t seed) {
        return std::ranges::binary_search(sorted, seed);
    }));
}
