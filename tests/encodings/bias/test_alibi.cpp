#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

std::vector<double> floats(const std::vector<double>& values) {
    std::vector<double> result;
    for (const double value : values) result.push_back(static_cast<float>(value));
    return result;
}

}  // namespace

TEST_CASE("alibi: a small table of each form") {
    const auto bias = [](const std::string& form) {
        return values_of("alibi --heads 2 --len 2 --key-len 3 --form " + form);
    };
    // The slopes are 1/16 and 1/256; the queries have positions 1 and 2.
    CHECK(bias("signed") == std::vector<double>{-1 / 16.0, 0, 1 / 16.0, -1 / 8.0, -1 / 16.0, 0,  //
                                                -1 / 256.0, 0, 1 / 256.0, -1 / 128.0, -1 / 256.0,
                                                0});
    CHECK(bias("symmetric") ==
          std::vector<double>{-1 / 16.0, 0, -1 / 16.0, -1 / 8.0, -1 / 16.0, 0,  //
                              -1 / 256.0, 0, -1 / 256.0, -1 / 128.0, -1 / 256.0, 0});
    CHECK(bias("causal") == std::vector<double>{-1 / 16.0, 0, 0, -1 / 8.0, -1 / 16.0, 0,  //
                                                -1 / 256.0, 0, 0, -1 / 128.0, -1 / 256.0, 0});
    CHECK(bias("key") == std::vector<double>{0, 1 / 16.0, 1 / 8.0, 0, 1 / 16.0, 1 / 8.0,  //
                                             0, 1 / 256.0, 1 / 128.0, 0, 1 / 256.0, 1 / 128.0});
    CHECK(bias("last-key") ==
          std::vector<double>{-1 / 8.0, -1 / 16.0, 0, -1 / 8.0, -1 / 16.0, 0,  //
                              -1 / 128.0, -1 / 256.0, 0, -1 / 128.0, -1 / 256.0, 0});
}

TEST_CASE("alibi: no zero is negative") {
    for (const char* form : {"--form signed", "--form symmetric", "--form causal", "--form key",
                             "--form last-key", "--form sqrt", "--image 2 --form manhattan"}) {
        for (const char* slopes : {"", " --slope-list 0,-1", " --slope-list 0,-1 --out-scale 2"}) {
            const std::string size = std::string(form).starts_with("--image") ? "" : "--len 3 ";
            for (const double value : values_of("alibi " + size + form + slopes)) {
                CHECK_FALSE((value == 0 && std::signbit(value)));
            }
        }
    }
}

// The slopes that get_slopes of ofirpress/attention_with_linear_biases returns, in float32.
TEST_CASE("alibi: slopes of the original code where the number of heads is not a power of 2") {
    CHECK(values_of("alibi --heads 6 --table slopes") ==
          std::vector<double>{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125});
    CHECK(values_of("alibi --heads 12 --table slopes") ==
          floats({0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125, 0.00390625, 0.70710677,
                  0.35355338, 0.17677669, 0.088388346}));
    CHECK(values_of("alibi --heads 1 --table slopes") == std::vector<double>{1 / 256.0});
}

TEST_CASE("alibi: slopes end at 2^-max_bias and fall, the interleaved ones between the others") {
    for (int heads = 1; heads <= 70; ++heads) {
        CAPTURE(heads);
        const std::string command =
            "alibi --max-bias 6 --heads " + std::to_string(heads) + " --slopes ";
        const auto slopes = values_of(command + "geometric --table slopes", DType::float64);
        CHECK(slopes.back() == 0x1p-6);
        CHECK(std::ranges::is_sorted(slopes, std::ranges::greater_equal()));

        const auto nearest = values_of(command + "nearest-power --table slopes", DType::float64);
        const auto n = static_cast<std::ptrdiff_t>(std::exp2(std::floor(std::log2(heads))));
        const auto middle = nearest.begin() + n;
        CHECK(*(middle - 1) == 0x1p-6);
        CHECK(std::ranges::is_sorted(nearest.begin(), middle, std::ranges::greater_equal()));
        CHECK(std::ranges::is_sorted(middle, nearest.end(), std::ranges::greater_equal()));
        for (std::ptrdiff_t h = 0; h < nearest.end() - middle; ++h) {
            CHECK(middle[h] > nearest[static_cast<std::size_t>(h)]);
            if (h > 0) CHECK(middle[h] < nearest[static_cast<std::size_t>(h - 1)]);
        }
        if (n == heads) CHECK(nearest == slopes);
    }
}

TEST_CASE("alibi: every value is the exact power times the distance, rounded once") {
    const auto values =
        values_of("alibi --heads 24 --len 1 --key-len 3000 --slopes geometric", DType::float64);
    for (std::size_t h = 0; h < 24; ++h) {
        const long double slope = exp2l(-8.0L * static_cast<long double>(h + 1) / 24);
        for (std::size_t k = 0; k < 3000; ++k) {
            const auto exact = -slope * static_cast<long double>(2999 - k);
            const double value = values[h * 3000 + k];
            // The long double has an error of its own of up to 2^-63.
            CHECK(std::fabs(static_cast<double>(exact - static_cast<long double>(value))) <=
                  std::fabs(value) * 0x1.01p-53);
        }
    }
}

TEST_CASE("alibi: a row is the last query's") {
    for (const char* form : {"signed", "symmetric", "causal", "sqrt", "key", "last-key"}) {
        const std::string command = std::string("alibi --heads 3 --form ") + form;
        CHECK(values_of(command + " --len 5 --table row") ==
              values_of(command + " --len 1 --key-len 5"));
    }
    CHECK(table_of("alibi --heads 3 --len 5 --table row").shape.extents() ==
          std::vector<std::int64_t>{3, 1, 5});
}

TEST_CASE("alibi: a causal mask hides the keys after the query") {
    CHECK(values_of("alibi --heads 1 --max-bias 1 --len 2 --key-len 3 --form key --mask causal") ==
          std::vector<double>{0, 0.5, -inf, 0, 0.5, 1});
}

TEST_CASE("alibi: the names of the two conventions for other numbers of heads are those of users") {
    CHECK(values_of("attention-gym --heads 6 --len 3") !=
          values_of("alibi --heads 6 --len 3 --form signed"));
    CHECK(values_of("attention-gym --heads 8 --len 3") == values_of("alibi --heads 8 --len 3"));
}

TEST_CASE("alibi: the root of the distance, keys from 1, and slopes as numbers, by hand") {
    CHECK(values_of("alibi --slope-list 0.5,-2 --len 3 --form sqrt", DType::float64) ==
          std::vector<double>{0, 0, 0, -0.5, 0, 0, -0.5 * std::sqrt(2), -0.5, 0,  //
                              0, 0, 0, 2, 0, 0, 2 * std::sqrt(2), 2, 0});
    CHECK(values_of("alibi --slope-list 0.5,-2 --len 3 --form key --first-key 1 --table row") ==
          std::vector<double>{0.5, 1, 1.5, -2, -4, -6});
    CHECK(values_of("alibi --heads 4 --groups 2 --out-scale 3 --table slopes") ==
          std::vector<double>{3 / 16.0, 3 / 256.0, 3 / 16.0, 3 / 256.0});
}

TEST_CASE("alibi: a group of heads is a bias of its own, and the factor is in every value") {
    for (const char* form : {"--form symmetric", "--form sqrt", "--form key --first-key 7"}) {
        const std::string size = std::string(" --len 4 --key-len 6 ") + form;
        auto group = values_of("alibi --heads 3" + size, DType::float64);
        const auto once = group;
        group.insert(group.end(), once.begin(), once.end());
        CHECK(values_of("alibi --heads 6 --groups 2" + size, DType::float64) == group);
        for (double& value : group) value *= 4;
        CHECK(values_of("alibi --heads 6 --groups 2 --out-scale 4" + size, DType::float64) ==
              group);
    }
}

TEST_CASE("alibi: slopes of a file are the slopes of a list") {
    const TemporaryFolder folder;
    const std::string path = folder.path("slopes.npy");
    put(path, npy_of_doubles("(3,)", {0.1, 0.7, -0.3}));
    for (const char* rest : {" --len 5", " --groups 2 --len 5 --form sqrt", " --image 2x3"}) {
        CHECK(values_of("alibi --slopes-file " + path + rest, DType::float64) ==
              values_of(std::string("alibi --slope-list 0.1,0.7,-0.3") + rest, DType::float64));
    }
    put(path, npy_of_doubles("(3, 1)", {0.1, 0.7, -0.3}));
    CHECK_THROWS_WITH_AS(
        table_of("alibi --slopes-file " + path),
        (path + ": shape (3, 1): slopes must be (heads,), 1 to 65536 of them").c_str(),
        FormatError);
}

TEST_CASE("alibi: a class token has a bias of 0, and tokens of an image those they have alone") {
    for (const char* form : {"euclidean", "manhattan"}) {
        const std::string command = std::string("alibi --heads 2 --image 2x3 --form ") + form;
        const auto alone = values_of(command, DType::float64);
        const auto all = values_of(command + " --prefix cls", DType::float64);
        REQUIRE(all.size() == 2 * 7 * 7);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::size_t head = i / 49, query = i / 7 % 7, key = i % 7;
            const bool is_of_class = query == 0 || key == 0;
            CHECK(all[i] == (is_of_class ? 0 : alone[head * 36 + (query - 1) * 6 + key - 1]));
        }
    }
    CHECK(values_of("alibi --slope-list 1 --image 2x3 --form manhattan --table row") ==
          std::vector<double>{-3, -2, -1, -2, -1, 0});
    // get_alibi of facebookresearch/fairseq's data2vec 2.0 for 6 heads and 3 x 3 patches, padded,
    // and of MahmoodLab/TITAN for 2 x 3, in float64: elements 5, 42, 79, ...
    const auto some = [](const std::string& command) {
        const auto all = values_of(command, DType::float64);
        std::vector<double> chosen;
        for (std::size_t j = 0; j < 6; ++j) chosen.push_back(all[(37 * j + 5) % all.size()]);
        return chosen;
    };
    CHECK(some("alibi --heads 6 --image 3 --prefix cls --form manhattan") ==
          std::vector<double>{0, -0.5, -0.5, -0.1875, -0.125, 0});
    const auto titan = some("alibi --heads 6 --image 2x3 --prefix cls");
    const double of_titan[] = {
        0, 0, -0.08838834764831845, -0.02209708691207961, 0, -0.008734640537108554};
    for (std::size_t j = 0; j < 6; ++j) CHECK(titan[j] == doctest::Approx(of_titan[j]));
}

TEST_CASE("alibi: tokens of an image are as far apart as in CROMA's code") {
    // get_2dalibi(4, 9) of antofuller/CROMA, the first query of the second head.
    const Table table = table_of("alibi --heads 4 --image 3", DType::float64);
    CHECK(table.shape == Shape{4, 9, 9});
    const double step = -1.0 / 16;
    const std::vector<double> first{0,
                                    step,
                                    2 * step,
                                    step,
                                    step * std::sqrt(2),
                                    step * std::sqrt(5),
                                    2 * step,
                                    step * std::sqrt(5),
                                    step * std::sqrt(8)};
    CHECK(read_rows(table, {9, 1}) == first);
    CHECK(table_of("alibi --heads 2 --image 2x5").shape == Shape{2, 10, 10});
    const Table row = table_of("alibi --heads 4 --image 3 --table row", DType::float64);
    CHECK(row.shape == Shape{4, 1, 9});
    CHECK(read_rows(row, {1, 1}) == read_rows(table, {17, 1}));
    CHECK(values_of("alibi --heads 6 --image 3 --table slopes") ==
          values_of("alibi --heads 6 --table slopes"));
    const std::pair<const char*, const char*> refusals[]{
        {"--form euclidean", "--form euclidean: needs --image ROWSxCOLUMNS"},
        {"--form key --image 3",
         "--form key: tokens of an image have --form euclidean or manhattan"},
        {"--image 3 --len 9", "--len 9: is the number of tokens of the image; leave --len out"},
        {"--image 3 --key-len 9",
         "--key-len 9: is the number of tokens of the image; leave --key-len out"},
        {"--image 2x3x4", "--image 2x3x4: must be ROWSxCOLUMNS, as in 14x10, or N"},
        {"--image 0", "--image 0: 0 must be between 1 and 16384"},
        {"--image 16384", "--image: at most 2^26 values of all heads"},
    };
    for (const auto& [options, message] : refusals) {
        CHECK(refusal_of(std::string("alibi ") + options) == message);
    }
}

TEST_CASE("alibi: what cannot be is refused") {
    CHECK(refusal_of("alibi --len 1 --key-len 200000", DType::float16) ==
          "--dtype float16: cannot hold the largest bias, 99999.5; its largest value is 65504");
}
