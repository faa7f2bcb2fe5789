#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "core/dtype.h"
#include "numerics/sinusoid.h"
#include "oracle.h"

using namespace pegen;
using namespace pegen::numerics;

// Exact values close to a midpoint between two neighbours of the dtype, which find slightly wrong
// kernels that random positions miss. tests/exhaustive/search.cpp and similar programs found them:
// for float32 among all of 2^24 positions for d 512 and of 2^22 for the others, down to 2^-32 ULP;
// for the rest among 2^20.

namespace {

struct HardValue {
    std::int64_t position;
    std::int64_t channel;
    std::uint64_t bits;  ///< of the element
};

constexpr HardValue float32_d512[]{
    {205618, 507, 0xbf1c46e5},   {977267, 497, 0xbd62fdc0},   {1102865, 265, 0x3f7fecc2},
    {1194127, 356, 0x318ddb0f},  {1361374, 187, 0xbf4dc274},  {2230552, 368, 0x3f1068ff},
    {3090273, 47, 0xbd48f107},   {3608247, 475, 0x3d86acbd},  {3624423, 281, 0x3f63aa3e},
    {3764983, 54, 0x359ddb65},   {3848808, 341, 0xb27c4571},  {4701725, 433, 0xbf6ff225},
    {4775760, 383, 0x3f679f43},  {5007602, 58, 0x3f55bb33},   {5638343, 336, 0x32c818af},
    {5793067, 115, 0x3ec510cf},  {6243339, 249, 0xbf5b0484},  {6314097, 393, 0x3e226947},
    {6761597, 311, 0x3b1dcac7},  {7086789, 129, 0xb4f64c05},  {7249931, 243, 0xba18e4ed},
    {7510545, 259, 0x3f7f76d0},  {8001588, 55, 0xbf7134e2},   {8418406, 277, 0xb4056c1e},
    {8812973, 23, 0x3e11d357},   {10042605, 35, 0xba92a283},  {10461481, 208, 0x3f790f61},
    {12607006, 94, 0xbf73adbe},  {12873577, 499, 0xbf684cef}, {13521628, 209, 0x3dd8a663},
    {13594863, 443, 0x3e98b739}, {13727493, 188, 0x3a0c2f83}, {14128925, 207, 0x3ce05dd5},
    {14173578, 128, 0x35764c05}, {14665864, 500, 0xbf51c1b0}, {15075731, 319, 0xbf72e4cb},
    {15276991, 159, 0x3f566bf6}, {15369853, 27, 0x3769228f},  {15395232, 340, 0xb37c4571},
    {15998130, 144, 0xbf635e00}};

constexpr HardValue float32_d128_base_500000[]{
    {117644, 92, 0xbb693cae},   {166866, 26, 0xbbe1e0c1},   {171621, 54, 0xbf6810cd},
    {321343, 24, 0x3d529291},   {419040, 18, 0xbed4415b},   {548383, 39, 0xbe46024b},
    {719991, 56, 0x37a929c7},   {872905, 78, 0xbf7dc2c4},   {966580, 2, 0x3eaf0063},
    {1006031, 105, 0xba377b49}, {1437496, 85, 0xbf271206},  {1495761, 114, 0x3959e2be},
    {1510836, 73, 0xb6a4e639},  {1530913, 6, 0xbf54e45f},   {1587993, 24, 0x3c134715},
    {2127657, 1, 0x3f30b318},   {2254335, 91, 0xbe9822c5},  {2403441, 100, 0x38c79568},
    {2455660, 110, 0xbea41a79}, {2519543, 10, 0x3c910464},  {2547425, 122, 0x37384df5},
    {2548373, 68, 0xbf3cd151},  {2563453, 85, 0x381255b9},  {2597134, 122, 0xbe3b40a3},
    {2817516, 118, 0xb9a1f7c3}, {2867391, 88, 0x3f28958b},  {3681610, 36, 0xbe5069ff},
    {3856272, 52, 0x3f5fe7ab},  {3942003, 112, 0x3e3cabf2}, {3944132, 118, 0x3ae49916},
    {4034306, 29, 0xbf5d1703},  {4132879, 105, 0xbf53ab0e}};

constexpr HardValue float32_d96[]{
    {69891, 42, 0xbf6fd37d},   {119688, 77, 0x3f7d8899},  {308239, 95, 0x3f700739},
    {528636, 81, 0x3f727208},  {536479, 84, 0x3b68cf1b},  {799097, 51, 0x3bcea362},
    {846195, 22, 0x3f2a6796},  {995166, 65, 0x3deebb0e},  {1039289, 40, 0xbf1f5aa5},
    {1080820, 3, 0x3afce85c},  {1256992, 78, 0xb951b0a4}, {1387584, 63, 0xbf672f60},
    {1551826, 49, 0x3eb5d7d3}, {1604112, 88, 0x3ca5f9b4}, {1752384, 66, 0xbe6af88a},
    {1771237, 4, 0xb79f29a3},  {1774491, 58, 0x38aae550}, {1922095, 74, 0xba7d9a71},
    {2127657, 1, 0x3f30b318},  {2316755, 55, 0xbf7e56dd}, {2394679, 49, 0x36056d00},
    {2521573, 10, 0x39b63957}, {2640633, 17, 0xbf3d5d6e}, {2862789, 85, 0x3f5ed5a4},
    {3041230, 38, 0xbf45205c}, {3154054, 80, 0x36cda1f0}, {3517103, 14, 0x3f77fbfc},
    {3627946, 17, 0xbc750d7f}, {3743205, 86, 0xb822aea7}, {3758808, 31, 0x3f489dae},
    {3849653, 85, 0x37796047}, {3864156, 76, 0xbd12a2a8}};

constexpr HardValue float64_d64[]{
    {54289, 25, 0x3fbc79ef535ff33f},  {254975, 14, 0xbf763a5d8e7b83c5},
    {277058, 45, 0xbfeb638608e240fd}, {340255, 41, 0x3f8e1a04d7de8876},
    {423722, 8, 0xbfe1e37ed3ef1bfc},  {465545, 19, 0xbf5a4d540685654b},
    {529982, 60, 0xbf61ca8bd30c8818}, {537255, 48, 0xbfa5d557c214cebd},
    {543727, 62, 0xbfcfbbc031110fc7}, {606791, 61, 0x3fdd95d10d77e81f},
    {616454, 20, 0x3fefa631789cc797}, {773546, 18, 0x3fef88982610d92e},
    {804476, 52, 0x3f48d4f1c5c6ebc3}, {808126, 58, 0x3f3229af59fa4fc0},
    {856628, 46, 0xbfedea8f2abfe20f}, {1039061, 52, 0xbf9dfe1d76021e67}};

constexpr HardValue float16_d64[]{{74033, 57, 0xb0ce},  {238493, 35, 0xb91b}, {568361, 6, 0xb886},
                                  {600097, 16, 0xbabf}, {619172, 55, 0xbb83}, {666756, 51, 0xbb15},
                                  {680924, 59, 0xb506}, {739748, 50, 0x3bc4}, {949836, 15, 0x3bfc},
                                  {1032399, 2, 0x3b05}};

constexpr HardValue bfloat16_d64[]{{34905, 20, 0x3f19},  {178556, 25, 0xbf0b}, {208412, 13, 0xbf7e},
                                   {361526, 3, 0x3f50},  {394809, 40, 0xbf76}, {419833, 46, 0x3f1c},
                                   {477751, 23, 0xbf68}, {720534, 45, 0x3f66}, {735069, 6, 0x3f7a},
                                   {829687, 35, 0x3e18}};

struct HardValues {
    DType dtype;
    int significant_bits;
    std::int64_t d;
    double base;
    std::span<const HardValue> values;
};

constexpr HardValues all_hard_values[]{
    {DType::float32, 24, 512, 10000, float32_d512},
    {DType::float32, 24, 128, 500000, float32_d128_base_500000},
    {DType::float32, 24, 96, 10000, float32_d96},
    {DType::float64, 53, 64, 10000, float64_d64},
    {DType::float16, 11, 64, 10000, float16_d64},
    {DType::bfloat16, 8, 64, 10000, bfloat16_d64},
};

double value_of(const HardValue& hard, DType dtype) {
    double value = 0;
    load(std::as_bytes(std::span(&hard.bits, 1)).first(info(dtype).size), dtype, {&value, 1});
    return value;
}

double exact(const HardValues& set, const HardValue& hard) {
    const auto wave = hard.channel % 2 ? oracle::cos_of_bits : oracle::sin_of_bits;
    return wave(set.significant_bits, static_cast<double>(hard.position), set.base,
                static_cast<double>(hard.channel / 2 * 2), static_cast<double>(set.d));
}

/// The value in row `row` of the table of these positions.
double table_value(const HardValues& set, Positions positions, std::int64_t row,
                   std::int64_t channel) {
    const std::int64_t d = set.d;
    Table table;
    table.shape = Shape{positions.size(), d};
    table.dtype = set.dtype;
    table.rows = sinusoid_rows(
        std::move(positions),
        Frequencies(
            {.base = set.base, .step = 2, .width = d, .shift = 0, .scale = 1, .count = d / 2}),
        interleaved(d), 1, set.dtype);
    return read_rows(table, {row, 1})[static_cast<std::size_t>(channel)];
}

template <class Check>
void for_each_hard_value(const Check& check) {
    for (const HardValues& set : all_hard_values) {
        CAPTURE(info(set.dtype).name);
        CAPTURE(set.d);
        for (const HardValue& hard : set.values) {
            CAPTURE(hard.position);
            CAPTURE(hard.channel);
            check(set, hard);
        }
    }
}

}  // namespace

TEST_CASE("hard values: are those of MPFR rounded once") {
    for_each_hard_value([](const HardValues& set, const HardValue& hard) {
        CHECK(value_of(hard, set.dtype) == exact(set, hard));
    });
}

TEST_CASE("hard values: a progression has them") {
    for_each_hard_value([](const HardValues& set, const HardValue& hard) {
        CHECK(table_value(set, Positions(0, 1, 1 << 24), hard.position, hard.channel) ==
              value_of(hard, set.dtype));
    });
}

TEST_CASE("hard values: a list has them") {
    for_each_hard_value([](const HardValues& set, const HardValue& hard) {
        const Positions list({static_cast<double>(hard.position)});
        CHECK(table_value(set, list, 0, hard.channel) == value_of(hard, set.dtype));
    });
}
