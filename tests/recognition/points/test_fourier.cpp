#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "encodings/table_of.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/proposed.h"
#include "recognition/recognized.h"

using namespace pegen;

namespace {

/// True if the table of the settings is recognized as such.
bool is_recognized(const std::string& settings, DType dtype = DType::float32) {
    const std::string command = "fourier " + settings;
    const auto proposals = find_recognized("fourier", sample_of(table_of(command, dtype)));
    check_stored(proposals, command, dtype);
    return is_proposed(settings, proposals);
}

/// Returns the table of points (40, 2) without pattern, each between -1 and 1, of float32.
std::vector<double> scattered_points() {
    std::vector<double> points;
    for (int i = 0; i < 80; ++i) {
        points.push_back(static_cast<float>(std::sin(1.0 + 77.7 * i * i)));
    }
    return points;
}

/// Returns Fourier features of points with two axes, of frequencies 2^k, k < 6: all of axis 0
/// first, and sin before cos. With a scale, the frequencies are multiplied by it, and each point
/// comes before its waves.
evidence::Sample features_of(const std::vector<double>& points, std::optional<double> scale = {}) {
    evidence::Sample sample;
    const auto count = static_cast<std::int64_t>(points.size() / 2);
    sample.extents = {count, scale ? 26 : 24};
    sample.leading = count;
    sample.precision = evidence::precision_of(DType::float32);
    sample.table.dtype = DType::float32;
    for (std::size_t point = 0; point < points.size() / 2; ++point) {
        if (scale) {
            for (const std::size_t axis : {0, 1}) sample.values.push_back(points[2 * point + axis]);
        }
        for (std::size_t axis = 0; axis < 2; ++axis) {
            for (int k = 0; k < 6; ++k) {
                const double angle = std::ldexp(scale.value_or(1) * points[2 * point + axis], k);
                sample.values.push_back(static_cast<float>(std::sin(angle)));
                sample.values.push_back(static_cast<float>(std::cos(angle)));
            }
        }
    }
    return sample;
}

}  // namespace

TEST_CASE("fourier recognition: frequencies") {
    CHECK(is_recognized("--height 6 --width 9 --freqs pow2:6"));
    CHECK(is_recognized("--height 16 --width 20 --freqs linear:1:8:8 --freq-scale pi"));
    CHECK(is_recognized("--height 6 --width 9 --coords linspace:0:1 --freqs geometric:100:8"));
    CHECK(
        is_recognized("--height 8 --width 7 --coords linspace:0:1 --freqs geometric:0.0001:64 "
                      "--freq-scale 2*pi"));
    CHECK(
        is_recognized("--height 6 --width 9 --freqs linear:1:18:6/linear:1:24:6 --freq-scale pi"));
}

TEST_CASE("fourier recognition: nesting and raw coordinates") {
    for (const char* order : {"afk", "fak", "kaf", "kfa", "fka"}) {
        CAPTURE(order);
        CHECK(is_recognized("--height 6 --width 9 --freqs pow2:5 --order " + std::string(order)));
    }
    CHECK(is_recognized("--height 6 --width 9 --order kfa --raw before"));
    CHECK(is_recognized("--height 6 --width 9 --freqs pow2:4 --first cos --raw after"));
    CHECK(is_recognized(
        "--height 8 --width 7 --freqs linear:1:5:6 --freq-scale pi --order afk --raw after-each"));
}

TEST_CASE("fourier recognition: grids of two and three axes") {
    CHECK(is_recognized("--height 6 --width 9 --axes xy --coords center:1 --freqs pow2:4"));
    CHECK(is_recognized("--height 6 --width 9 --coords linspace:0:1 --freqs pow2:4"));
    CHECK(is_recognized("--depth 3 --height 4 --width 5 --freqs pow2:4 --raw before"));
}

TEST_CASE("fourier recognition: frequencies from 0 by the raw coordinates") {
    CHECK(is_recognized("--height 8 --width 7 --freqs linear:0:968.75:32 --raw after"));
}

TEST_CASE("fourier recognition: coordinates and factors that make the same angles are all named") {
    CHECK(is_recognized(
        "--height 4 --width 4 --coords center:1 --freqs linear:1:7:4 --freq-scale 2"));
    CHECK(is_recognized("--height 4 --width 4 --freqs linear:1:7:4 --freq-scale 1.5"));
    CHECK(is_recognized("--height 6 --width 9 --freqs pow2:-2:3 --freq-scale pi"));
}

TEST_CASE("fourier recognition: angles may turn more than once from point to point") {
    CHECK(is_recognized(
        "--height 6 --width 8 --coords center:512 --freqs linear:1:32:8 --raw after"));
    CHECK(is_recognized(
        "--height 6 --width 7 --coords linspace:0:1 --freqs pow2:4 --freq-scale 100 --raw before"));
    CHECK(is_recognized("--height 6 --width 4 --coords center:512 --freqs geometric:2:6"));
    CHECK(is_recognized("--height 6 --width 9 --freqs pow2:4 --freq-scale 30", DType::bfloat16));
}

TEST_CASE("fourier recognition: a coarse axis has the frequencies of the others") {
    CHECK(is_recognized("--depth 3 --height 5 --width 4 --freqs linear:1:10:5 --freq-scale pi",
                        DType::float16));
}

TEST_CASE("fourier recognition: points are read from the array") {
    const std::vector<double> points = scattered_points();
    const auto proposals = find_recognized("fourier", features_of(points));
    REQUIRE(!proposals.empty());
    CHECK(proposed(proposals)[0] == "--freqs pow2:6");
    REQUIRE(proposals[0].data.size() == 1);
    CHECK(proposals[0].data[0].parameter == "points");
    const std::vector<double> found = all_values(proposals[0].data[0].table);
    REQUIRE(found.size() == points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        CHECK(std::fabs(found[i] - points[i]) < 3e-8);
    }
    CHECK(proposals[0].angle(3, 1) == doctest::Approx(std::fabs(points[6])));
    CHECK(proposals[0].angle(3, 23) == doctest::Approx(std::fabs(32 * points[7])));
}

TEST_CASE("fourier recognition: points are those of the factor that is named") {
    const std::vector<double> points = scattered_points();
    const auto proposals = find_recognized("fourier", features_of(points, std::numbers::pi));
    const std::vector<std::string> named = proposed(proposals);
    const std::string command = "--freqs pow2:6 --freq-scale pi --raw before";
    // The points of the raw channels, and of the angles.
    CHECK(std::ranges::count(named, command) == 2);
    for (std::size_t i = 0; i < proposals.size(); ++i) {
        if (named[i] != command) continue;
        REQUIRE(proposals[i].data.size() == 1);
        const std::vector<double> found = all_values(proposals[i].data[0].table);
        REQUIRE(found.size() == points.size());
        for (std::size_t k = 0; k < points.size(); ++k) {
            CHECK(std::fabs(found[k] - points[k]) < 3e-8);
        }
    }
}

TEST_CASE("fourier recognition: sequences and unrelated angles are no Fourier features") {
    CHECK(find_recognized("fourier", table_of("sinusoid --len 50 --d 24")).empty());
    evidence::Sample sample = features_of(scattered_points());
    for (std::size_t i = 0; i < sample.values.size(); i += 2) {
        const double angle = std::sin(3.0 * static_cast<double>(i * i)) * 3;
        sample.values[i] = std::sin(angle);
        sample.values[i + 1] = std::cos(angle);
    }
    CHECK(find_recognized("fourier", sample).empty());
}
