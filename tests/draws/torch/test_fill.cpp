#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <random>
#include <vector>

#include "core/error.h"
#include "draws/torch/fill.h"

using namespace pegen::torch;

namespace {

/// The inverse of erf by Newton's steps in double precision.
double exact_erfinv(double y, double start) {
    double x = start;
    for (int step = 0; step < 4; ++step) {
        x -= (std::erf(x) - y) * std::sqrt(std::numbers::pi) / 2 * std::exp(x * x);
    }
    return x;
}

}  // namespace

TEST_CASE("erfinv: is the inverse of erf to single precision, and odd") {
    for (const CodePath path : {CodePath::vectors, CodePath::scalar}) {
        for (float y = 0x1p-20F; y < 0.99F; y *= 1.01F) {
            CAPTURE(y);
            const float x = erfinv(y, path);
            CHECK(x == doctest::Approx(exact_erfinv(y, x)).epsilon(1e-6));
            CHECK(erfinv(-y, path) == -x);
        }
        CHECK(erfinv(0, path) == 0);
        CHECK(erfinv(1, path) == std::numeric_limits<float>::infinity());
        CHECK(erfinv(-1, path) == -std::numeric_limits<float>::infinity());
    }
}

using namespace pegen;

namespace {

std::vector<float> elements(const TensorFill& fill, std::int64_t first, std::int64_t count) {
    std::vector<float> result;
    fill(first, count, [&](std::span<const float> values) {
        result.insert(result.end(), values.begin(), values.end());
    });
    return result;
}

std::shared_ptr<Draws> draws() { return std::make_shared<Draws>(5); }

std::vector<float> normals(std::int64_t fills_before, std::int64_t size) {
    return elements(normal_fill(draws(), fills_before, size, 0, 1, CodePath::vectors), 0, size);
}

}  // namespace

TEST_CASE("fill: any elements are those of the whole tensor") {
    constexpr std::int64_t size = 5003;  // several chunks and an overlapping last block
    for (const CodePath path : {CodePath::vectors, CodePath::scalar}) {
        for (const TensorFill& fill :
             {normal_fill(draws(), 1, size, 0.5, 2, path), uniform_fill(draws(), 3, -2, 5, path),
              truncated_normal_fill(draws(), 3, 0, 1, -2, 2, path)}) {
            const std::vector<float> whole = elements(fill, 0, size);
            REQUIRE(std::ssize(whole) == size);
            for (const std::int64_t step : {1, 17, 4999}) {
                std::vector<float> pieces;
                for (std::int64_t first = 0; first < size; first += step) {
                    const std::vector<float> piece =
                        elements(fill, first, std::min(step, size - first));
                    pieces.insert(pieces.end(), piece.begin(), piece.end());
                }
                CHECK(pieces == whole);
            }
        }
    }
}

TEST_CASE("fill: a uniform is low + width u of one draw, fused on the path of the vectors") {
    std::mt19937 theirs(5);
    theirs.discard(3);
    const std::vector<float> fused =
        elements(uniform_fill(draws(), 3, -0.1, 0.2, CodePath::vectors), 0, 1000);
    const std::vector<float> apart =
        elements(uniform_fill(draws(), 3, -0.1, 0.2, CodePath::scalar), 0, 1000);
    for (std::size_t i = 0; i < fused.size(); ++i) {
        const float unit = static_cast<float>(theirs() & 0xffffffU) * 0x1p-24F;
        const float width = 0.2F - -0.1F;
        CHECK(fused[i] == std::fma(unit, width, -0.1F));
        CHECK(apart[i] == unit * width + -0.1F);
    }
}

TEST_CASE("fill: truncated normals stay within their limits") {
    const std::vector<float> values =
        elements(truncated_normal_fill(draws(), 0, 1, 2, 0.5, 1.5, CodePath::vectors), 0, 20000);
    CHECK(std::ranges::min(values) >= 0.5F);
    CHECK(std::ranges::max(values) <= 1.5F);
}

TEST_CASE("fill: small tensors take pairs of normals, half of one is left to the next tensor") {
    // Two tensors of 15 elements take 15 pairs of normals in all.
    const std::vector<float> first = normals(0, 15), second = normals(1, 15);
    std::vector<float> both = first;
    both.insert(both.end(), second.begin(), second.end());
    std::vector<float> by_pairs;
    Mt19937 generator(5);
    while (by_pairs.size() < 30) {
        const auto [a, b] = normal_pair(generator);
        by_pairs.push_back(static_cast<float>(a));
        by_pairs.push_back(static_cast<float>(b));
    }
    CHECK(both == by_pairs);
    CHECK(draws_of_normal_fills(2, 15) == 60);
    CHECK(draws_of_normal_fills(1, 15) == 32);
}

TEST_CASE("fill: a tensor of whole blocks takes a draw for each element, others 16 more") {
    CHECK(draws_of_normal_fills(3, 32) == 96);
    CHECK(draws_of_normal_fills(3, 33) == 3 * (33 + 16));
    CHECK_THROWS_AS(draws_of_normal_fills(std::int64_t{1} << 62, 32), UsageError);
    const std::vector<float> whole = normals(0, 64);
    const std::vector<float> second = normals(1, 32);
    CHECK(std::equal(second.begin(), second.end(), whole.begin() + 32));
}
