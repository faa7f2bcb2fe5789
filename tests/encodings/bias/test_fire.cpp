#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"
#include "numerics/real.h"

using namespace pegen;
using numerics::Real;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

/// Writes the weights of an MLP with two hidden units for one head: MLP(x) = 2 relu(x) - relu(1 - 2
/// x) + 0.5.
struct Files {
    Files() {
        put(folder.path("w1"), npy_of_doubles("(2, 1)", {1, -2}));
        put(folder.path("b1"), npy_of_doubles("(2,)", {0, 1}));
        put(folder.path("w2"), npy_of_doubles("(1, 2)", {2, -1}));
        put(folder.path("b2"), npy_of_doubles("(1,)", {0.5}));
    }

    std::string command(const std::string& options = "") const {
        return fmt::format("fire --heads 1 --width 2 --w1 {} --b1 {} --w2 {} --b2 {} {}",
                           folder.path("w1"), folder.path("b1"), folder.path("w2"),
                           folder.path("b2"), options);
    }

    TemporaryFolder folder;
};

}  // namespace

// PyTorch 1.13, in float64: manual_seed(3), then Sequential(Linear(1, 5), ReLU(), Linear(5, 2)) of
// float32, called with the formula's argument for queries 1, 2, 3.
TEST_CASE("fire: draws the weights and has the values of PyTorch") {
    const double expected[] = {
        -0.21217289249503318, -0.20030865606203996, -0.20030865606203996, -0.20030865606203996,
        -0.17253515894692117, -0.21217289249503318, -0.20030865606203996, -0.20030865606203996,
        -0.17253489660173216, -0.22036634222352347, -0.20347602719567387, -0.20030865606203996,
        0.06275474287438176,  0.10167369802957182,  0.10167369802957182,  0.10167369802957182,
        0.009658199394487477, 0.06275474287438176,  0.10167369802957182,  0.10167369802957182,
        0.009657879601198294, 0.06796340972115467,  0.05673086104124314,  0.10167369802957182};
    const auto bias = values_of(
        "fire --heads 2 --len 3 --key-len 4 --threshold 2 --width 5 --seed 3", DType::float64);
    REQUIRE(bias.size() == 24);
    for (std::size_t i = 0; i < 24; ++i) {
        CHECK(bias[i] == doctest::Approx(expected[i]).epsilon(1e-14));
    }
}

TEST_CASE("fire: two hidden units from files") {
    const Files files;
    // Key 0 is at distance 1 from query 1 and 2 from query 2, and both are normalized by 2: nearly
    // ln 2 / ln 3 and 1.
    const auto bias =
        values_of(files.command("--c 1 --threshold 2 --len 2 --key-len 3"), DType::float64);
    const double x = 0.6309292;
    CHECK(bias[0] == doctest::Approx(2 * x + 0.5).epsilon(1e-5));
    CHECK(bias[1] == -0.5);
    CHECK(bias[2] == -0.5);
    CHECK(bias[3] == doctest::Approx(2.5).epsilon(1e-5));
    CHECK(bias[4] == bias[0]);
    const auto masked = values_of(files.command("--len 2 --mask causal"));
    CHECK(masked[1] == -std::numeric_limits<double>::infinity());
}

TEST_CASE("fire: the symmetric form sees keys after the query as those before") {
    const Files files;
    const std::string options = "--c 1 --threshold 2 --len 3 --form symmetric";
    const auto bias = values_of(files.command(options), DType::float64);
    for (std::size_t q = 0; q < 3; ++q) {
        for (std::size_t k = 0; k < 3; ++k) CHECK(bias[3 * q + k] == bias[3 * k + q]);
    }
    // Far ahead of the first query, ln 1001 / ln 3 is more than any input of the causal form.
    const std::string far = "--c 1 --threshold 2 --len 1001 --form symmetric";
    const auto row = read_rows(table_of(files.command(far), DType::float64), {0, 1});
    CHECK(row[1000] == doctest::Approx(2 * 6.2886 + 0.5).epsilon(1e-4));
}

TEST_CASE("fire: up to the threshold it depends on the distance alone, beyond it on the share") {
    const auto near = values_of("fire --heads 1 --len 20 --threshold 20", DType::float64);
    for (std::size_t q = 1; q < 20; ++q) CHECK(near[20 * q + q - 1] == near[20]);
    const auto far = values_of("fire --heads 1 --len 20 --threshold 1 --c 1e6", DType::float64);
    CHECK(far[20 * 5] == doctest::Approx(far[20 * 19]));
    CHECK(far[20 * 5 + 4] != doctest::Approx(far[20 * 19 + 18]));
}

TEST_CASE("fire: what does not go together is refused") {
    const Files files;
    CHECK(refusal_of("fire --heads 1 --width 2 --w1 " + files.folder.path("w1")) ==
          "--w1, --b1, --w2, --b2: give all four files, or none to draw the weights");
    CHECK(refusal_of(files.command("--seed 1")) ==
          "--seed 1: nothing is drawn where --w1, --b1, --w2 and --b2 are given; leave it out");
    const auto fault = [&] {
        try {
            table_of(files.command());
        } catch (const FormatError& error) {
            const std::string what = error.what();
            return what.substr(what.find(": ") + 2);
        }
        return std::string("accepted");
    };
    put(files.folder.path("b1"), npy_of_doubles("(3,)", {0, 1, 2}));
    CHECK(fault() == "shape (3,): --b1 must be (2,)");
    put(files.folder.path("b1"), npy_file("|b1", "False", "(2,)", "ab"));
    CHECK(fault() == "dtype bool: weights must be floats; save weights.astype(float)");
    put(files.folder.path("b1"),
        npy_of_doubles("(2,)", {0, std::numeric_limits<double>::infinity()}));
    CHECK(fault() == "weights[1] is inf: must be finite");
    put(files.folder.path("b1"), npy_of_doubles("(2,)", {0, 1e5}));
    CHECK(refusal_of(files.command(), DType::float16)
              .starts_with("--dtype float16: cannot hold the largest bias there may be, 1000"));
}

TEST_CASE("fire: in float64 every value is within the bound of its page") {
    std::mt19937_64 engine(11);
    std::normal_distribution<double> normal;
    const auto drawn = [&](std::size_t count) {
        std::vector<double> numbers(count);
        for (double& number : numbers) number = normal(engine);
        return numbers;
    };
    for (const std::size_t width : {1U, 2U, 7U, 33U, 200U}) {
        const TemporaryFolder folder;
        const std::vector<double> w1 = drawn(width), b1 = drawn(width), w2 = drawn(width),
                                  b2 = drawn(1);
        put(folder.path("w1"), npy_of_doubles(fmt::format("({}, 1)", width), w1));
        put(folder.path("b1"), npy_of_doubles(fmt::format("({},)", width), b1));
        put(folder.path("w2"), npy_of_doubles(fmt::format("(1, {})", width), w2));
        put(folder.path("b2"), npy_of_doubles("(1,)", b2));
        const std::int64_t keys = 40;
        const auto bias = values_of(
            fmt::format(
                "fire --heads 1 --len {} --c 0.3 --threshold 9.5 --width {} --w1 {} --b1 {} "
                "--w2 {} --b2 {}",
                keys, width, folder.path("w1"), folder.path("b1"), folder.path("w2"),
                folder.path("b2")),
            DType::float64);
        for (std::int64_t i = 0; i < keys * keys; ++i) {
            const auto q = static_cast<double>(i / keys), k = static_cast<double>(i % keys);
            const Real x = log1p(Real(0.3) * std::max(q - k, 0.0)) /
                           (log1p(Real(0.3) * std::max(q, 9.5)) + 1e-6);
            Real exact = b2[0], magnitude = std::fabs(b2[0]);
            for (std::size_t j = 0; j < width; ++j) {
                const Real inner = w1[j] * x + b1[j];
                if (0.0 < inner) exact = exact + w2[j] * inner;
                magnitude =
                    magnitude + std::fabs(w2[j]) * (std::fabs(w1[j]) * x + std::fabs(b1[j]));
            }
            const Real bound = magnitude * (static_cast<double>(width) + 6) * 0x1p-52;
            REQUIRE(abs(exact - bias[static_cast<std::size_t>(i)]) < bound);
        }
    }
}
