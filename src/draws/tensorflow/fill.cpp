#include "draws/tensorflow/fill.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "draws/glibc/single.h"

namespace pegen::tensorflow {
namespace {

constexpr std::int64_t block_size = 4;

using Values = std::array<float, block_size>;

/// Makes a float of [0, 1), a multiple of 2^-23.
float unit(std::uint32_t bits) { return std::bit_cast<float>((bits & 0x7fffff) | 0x3f800000U) - 1; }

struct Pair {
    float first;
    float second;
};

/// Makes two normals by Box and Muller's method.
Pair normals_of(std::uint32_t of_radius, std::uint32_t of_angle) {
    const float radius = std::sqrt(-2 * glibc::log(std::max(unit(of_radius), 1e-7F)));
    const auto angle = static_cast<float>(2 * std::numbers::pi * unit(of_angle));
    return {glibc::sin(angle) * radius, glibc::cos(angle) * radius};
}

Values units_of(const Draw& draw, std::int64_t block) {
    Values values;
    std::ranges::transform(words_of(draw, block), values.begin(), unit);
    return values;
}

Values normals_of(const Draw& draw, std::int64_t block) {
    const Block words = words_of(draw, block);
    const auto [a, b] = normals_of(words[0], words[1]);
    const auto [c, d] = normals_of(words[2], words[3]);
    return {a, b, c, d};
}

/// Returns four normals within two deviations, drawn until there are four. TensorFlow reserves 256
/// counters for them.
Values truncated_normals_of(const Draw& draw, std::int64_t block) {
    constexpr std::int64_t reserved = 256;
    constexpr float most = 2;
    Values values;
    std::size_t count = 0;
    for (std::int64_t counter = block * reserved;; ++counter) {
        for (const float normal : normals_of(draw, counter)) {
            if (std::fabs(normal) < most) values[count++] = normal;
            if (count == values.size()) return values;
        }
    }
}

/// Returns a fill of blocks of values, each of which is made by finish(value).
template <class MakeBlock, class Finish>
TensorFill fill_of(MakeBlock make_block, Finish finish) {
    return [=](std::int64_t first, std::int64_t count, const TakeFloats& take) {
        std::array<float, floats_at_once> values;
        for (const std::int64_t end = first + count; first < end;) {
            const std::int64_t stop = std::min(end, first + floats_at_once);
            float* next = values.data();
            while (first < stop) {
                const std::int64_t block = first / block_size;
                const Values made = make_block(block);
                const std::int64_t last = std::min(stop, (block + 1) * block_size);
                for (; first < last; ++first) *next++ = finish(made[first % block_size]);
            }
            take(std::span(values.data(), next));
        }
    };
}

template <class MakeBlock>
TensorFill scaled_fill(const Draw& draw, MakeBlock make_block, double factor, double shift) {
    return fill_of([=](std::int64_t block) { return make_block(draw, block); },
                   [factor = static_cast<float>(factor), shift = static_cast<float>(shift)](
                       float value) { return value * factor + shift; });
}

}  // namespace

Draw draw_of(std::int64_t first, std::int64_t second) {
    const auto low = [](std::int64_t seed) { return static_cast<std::uint32_t>(seed); };
    const auto high = [](std::int64_t seed) { return static_cast<std::uint32_t>(seed >> 32); };
    const Block mixed =
        philox({0x3ec8f720, 0x02461e29}, {low(first), high(first), low(second), high(second)});
    return {{mixed[0], mixed[1]}, {0, 0, mixed[2], mixed[3]}};
}

Block words_of(const Draw& draw, std::int64_t block) {
    return philox(draw.key,
                  {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                   draw.counter[2], draw.counter[3]});
}

TensorFill normal_fill(const Draw& draw, double mean, double std) {
    return scaled_fill(
        draw, [](const Draw& d, std::int64_t block) { return normals_of(d, block); }, std, mean);
}

TensorFill uniform_fill(const Draw& draw, double low, double high) {
    const float width = static_cast<float>(high) - static_cast<float>(low);
    return scaled_fill(draw, units_of, width, low);
}

TensorFill glorot_uniform_fill(const Draw& draw, std::int64_t rows, std::int64_t columns) {
    const double fan = (static_cast<double>(rows) + static_cast<double>(columns)) / 2;
    const double limit = std::sqrt(3.0 * (1 / fan));
    return uniform_fill(draw, -limit, limit);
}

TensorFill truncated_normal_fill(const Draw& draw, double mean, double std) {
    return scaled_fill(draw, truncated_normals_of, std, mean);
}

}  // namespace pegen::tensorflow
