#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "numerics/interpolation.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

using List = std::vector<double>;

/// Returns the weights of all inputs.
List all_weights(const Interpolation& how, std::int64_t index) {
    const Weights weights = weights_of(how, index);
    List all(how.from, 0.0);
    REQUIRE(weights.first + std::ssize(weights.values) <= how.from);
    for (std::int64_t i = 0; i < std::ssize(weights.values); ++i) {
        all[weights.first + i] = nearest_double(weights.values[i]);
    }
    return all;
}

/// Returns the sum of the inputs f(0), f(1) ... with their weights.
template <class F>
double weighted(const Interpolation& how, std::int64_t index, F f) {
    const List weights = all_weights(how, index);
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * f(double(i));
    return sum;
}

constexpr std::initializer_list<std::int64_t> odd_sizes{5, 7, 9, 13, 27};

}  // namespace

TEST_CASE("interpolation: weights by hand") {
    const Interpolation twice{.kernel = Kernel::linear, .from = 2, .to = 4};
    CHECK(all_weights(twice, 0) == List{1, 0});
    CHECK(all_weights(twice, 1) == List{0.75, 0.25});
    Interpolation half{.kernel = Kernel::cubic, .from = 8, .to = 4};
    // Halfway the weights are a / 8 and 1 / 2 - a / 8; inputs before the first are the first.
    CHECK(all_weights(half, 1) == List{0, -0.09375, 0.59375, 0.59375, -0.09375, 0, 0, 0});
    CHECK(all_weights(half, 0) == List{0.5, 0.59375, -0.09375, 0, 0, 0, 0, 0});
    half.cubic = -0.5;
    CHECK(all_weights(half, 1) == List{0, -0.0625, 0.5625, 0.5625, -0.0625, 0, 0, 0});
    CHECK(all_weights({.kernel = Kernel::linear, .from = 8, .to = 4, .is_antialiased = true}, 1) ==
          List{0, 0.125, 0.375, 0.375, 0.125, 0, 0, 0});
    CHECK(all_weights({.kernel = Kernel::area, .from = 5, .to = 2}, 1) ==
          List{0, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3});
    CHECK(all_weights({.kernel = Kernel::nearest, .from = 5, .to = 2}, 1) == List{0, 0, 1, 0, 0});
    CHECK(all_weights({.kernel = Kernel::nearest_exact, .from = 5, .to = 2}, 1) ==
          List{0, 0, 0, 1, 0});
    CHECK(all_weights({.kernel = Kernel::repeat, .from = 3, .to = 8}, 7) == List{0, 1, 0});
}

TEST_CASE("interpolation: the weights of an output sum to 1") {
    for (const Kernel kernel :
         {Kernel::nearest, Kernel::nearest_exact, Kernel::linear, Kernel::cubic, Kernel::area,
          Kernel::geometric_linear, Kernel::geometric_cubic, Kernel::repeat}) {
        for (const std::int64_t from : odd_sizes) {
            for (const std::int64_t to :
                 {std::int64_t{1}, std::int64_t{3}, from, std::int64_t{31}}) {
                for (const int choice : {0, 1, 2, 3}) {
                    const Interpolation how{.kernel = kernel,
                                            .from = from,
                                            .to = to,
                                            .is_antialiased = choice % 2 == 1,
                                            .has_aligned_corners = choice / 2 == 1};
                    CAPTURE(from);
                    CAPTURE(to);
                    CAPTURE(int(kernel));
                    CAPTURE(choice);
                    for (std::int64_t i = 0; i < to; ++i) {
                        const double sum = weighted(how, i, [](double) { return 1.0; });
                        CHECK(std::fabs(sum - 1) < 1e-13);
                    }
                }
            }
        }
    }
}

TEST_CASE("interpolation: bilinear and bicubic with a = -0.5 keep a ramp, but for the ends") {
    for (const Kernel kernel : {Kernel::linear, Kernel::cubic}) {
        for (const double scale : {0.0, 2.7}) {
            const Interpolation how{
                .kernel = kernel, .from = 9, .to = 24, .cubic = -0.5, .scale = scale};
            const double step = scale > 0 ? 1 / scale : 9.0 / 24;
            for (std::int64_t i = 0; i < 24; ++i) {
                const double place = (double(i) + 0.5) * step - 0.5;
                if (place < 1 || place > 7) continue;
                CHECK(weighted(how, i, [](double x) { return x; }) ==
                      doctest::Approx(place).epsilon(1e-13));
            }
        }
        const Interpolation aligned{
            .kernel = kernel, .from = 9, .to = 33, .cubic = -0.5, .has_aligned_corners = true};
        CHECK(all_weights(aligned, 32).back() == 1);
        CHECK(weighted(aligned, 6, [](double x) { return x; }) == doctest::Approx(1.5));
    }
}

TEST_CASE("interpolation: the outputs of the spline lie on the cubic on which the inputs lie") {
    for (const std::int64_t from : odd_sizes) {
        for (const std::int64_t to : {7, 15, 27, 63}) {
            // The places of the inputs, by the outputs of linear weights: a line through them.
            const Interpolation spline{.kernel = Kernel::geometric_cubic, .from = from, .to = to};
            const Interpolation line{.kernel = Kernel::geometric_linear, .from = from, .to = to};
            double left = 1.01, right = 1.5, q = 0;
            while (right - left > 1e-6) {
                q = (left + right) / 2;
                const double last = (1 - std::pow(q, from / 2)) / (1 - q);
                (last > double(to / 2) ? right : left) = q;
            }
            const auto place = [&](double input) {
                const double k = input - double(from / 2);
                const double far = (1 - std::pow(q, std::fabs(k))) / (1 - q);
                return k < 0 ? -far : far;
            };
            const double end = place(double(from - 1));
            for (std::int64_t i = 0; i < to; ++i) {
                const double x = std::clamp(double(i - to / 2), -end, end);
                CAPTURE(from);
                CAPTURE(to);
                CAPTURE(i);
                const auto cubic = [](double p) { return ((p / 9 - 1) * p / 5 + 2) * p / 3 - 1; };
                CHECK(weighted(line, i, place) == doctest::Approx(x).epsilon(1e-12));
                CHECK(weighted(spline, i, [&](double input) { return cubic(place(input)); }) ==
                      doctest::Approx(cubic(x)).epsilon(1e-11));
            }
        }
    }
}
