#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "draws/torch/mt19937.h"
#include "draws/torch/normal.h"

using namespace pegen::torch;

TEST_CASE("normal: blocks of 16 are those of Box and Muller, to single precision") {
    std::vector<float> uniforms(16 * 500);
    Mt19937(1).draw_units(uniforms);
    uniforms[0] = 0;
    uniforms[8] = 0;
    uniforms[1] = 1 - 0x1p-24F;
    uniforms[9] = 1 - 0x1p-24F;
    for (const CodePath path : {CodePath::vectors, CodePath::scalar}) {
        std::vector<float> normals = uniforms;
        uniforms_to_normals(normals, 0.5F, 2, path);
        for (std::size_t block = 0; block < normals.size(); block += 16) {
            for (std::size_t j = block; j < block + 8; ++j) {
                CAPTURE(j);
                const double radius = std::sqrt(-2 * std::log(1.0 - uniforms[j]));
                const double angle = 2 * std::numbers::pi * uniforms[j + 8];
                CHECK(std::fabs(normals[j] - (radius * std::cos(angle) * 2 + 0.5)) < 1e-5);
                CHECK(std::fabs(normals[j + 8] - (radius * std::sin(angle) * 2 + 0.5)) < 1e-5);
            }
        }
    }
}

TEST_CASE("normal: a block does not depend on the others") {
    std::vector<float> uniforms(16 * 9);
    Mt19937(2).draw_units(uniforms);
    for (const CodePath path : {CodePath::vectors, CodePath::scalar}) {
        std::vector<float> together = uniforms, one_by_one = uniforms;
        uniforms_to_normals(together, 0, 1, path);
        for (std::size_t block = 0; block < uniforms.size(); block += 16) {
            uniforms_to_normals(std::span(one_by_one).subspan(block, 16), 0, 1, path);
        }
        CHECK(together == one_by_one);
    }
}

TEST_CASE("normal: a pair takes the angle from the first two draws, the radius from the next") {
    Mt19937 generator(3), same(3);
    for (int i = 0; i < 100; ++i) {
        const double angle = 2 * std::numbers::pi * unit_double(same);
        const double u = unit_double(same);
        const auto [first, second] = normal_pair(generator);
        CHECK(std::hypot(first, second) == doctest::Approx(std::sqrt(-2 * std::log(1 - u))));
        CHECK(std::fabs(std::remainder(std::atan2(second, first) - angle, 2 * std::numbers::pi)) <
              1e-12);
    }
}
