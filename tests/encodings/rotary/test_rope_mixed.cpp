#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/preset_samples.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

/// Frequencies (2, 2, 2): of the first axis, then of the second, two heads of two pairs each.
const std::vector<double> frequencies{1, 0.5, -0.25, 0, 2, 0.125, 0.75, -1};

std::string frequencies_file(const TemporaryFolder& folder, const char* shape) {
    const std::string bytes(reinterpret_cast<const char*>(frequencies.data()),
                            frequencies.size() * sizeof(double));
    put(folder.path("f.npy"), npy_file("<f8", "False", shape, bytes));
    return " --freqs-file " + folder.path("f.npy");
}

}  // namespace

TEST_CASE("rope-mixed: a pair turns by the sum of both axes, each head by its own frequencies") {
    const TemporaryFolder folder;
    const std::string command =
        "rope-mixed --height 2 --width 3 --layout single" + frequencies_file(folder, "(2, 2, 2)");
    CHECK(table_of(command).shape == Shape{2, 6, 2});
    const std::vector<double> sin = values_of(command + " --table sin", DType::float64);
    const std::vector<double> xy =
        values_of(command + " --table sin --axes xy --start 1,-2", DType::float64);
    for (std::size_t head = 0; head < 2; ++head) {
        for (std::size_t token = 0; token < 6; ++token) {
            const auto y = static_cast<double>(token / 3), x = static_cast<double>(token % 3);
            for (std::size_t k = 0; k < 2; ++k) {
                const double first = frequencies[head * 2 + k],
                             second = frequencies[4 + head * 2 + k];
                const std::size_t place = (head * 6 + token) * 2 + k;
                // Sums of products of such numbers are exact.
                CHECK(sin[place] ==
                      doctest::Approx(std::sin(y * first + x * second)).epsilon(1e-15));
                CHECK(xy[place] ==
                      doctest::Approx(std::sin((x - 2) * first + (y + 1) * second)).epsilon(1e-15));
            }
        }
    }
    CHECK(values_of(command + " --table inv-freq", DType::float64) == frequencies);
}

TEST_CASE("rope-mixed: heads may share an axis of the file, which --d divides") {
    const TemporaryFolder folder;
    const std::string by_head =
        "rope-mixed --height 2 --width 3" + frequencies_file(folder, "(2, 2, 2)");
    const std::vector<double> values = values_of(by_head);
    const std::string flat =
        "rope-mixed --height 2 --width 3" + frequencies_file(folder, "(2, 1, 4)");
    CHECK(values_of(flat + " --d 4") == values);
    CHECK(values_of(flat).size() == values.size());
    CHECK(table_of(flat).shape == Shape{1, 6, 8});
    CHECK(refusal_of(flat + " --d 6") == "--d 6: the last extent of " + folder.path("f.npy") +
                                             ", (2, 1, 4), is not a multiple of 3 pairs");
    CHECK(refusal_of(flat + " --heads 2") ==
          "--heads 2: " + folder.path("f.npy") + " has 1 heads of 4 pairs; leave --heads out");
    CHECK(refusal_of(flat + " --base 10") ==
          "--base 10: cannot be used with --freqs-file; leave --base out");
    CHECK_THROWS_WITH_AS(
        table_of(flat + " --depth 2"),
        (folder.path("f.npy") +
         ": shape (2, 1, 4): must be (axes, heads, pairs), with 3 axes and at most 2^19 pairs")
            .c_str(),
        FormatError);
}

TEST_CASE("rope-mixed: points of a file are those of the grid") {
    const TemporaryFolder folder;
    std::vector<double> points;
    for (int token = 0; token < 6; ++token) {
        points.push_back(token / 3);  // NOLINT
        points.push_back(token % 3);
    }
    put(folder.path("p.npy"), npy_file("<f8", "False", "(6, 2)",
                                       std::string(reinterpret_cast<const char*>(points.data()),
                                                   points.size() * sizeof(double))));
    const std::string drawn = "rope-mixed --heads 2 --d 8 --seed 3 --axes xy";
    CHECK(values_of(drawn + " --points " + folder.path("p.npy")) ==
          values_of(drawn + " --height 2 --width 3"));
}

TEST_CASE("rope-mixed: both halves of a head's pairs turn across, one as fast as the other") {
    const std::vector<double> w = values_of(
        "rope-mixed --heads 3 --d 16 --seed 5 --base 100 --table inv-freq", DType::float64);
    for (std::size_t head = 0; head < 3; ++head) {
        for (std::size_t k = 0; k < 4; ++k) {
            const std::size_t place = head * 8 + k;
            const double x = w[place], y = w[24 + place];
            const double size = std::pow(100, -static_cast<double>(k) / 4);
            CHECK(std::hypot(x, y) == doctest::Approx(size).epsilon(1e-15));
            CHECK(w[place + 4] == doctest::Approx(-y).epsilon(1e-15));
            CHECK(w[24 + place + 4] == doctest::Approx(x).epsilon(1e-15));
        }
    }
}

TEST_CASE("rope-mixed: the preset gives the values of RoPE-ViT") {
    // compute_mixed_cis(init_random_2d_freqs(64, 12), *init_t_xy(14, 14), 12) of naver-ai/rope-vit,
    // the turn of each head by torch.rand(1) after torch.manual_seed(0), all else in float64.
    constexpr PresetSample samples[] = {
        {"rope-vit-mixed",
         {1, 1, 0.9340976578683059, 0.9999844481039162, 0.9374525582428099, 0.9999852482550542}}};
    check_presets("rope-mixed", samples);
    CHECK(table_of("rope-vit-mixed --table inv-freq").axes[0].index_names ==
          std::vector<std::string>{"x", "y"});
    const Table complex = table_of("rope-vit-mixed --table freqs-cis", DType::float64);
    CHECK(complex.shape == Shape{12, 196, 32, 2});
    const auto at = [&](std::int64_t head, std::int64_t token, std::int64_t pair, int function) {
        const std::int64_t row = (head * 196 + token) * 32 + pair;
        return read_rows(complex, {row, 1})[static_cast<std::size_t>(function)];
    };
    CHECK(at(0, 15, 3, 0) == doctest::Approx(0.8057061618315097).epsilon(1e-13));
    CHECK(at(3, 17, 2, 1) == doctest::Approx(0.8769469742560657).epsilon(1e-13));
    CHECK(at(11, 195, 31, 1) == doctest::Approx(-0.8666237805503769).epsilon(1e-13));
    CHECK(at(7, 100, 16, 0) == doctest::Approx(0.8785226067936002).epsilon(1e-13));
}
