#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
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

/// A folder with points.npy, of shape (3, 2).
struct WithPoints {
    TemporaryFolder folder;

    WithPoints() {
        put(folder.path("points.npy"), npy_of_doubles("(3, 2)", {0.25, -1.5, 3.0, 0.125, 0, 0.7}));
    }

    std::string option(const char* name, const char* file) const {
        return fmt::format(" --{} {}", name, folder.path(file));
    }
};

std::string failure_of(const std::string& command) {
    try {
        return refusal_of(command);
    } catch (const FormatError& error) {
        const std::string message = error.what();
        return message.substr(message.find(".npy: ") + 6);
    }
}

constexpr double tau = 6.283185307179586;

}  // namespace

TEST_CASE("random-fourier: a matrix from a file, by hand") {
    const WithPoints files;
    put(files.folder.path("w.npy"), npy_of_doubles("(2, 2)", {1, 0.5, 0, -2}));
    const std::string command =
        "random-fourier" + files.option("points", "points.npy") + files.option("weights", "w.npy");
    const auto values = values_of(command, DType::float64);
    // Point (3, 0.125): 2 pi (3 * 1), 2 pi (3 * 0.5 - 2 * 0.125).
    REQUIRE(values.size() == 12);
    CHECK(values[4] == doctest::Approx(std::sin(tau * 3)).epsilon(1e-12));
    CHECK(values[5] == doctest::Approx(std::sin(tau * 1.25)));
    CHECK(values[6] == doctest::Approx(1));
    CHECK(values[7] == doctest::Approx(std::cos(tau * 1.25)).epsilon(1e-12));
    const auto transposed = values_of(command + " --weight-order ka", DType::float64);
    CHECK(transposed[5] == doctest::Approx(std::sin(tau * (3 * 0.0 - 2 * 0.125))));
}

TEST_CASE("random-fourier: PyTorch's rows for frequencies, cos first, are k-diffusion's") {
    const WithPoints files;
    // torch 1.13: manual_seed(1); W = randn([6, 2]) * 0.5; f = 2 pi x @ W.T; [cos f | sin f].
    const auto values = values_of(
        "random-fourier --d 12 --seed 1 --weight-scale 0.5 --first cos "
        "--weight-order ka" +
            files.option("points", "points.npy"),
        DType::float64);
    constexpr std::array first{0.739529323437862,   -0.9658363347054945, 0.9098208525319432,
                               -0.9892193368589369, -0.2719755984639139, 0.9104995271428057,
                               -0.6731243419870789, -0.2591528015720766};
    for (std::size_t i = 0; i < first.size(); ++i) {
        CHECK(values[i] == doctest::Approx(first[i]).epsilon(1e-12));
    }
    CHECK(values[35] == doctest::Approx(-0.12774878286927766).epsilon(1e-12));
}

TEST_CASE("random-fourier: tables of the weights and of the phases have PyTorch's bits") {
    const std::string command =
        "random-fourier --d 40 --seed 2 --weight-order ka --phase-init uniform:-0.5,0.5";
    const auto weights = values_of(command + " --table weights");
    CHECK(weights[0] == -1.0408011674880981);
    CHECK(weights[20] == 0.9166041612625122);
    CHECK(weights[1] == -1.3041903972625732);
    const auto phases = values_of(command + " --table phases");
    CHECK(phases.size() == 20);
    CHECK(phases[0] == -0.1016111969947815);
    CHECK(phases[3] == 0.4627684950828552);
}

TEST_CASE("random-fourier: phases are added in turns of freq-scale") {
    const WithPoints files;
    put(files.folder.path("w.npy"), npy_of_doubles("(2,)", {1, 3}));
    put(files.folder.path("b.npy"), npy_of_doubles("(2,)", {0.25, 0.5}));
    const auto values =
        values_of("random-fourier --axes x --width 5 --function cos" +
                      files.option("weights", "w.npy") + files.option("phases", "b.npy"),
                  DType::float64);
    REQUIRE(values.size() == 10);
    CHECK(values[2] == doctest::Approx(std::cos(tau * (0.25 + 0.25))));
    CHECK(values[3] == doctest::Approx(std::cos(tau * (0.75 + 0.5))).epsilon(1e-9));
}

TEST_CASE("random-fourier: raw coordinates and interleaved functions") {
    const auto table = table_of("random-fourier --height 2 --width 3 --d 4 --raw before --axes xy");
    CHECK(table.shape == Shape{6, 6});
    const auto values = all_values(table);
    CHECK(values[5 * 6] == 1);      // x of the last point
    CHECK(values[2 * 6] == 1);      // x of point 2
    CHECK(values[2 * 6 + 1] == 0);  // its y
    const auto after = values_of(
        "random-fourier --height 2 --width 3 --d 4 --raw after --layout interleaved "
        "--axes xy");
    CHECK(after[6 * 4 + 4] == 0.5);
    CHECK(after[6 * 4] == values[6 * 4 + 2]);      // sin of frequency 0
    CHECK(after[6 * 4 + 1] == values[6 * 4 + 4]);  // its cos
}

TEST_CASE("random-fourier: --in-disc has the vectors and phases of StyleGAN3's input") {
    // networks_stylegan3.py, SynthesisInput(channels=8, bandwidth=2) after torch.manual_seed(0), by
    // PyTorch 1.13: x and y of the first four frequencies, and four phases.
    const double x[] = {-0.7304710149765015, -0.9393895268440247, 1.1485404968261719,
                        -0.09418204426765442};
    const double y[] = {-0.7476780414581299, -1.6265604496002197, 0.9364802837371826,
                        -0.6304038763046265};
    const double phases[] = {0.19766759872436523, 0.30001139640808105, -0.3389705419540405,
                             -0.21773141622543335};
    const std::string settings =
        "random-fourier --d 8 --function sin --weight-order ka --in-disc "
        "--weight-scale 2 --phase-init uniform:-0.5,0.5 --table ";
    const auto weights = values_of(settings + "weights"), drawn = values_of(settings + "phases");
    for (std::size_t k = 0; k < 4; ++k) {
        CHECK(std::fabs(weights[k] / x[k] - 1) <= 3e-7);
        CHECK(std::fabs(weights[8 + k] / y[k] - 1) <= 3e-7);
        CHECK(drawn[k] == phases[k]);
    }
    const auto by_axis = values_of("random-fourier --d 2000 --in-disc --table weights");
    int in_half = 0;
    for (std::size_t k = 0; k < 1000; ++k) {
        const double length = std::hypot(by_axis[k], by_axis[1000 + k]);
        CHECK(length < 1);
        in_half += length < std::sqrt(0.5) ? 1 : 0;  // half of the disc
    }
    CHECK(in_half > 450);
    CHECK(in_half < 550);
}

TEST_CASE("random-fourier: what cannot be is refused with the remedy") {
    const WithPoints files;
    put(files.folder.path("w.npy"), npy_of_doubles("(3, 2)", {1, 2, 3, 4, 5, 6}));
    put(files.folder.path("nan.npy"), npy_of_doubles("(1, 1)", {std::nan("")}));
    const std::string points = "random-fourier" + files.option("points", "points.npy");
    CHECK(refusal_of("random-fourier --d 7").starts_with("--d 7: must be even"));
    CHECK(failure_of("random-fourier --in-disc --weight-order ka" +
                     files.option("weights", "w.npy")) ==
          "--in-disc true: cannot be used with --weights; leave --in-disc out");
    CHECK(failure_of(points + files.option("weights", "w.npy")) ==
          "shape (3, 2): weights must be (2, frequencies); use --weight-order ka");
    CHECK(failure_of("random-fourier --axes x" + files.option("weights", "w.npy")) ==
          "shape (3, 2): weights must be (1, frequencies)");
    CHECK(failure_of(points + " --d 6" + files.option("weights", "w.npy")) ==
          "shape (3, 2): weights must be (2, 3); use --weight-order ka");
    CHECK(failure_of(points + " --weight-scale 2 --weight-order ka" +
                     files.option("weights", "w.npy")) ==
          "--weight-scale 2: cannot be used with --weights; leave --weight-scale out");
    CHECK_THROWS_AS(
        values_of("random-fourier --axes x --width 3" + files.option("weights", "nan.npy")),
        FormatError);
    CHECK(refusal_of("random-fourier --weight-scale 1e37").starts_with("--weights, --freq-scale"));
}
