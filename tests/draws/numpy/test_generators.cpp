#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "draws/numpy/generators.h"

using namespace pegen::numpy;

namespace {

constexpr int draws = 100000;

/// Folds the bits of the next draws into one number.
template <class Draw>
std::uint64_t folded(const Draw& draw) {
    std::uint64_t hash = 0;
    for (int i = 0; i < draws; ++i) {
        hash = hash * 0x100000001b3U ^ std::bit_cast<std::uint64_t>(draw());
    }
    return hash;
}

struct Sample {
    Generator generator;
    std::int64_t seed;
    std::uint64_t normals;
    std::uint64_t units;
};

}  // namespace

TEST_CASE("numpy: the first draws are those of NumPy 1.24") {
    Stream legacy(Generator::legacy, 42), modern(Generator::modern, 42);
    CHECK(legacy.normal() == 0.4967141530112327);
    CHECK(legacy.normal() == -0.13826430117118466);
    CHECK(modern.normal() == 0.30471707975443135);
    CHECK(modern.normal() == -1.0399841062404955);
    CHECK(Stream(Generator::legacy, 42).unit() == 0.3745401188473625);
    CHECK(Stream(Generator::modern, 42).unit() == 0.7739560485559633);
}

TEST_CASE("numpy: a hundred thousand normals and uniforms have the bits of NumPy 1.24") {
    constexpr std::array samples{
        Sample{Generator::legacy, 0, 0xa62fa101ae59108aU, 0x655dc7220b7c2f09U},
        Sample{Generator::legacy, 42, 0xff825bf4dfbbb17bU, 0xba3e1456b847931cU},
        Sample{Generator::legacy, 4294967295, 0xdac706b9631effc1U, 0x9bc575b6b7ee7a68U},
        Sample{Generator::modern, 0, 0x098f81ca6ddb1de4U, 0x53959befad6da3a8U},
        Sample{Generator::modern, 42, 0xf4fcb71e51cbf9f9U, 0xd81647fb7eff7bfeU},
        Sample{Generator::modern, 4294967295, 0xa56a4664335259fdU, 0xcdf261b2e617c519U},
        Sample{Generator::modern, 1099511627793, 0x218e1ba9174d92d7U, 0x68186c981b4b0a90U},
    };
    for (const Sample& sample : samples) {
        CAPTURE(sample.seed);
        Stream normals(sample.generator, sample.seed), units(sample.generator, sample.seed);
        CHECK(folded([&] { return normals.normal(); }) == sample.normals);
        CHECK(folded([&] { return units.unit(); }) == sample.units);
    }
}

TEST_CASE("numpy: normals from any number on are the generator's, one after the other") {
    // Of seed 59, the first normal of block 69 begins at word 2, where none begins in what is read
    // as if one began at word 0.
    constexpr std::int64_t count = 1 << 19;
    for (const std::int64_t seed : {0, 59}) {
        CAPTURE(seed);
        Pcg64 generator(seed);
        std::vector<double> all(count);
        for (double& value : all) value = generator.normal();
        const Normals normals(seed, count);
        const auto read = [&](std::int64_t first, std::int64_t some) {
            std::vector<double> values;
            normals.read(first, some, [&](std::span<double> next) {
                values.insert(values.end(), next.begin(), next.end());
            });
            return values;
        };
        CHECK(read(0, count) == all);
        for (const std::int64_t first : {1L, 511L, 512L, 4044L, 4096L, 123456L, count - 1}) {
            CAPTURE(first);
            const std::int64_t some = std::min<std::int64_t>(count - first, 1000);
            CHECK(read(first, some) ==
                  std::vector(all.begin() + first, all.begin() + first + some));
        }
    }
}
