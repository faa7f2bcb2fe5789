#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/filled_values.h"
#include "draws/jax/fill.h"

using namespace pegen;
using namespace pegen::jax;

namespace {

/// True if the values are those printed, to `error` of each.
bool agree(const std::vector<float>& values, const std::vector<double>& printed, double error) {
    REQUIRE(values.size() == printed.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::fabs(values[i] - printed[i]) > error * std::fabs(printed[i])) return false;
    }
    return true;
}

constexpr double digits8 = 1e-7;
constexpr double some_units = 1e-6;  ///< XLA's versions differ

}  // namespace

TEST_CASE("jax: threefry has the values of Random123") {
    constexpr std::uint32_t ones = 0xffffffff;
    CHECK(threefry({0, 0}, {0, 0}) == Words{0x6b200159, 0x99ba4efe});
    CHECK(threefry({ones, ones}, {ones, ones}) == Words{0x1cb996fc, 0xbb002be7});
    CHECK(threefry({0x13198a2e, 0x03707344}, {0x243f6a88, 0x85a308d3}) ==
          Words{0xc4923a9c, 0x483df7a0});
}

TEST_CASE("jax: uniform values are JAX's own") {
    // jax/_src/internal_test_util/export_back_compat_test_data/cuda_threefry2x32.py: nine digits.
    CHECK(values_of(uniform_fill({{42, 43}, 8, Counting::halves}, 0, 1), 0, 8) ==
          std::vector{0.42591238F, 0.076994896F, 0.44370103F, 0.72904015F, 0.17879379F, 0.81439507F,
                      0.0019190311F, 0.68608475F});
    // tests/random_test.py, testRngRandomBits: an odd number.
    const auto unit = [](std::uint32_t bits) { return static_cast<float>(bits >> 9) * 0x1p-23F; };
    CHECK(values_of(uniform_fill({key_of(1701), 3, Counting::halves}, 0, 1), 0, 3) ==
          std::vector{unit(56197195), unit(4200222568), unit(961309823)});
    // The documentation of jax.nn.initializers.uniform(10.0) and glorot_uniform().
    CHECK(agree(values_of(uniform_fill({key_of(42), 6, Counting::halves}, 0, 10), 0, 6),
                {7.298188, 8.691938, 8.7230015, 2.0818567, 1.8662417, 5.5022564}, digits8));
    CHECK(agree(values_of(glorot_uniform_fill({key_of(42), 6, Counting::halves}, 2, 3), 0, 6),
                {0.50350785, 0.8088631, 0.81566876, -0.6393332, -0.6865721, 0.11003882}, digits8));
}

TEST_CASE("jax: normals are JAX's, as far as it prints them") {
    CHECK(agree(values_of(normal_fill({key_of(0), 10, Counting::halves}, 0, 1), 0, 10),
                {-0.3721109, 0.26423115, -0.18252768, -0.7368197, -0.44030377, -0.1521442,
                 -0.67135346, -0.5908641, 0.73168886, 0.5673026},
                digits8));
    CHECK(agree(values_of(normal_fill({key_of(42), 3, Counting::elements}, 0, 1), 0, 3),
                {-0.02830462, 0.46713185, 0.29570296}, 2e-7));
    CHECK(agree(values_of(normal_fill({key_of(42), 6, Counting::halves}, 0, 5), 0, 6),
                {3.0613258, 5.6129413, 5.6866574, -4.063663, -4.4520254, 0.63115686}, some_units));
    CHECK(agree(
        values_of(truncated_normal_fill({key_of(42), 6, Counting::halves}, 0, 5, -10, 10), 0, 6),
        {2.9047365, 5.2338114, 5.29852, -3.836303, -4.192359, 0.6022964}, some_units));
}

TEST_CASE("jax: an element is the same whatever is read before it") {
    for (const Counting counting : {Counting::elements, Counting::halves}) {
        const TensorFill fill = normal_fill({key_of(7), 10001, counting}, 0, 1);
        const std::vector all = values_of(fill, 0, 10001);
        CHECK(values_of(fill, 4999, 3) == std::vector(all.begin() + 4999, all.begin() + 4999 + 3));
        CHECK(values_of(fill, 9000, 1001) == std::vector(all.begin() + 9000, all.end()));
    }
}

TEST_CASE("jax: erf_inv is the inverse of erf, to some units in the last place") {
    for (float y = -0.9999999F; y < 1; y += 0.000123F) {
        const double error = std::erf(static_cast<double>(erf_inv(y))) - y;
        CHECK(std::fabs(error) <= 3e-7 * std::fabs(y));
    }
    CHECK(std::isinf(erf_inv(1)));
    CHECK(std::signbit(erf_inv(-1)));
}
