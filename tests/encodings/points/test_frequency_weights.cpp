#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

/// A folder with points.npy and variances.npy, of shape (2, 2).
struct WithPoints {
    TemporaryFolder folder;

    WithPoints() {
        put(folder.path("points.npy"), npy_of_doubles("(2, 2)", {0.25, -1.5, 3.0, 0.125}));
        put(folder.path("variances.npy"), npy_of_doubles("(2, 2)", {0.5, 0, 0.01, 1e6}));
    }

    std::string command(const char* variances) const {
        return fmt::format("fourier --freqs 1,3 --points {} --variances {}",
                           folder.path("points.npy"), folder.path(variances));
    }
};

}  // namespace

TEST_CASE("fourier: a window lets frequencies through one after the other") {
    const std::string command = "fourier --axes x --width 7 --freqs pow2:4 --order akf";
    const auto all = values_of(command, DType::float64);
    const auto some = values_of(command + " --window 1.25", DType::float64);
    REQUIRE(some.size() == 7 * 8);
    // Park et al. 2021, equation 8, with alpha - k = 0.25.
    const double weight = (1 - std::cos(std::numbers::pi / 4)) / 2;
    for (std::size_t i = 0; i < some.size(); ++i) {
        const std::size_t k = i % 8 / 2;
        if (k == 0) CHECK(some[i] == all[i]);
        if (k == 1) CHECK(some[i] == doctest::Approx(weight * all[i]).epsilon(1e-15));
        if (k > 1) CHECK(some[i] == 0);
    }
    CHECK(values_of(command + " --window 4", DType::float64) == all);
    CHECK(values_of(command + " --window 0", DType::float64) == std::vector<double>(7 * 8));
}

TEST_CASE("fourier: a variance multiplies waves by the mean over a normal distribution") {
    const WithPoints files;
    const auto values = values_of(files.command("variances.npy"), DType::float64);
    REQUIRE(values.size() == 16);
    CHECK(values[0] == doctest::Approx(std::exp(-0.25) * std::sin(0.25)).epsilon(1e-15));
    CHECK(values[3] == doctest::Approx(std::exp(-2.25) * std::cos(0.75)).epsilon(1e-15));
    CHECK(values[4] == std::sin(-1.5));  // a variance of 0
    CHECK(values[15] == 0);              // exp(-4.5e6)
}

TEST_CASE("fourier: weighted waves are rounded once in every dtype") {
    const WithPoints files;
    for (const std::string& command :
         {files.command("variances.npy"),
          std::string("nerf --height 9 --width 7 --window 4.3 --raw none")}) {
        const auto exact = values_of(command, DType::float64);
        const auto singles = values_of(command, DType::float32);
        REQUIRE(exact.size() == singles.size());
        for (std::size_t i = 0; i < exact.size(); ++i) {
            CHECK(singles[i] == static_cast<float>(exact[i]));
        }
    }
}

TEST_CASE("fourier: variances are refused without points of their shape") {
    const WithPoints files;
    put(files.folder.path("few.npy"), npy_of_doubles("(1, 2)", {1, 1}));
    CHECK_THROWS_WITH_AS(values_of(files.command("few.npy"), DType::float32),
                         doctest::Contains("shape (1, 2): must be that of --points, (2, 2)"),
                         FormatError);
    put(files.folder.path("negative.npy"), npy_of_doubles("(2, 2)", {1, 1, -2, 1}));
    CHECK_THROWS_WITH_AS(values_of(files.command("negative.npy"), DType::float32),
                         doctest::Contains("-2: a variance must be at least 0"), FormatError);
    put(files.folder.path("infinite.npy"), npy_of_doubles("(2, 2)", {1, 1, INFINITY, 1}));
    CHECK_THROWS_WITH_AS(values_of(files.command("infinite.npy"), DType::float32),
                         doctest::Contains("variances[1, 0] is inf"), FormatError);
}
