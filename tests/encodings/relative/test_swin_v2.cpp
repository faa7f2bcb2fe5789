#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/array_file.h"
#include "files/temporary_folder.h"
#include "numerics/real.h"

using namespace pegen;
using numerics::Real;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

struct Tensor {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<double> values;
};

/// Returns a safetensors file of float64.
std::string safetensors_of(const std::vector<Tensor>& tensors) {
    std::string header = "{", bytes;
    for (const auto& [name, shape, values] : tensors) {
        const std::size_t first = bytes.size();
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
        header += fmt::format(
            "{}\"{}\":{{\"dtype\":\"F64\",\"shape\":[{}],\"data_offsets\":[{},{}]}}",
            header.size() > 1 ? "," : "", name, fmt::join(shape, ","), first, bytes.size());
    }
    header += "}";
    const std::uint64_t size = header.size();
    return std::string(reinterpret_cast<const char*>(&size), sizeof size) + header + bytes;
}

/// Returns what is wrong with the file of a command, without the file's name.
std::string fault_of(const std::string& command) {
    try {
        table_of(command);
    } catch (const FormatError& error) {
        const std::string what = error.what();
        return what.substr(what.find(": ") + 2);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("swin-v2: the coordinates are those of the code, to the last bit of a float or nearly") {
    // WindowAttention(dim, (8, 8), heads).relative_coords_table of microsoft/Swin-Transformer.
    constexpr std::array x{
        -1.056641697883606,  -0.9913349151611328, -0.9157446026802063,  -0.8260157704353333,
        -0.715613842010498,  -0.572068989276886,  -0.36651185154914856, 0.0,
        0.36651185154914856, 0.572068989276886,   0.715613842010498,    0.8260157704353333,
        0.9157446026802063,  0.9913349151611328,  1.056641697883606};
    const Table table = table_of("swin-v2 --height 8 --width 8");
    CHECK(table.shape == Shape{15, 15, 2});
    const std::vector<double> values = all_values(table);
    for (std::size_t dy = 0; dy < 15; ++dy) {
        for (std::size_t dx = 0; dx < 15; ++dx) {
            CHECK(std::fabs(values[(dy * 15 + dx) * 2] - x[dy]) <= 0x1p-24);
            CHECK(std::fabs(values[(dy * 15 + dx) * 2 + 1] - x[dx]) <= 0x1p-24);
        }
    }
}

TEST_CASE("swin-v2: the formula in doubles, divided by the window's own extents or others") {
    const auto check = [](const char* command, std::int64_t height, std::int64_t width, double by_y,
                          double by_x) {
        CAPTURE(command);
        const std::vector<double> values = values_of(command, DType::float64);
        const auto coordinate = [](std::int64_t offset, double divisor) {
            const auto r = static_cast<double>(offset);
            return std::copysign(std::log2(1 + 8 * std::fabs(r) / divisor) / 3, r);
        };
        auto value = values.begin();
        for (std::int64_t dy = 1 - height; dy < height; ++dy) {
            for (std::int64_t dx = 1 - width; dx < width; ++dx) {
                CHECK(*value++ == doctest::Approx(coordinate(dy, by_y)).epsilon(1e-15));
                CHECK(*value++ == doctest::Approx(coordinate(dx, by_x)).epsilon(1e-15));
            }
        }
        CHECK(value == values.end());
    };
    check("swin-v2 --height 3 --width 5", 3, 5, 2, 4);
    check("swin-v2 --height 3 --width 5 --pretrained-window 12", 3, 5, 11, 11);
    check("swin-v2 --height 3 --width 5 --pretrained-window 8x12", 3, 5, 7, 11);
    check("swin-v2 --height 3 --width 5 --pretrained-window 0x12", 3, 5, 2, 11);
    check("swin-v2 --height 1 --width 5 --pretrained-window 2", 1, 5, 1, 1);
}

TEST_CASE("swin-v2: a window of frames has three coordinates, each as of an image") {
    const Table table = table_of("swin-v2 --depth 4 --height 3 --width 5");
    CHECK(table.shape == Shape{7, 5, 9, 3});
    const std::vector<double> values = all_values(table);
    const std::vector<double> of_image = values_of("swin-v2 --height 3 --width 5");
    const std::vector<double> of_depth = values_of("swin-v2 --height 4 --width 5");
    for (std::size_t dt = 0; dt < 7; ++dt) {
        for (std::size_t place = 0; place < 45; ++place) {
            const std::size_t first = (dt * 45 + place) * 3;
            CHECK(values[first] == of_depth[dt * 9 * 2]);
            CHECK(values[first + 1] == of_image[place * 2]);
            CHECK(values[first + 2] == of_image[place * 2 + 1]);
        }
    }
    CHECK(values_of("swin-v2 --depth 4 --height 3 --width 5 --table index") ==
          values_of("swin --depth 4 --height 3 --width 5"));
    // An extent of pretraining for each axis: the first is of the frames.
    CHECK(values_of("swin-v2 --depth 4 --height 3 --width 5 --pretrained-window 4x3x5") == values);
}

TEST_CASE("swin-v2: the ends are log2(9) / 3, an exact third at one step of seven") {
    const std::vector<double> values = values_of("swin-v2 --height 2 --width 9", DType::float64);
    CHECK(values.front() == -std::log2(9) / 3);
    CHECK(values[9 * 2 + 1] == 1 / 3.0);  // log2(1 + 8 / 8) / 3
    CHECK(values[8 * 2 + 1] == 0);
}

TEST_CASE("swin-v2: other spacings are the offset and its logarithm") {
    CHECK(values_of("swin-v2 --height 1 --width 3 --spacing linear") ==
          std::vector<double>{0, -2, 0, -1, 0, 0, 0, 1, 0, 2});
    CHECK(values_of("swin-v2 --height 1 --width 3 --spacing log", DType::float64) ==
          std::vector<double>{0, -std::log(3), 0, -std::log(2), 0, 0, 0, std::log(2), 0,
                              std::log(3)});
}

TEST_CASE("swin-v2: a network by hand, 2 relu(x) - relu(1 - 2 x) + 0.5 of the distance") {
    const TemporaryFolder folder;
    put(folder.path("w"), safetensors_of({{"net.b.weight", {1, 2}, {2, -1}},
                                          {"net.b.bias", {1}, {0.5}},
                                          {"net.a.weight", {2, 1}, {1, -2}},
                                          {"net.a.bias", {2}, {0, 1}}}));
    const std::string command =
        "swin-v2 --table bias --height 1 --width 3 --spacing linear --module net --layers a,b "
        "--weights " +
        folder.path("w");
    CHECK(table_of(command).shape == Shape{1, 3, 3});
    // The distances 0, -1, -2 give -1 + 0.5, -3 + 0.5 and -5 + 0.5; 1 and 2 give 2.5 and 4.5.
    CHECK(values_of(command + " --sigmoid 0") ==
          std::vector<double>{-0.5, -2.5, -4.5, 2.5, -0.5, -2.5, 4.5, 2.5, -0.5});
    CHECK(values_of(command, DType::float64)[2] ==
          doctest::Approx(16 / (1 + std::exp(4.5))).epsilon(1e-15));
    // A leaky ReLU adds 2 * 0.1 x below 0, and -0.1 (1 - 2 x) above 0.5.
    CHECK(values_of(command + " --sigmoid 0 --negative-slope 0.5", DType::float64) ==
          std::vector<double>{-0.5, -3.5, -6.5, 3, -0.5, -3.5, 6, 3, -0.5});
}

TEST_CASE("swin-v2: tokens at given points, GELU by hand") {
    const TemporaryFolder folder;
    put(folder.path("w"), safetensors_of({{"0.weight", {1, 3}, {1, 0, -0.5}},
                                          {"0.bias", {1}, {0.25}},
                                          {"2.weight", {2, 1}, {1, -2}}}));
    put(folder.path("p.npy"), npy_of_doubles("(2, 3)", {0.5, 7, 1, 2, -1, 0}));
    const std::string command = fmt::format(
        "swin-v2 --table bias --points {} --weights {} --layers 0,2 --activation gelu --sigmoid 0",
        folder.path("p.npy"), folder.path("w"));
    const auto gelu = [](double x) { return x * std::erfc(-x / std::sqrt(2)) / 2; };
    const double same = gelu(0.25), there = gelu(-1.75), back = gelu(2.25);
    const std::vector<double> bias = values_of(command, DType::float64);
    const double expected[] = {same,      there,      back,      same,
                               -2 * same, -2 * there, -2 * back, -2 * same};
    REQUIRE(bias.size() == 8);
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK(bias[i] == doctest::Approx(expected[i]).epsilon(1e-15));
    }
    const double logarithm = std::log(2.5) + 0.25 - 0.5 * -std::log(2.0);
    CHECK(values_of(command + " --spacing log", DType::float64)[2] ==
          doctest::Approx(gelu(logarithm)).epsilon(1e-15));
    CHECK(fault_of(command + " --height 3") ==
          "--height 3: cannot be used with --points; leave --height out");
    CHECK(fault_of(command + " --spacing log2") ==
          "--spacing log2: divides by a window; --points has none");
}

TEST_CASE("swin-v2: networks have the biases of their code bases") {
    // lucidrains/x-transformers, DynamicPositionBias(6, heads = 2, depth = 2, log_distance = True,
    // norm = True), and cheerss/CrossFormer, DynamicPosBias(16, 3, residual = False) in a group of
    // 2 x 3, both run in float64.
    for (const auto& [preset, options] : std::vector<std::pair<std::string, std::string>>{
             {"dynamic-position-bias",
              "--width 5 --spacing log "
              "--layers mlp.0.0,mlp.0.1,mlp.1.0,mlp.1.1,mlp.2"},
             {"crossformer", "--height 2 --width 3 --module blocks.0.attn.pos"}}) {
        const std::string file = preset;
        CAPTURE(file);
        const std::string path =
            fmt::format("{}/tests/encodings/relative/{}.npz", PEGEN_SOURCE_DIR, file);
        const std::vector<double> expected = all_values(open_array(path + ":bias").table);
        const auto bias = values_of(
            fmt::format("{} --table bias {} --weights {}", file, options, path), DType::float64);
        REQUIRE(bias.size() == expected.size());
        for (std::size_t i = 0; i < bias.size(); ++i) {
            CHECK(std::fabs(bias[i] - expected[i]) < 1e-14);
        }
    }
}

TEST_CASE("swin-v2: draws the weights and has the values of PyTorch") {
    // microsoft/Swin-Transformer, WindowAttention(12, (3, 4), 3) in float64, its cpb_mlp made by
    // PyTorch 1.13 in float32 after manual_seed(7): elements 5, 42, 79, ...
    constexpr double expected[] = {7.282989293005442, 7.201791273275675, 7.443365780674949,
                                   7.354390779908051, 9.402344385888773, 7.341768900723539};
    const auto bias =
        values_of("swin-v2 --table bias --height 3 --width 4 --heads 3 --seed 7", DType::float64);
    REQUIRE(bias.size() == 3 * 12 * 12);
    for (std::size_t j = 0; j < 6; ++j) {
        CHECK(bias[37 * j + 5] == doctest::Approx(expected[j]).epsilon(1e-14));
    }
    // ContinuousPositionBias of lucidrains/phenaki-pytorch with three axes, written again, in
    // float64, its layers made likewise after manual_seed(0): head, query, key.
    const auto video = values_of(
        "lucidrains-cpb --table bias --depth 2 --height 3 --width 4 --heads 4 --units 16,16",
        DType::float64);
    REQUIRE(video.size() == 4 * 24 * 24);
    CHECK(video[23] == doctest::Approx(0.31975721044124034).epsilon(1e-14));
    CHECK(video[(3 * 24 + 23) * 24] == doctest::Approx(0.33706964159546804).epsilon(1e-14));
    CHECK(video[(24 + 5) * 24 + 13] == doctest::Approx(0.07990065231042362).epsilon(1e-14));
}

TEST_CASE("swin-v2: a bias is the exact number of its network, rounded once") {
    // Two inputs, a normalized layer of 5 units with SiLU, one of 4, two heads.
    std::mt19937_64 engine(3);
    std::normal_distribution<double> normal;
    const auto drawn = [&](std::size_t count) {
        std::vector<double> numbers(count);
        for (double& number : numbers) number = normal(engine);
        return numbers;
    };
    const auto a = drawn(10), a_bias = drawn(5), gamma = drawn(5), beta = drawn(5), b = drawn(20),
               c = drawn(8), c_bias = drawn(2);
    const TemporaryFolder folder;
    put(folder.path("w"), safetensors_of({{"a.weight", {5, 2}, a},
                                          {"a.bias", {5}, a_bias},
                                          {"n.weight", {5}, gamma},
                                          {"n.bias", {5}, beta},
                                          {"b.weight", {4, 5}, b},
                                          {"c.weight", {2, 4}, c},
                                          {"c.bias", {2}, c_bias}}));
    const auto silu = [](const Real& x) { return x / (1.0 + exp(-x)); };
    const auto linear = [](const std::vector<double>& weights, const std::vector<double>& bias,
                           const std::vector<Real>& x) {
        std::vector<Real> y;
        for (std::size_t i = 0; i < weights.size() / x.size(); ++i) {
            y.emplace_back(bias.empty() ? 0 : bias[i]);
            for (std::size_t j = 0; j < x.size(); ++j) {
                y.back() = y.back() + weights[i * x.size() + j] * x[j];
            }
        }
        return y;
    };
    const auto exact = [&](double dy, double dx) {
        const auto log = [](double r) { return r < 0 ? -log1p(Real(-r)) : log1p(Real(r)); };
        std::vector<Real> x = linear(a, a_bias, {log(dy), log(dx)});
        Real mean = 0, variance = 0;
        for (const Real& number : x) mean = mean + number / 5.0;
        for (const Real& number : x) variance = variance + (number - mean) * (number - mean) / 5.0;
        for (std::size_t i = 0; i < 5; ++i) {
            x[i] = silu((x[i] - mean) / sqrt(variance + 1e-5) * gamma[i] + beta[i]);
        }
        x = linear(b, {}, x);
        for (Real& number : x) number = silu(number);
        return linear(c, c_bias, x);
    };
    for (const DType dtype : {DType::float64, DType::float32}) {
        const auto bias = values_of(
            "swin-v2 --table bias --height 3 --width 4 --spacing log "
            "--activation silu --sigmoid 0 --layers a,n,b,c --weights " +
                folder.path("w"),
            dtype);
        REQUIRE(bias.size() == 2 * 12 * 12);
        for (std::size_t i = 0; i < bias.size(); ++i) {
            const auto q = static_cast<std::int64_t>(i / 12 % 12),
                       k = static_cast<std::int64_t>(i % 12);
            const double nearest = numerics::for_rounding_to(
                dtype, exact(static_cast<double>(q / 4 - k / 4),
                             static_cast<double>(q % 4 - k % 4))[i / 144]);
            CHECK(bias[i] == (dtype == DType::float32 ? static_cast<float>(nearest) : nearest));
        }
    }
}

TEST_CASE("swin-v2: a file whose arrays are no network is refused") {
    const TemporaryFolder folder;
    const std::string path = folder.path("w");
    const auto fault = [&](const std::vector<Tensor>& tensors, const std::string& options = "") {
        put(path, safetensors_of(tensors));
        return fault_of("swin-v2 --table bias --height 2 --width 2 --layers a,b --weights " + path +
                        options);
    };
    const Tensor a{"a.weight", {3, 2}, std::vector<double>(6, 1)};
    const Tensor b{"b.weight", {1, 3}, {1, 2, 3}};
    CHECK(fault({a, b}) == "accepted");
    CHECK(fault({a}) == "has no array 'b.weight'; there are a.weight; did you mean 'a.weight'?");
    CHECK(fault({{"a.weight", {3, 1}, {1, 1, 1}}, b}) == "shape (3, 1): must be (3, 2)");
    CHECK(fault({a, {"b.weight", {1, 2}, {1, 2}}}) == "shape (1, 2): must be (1, 3)");
    CHECK(fault({a, b, {"b.bias", {2}, {1, 2}}}) == "shape (2,): must be (1,)");
    CHECK(fault({a, {"b.weight", {3}, {1, 2, 3}}}) ==
          "--layers a,b: the first and the last one must be linear");
    CHECK(fault({a, b}, " --heads 4") ==
          "--heads 4: --weights has a last layer of 1 heads; leave --heads out");
    CHECK(fault({a, b}, " --units 4") ==
          "--units 4: nothing is drawn, --weights has the layers; leave --units out");
    CHECK(fault({a, {"b.weight", {1, 3}, {1, 1e300, 1e300}}}) == "accepted");
    CHECK(fault({{"a.weight", {3, 2}, std::vector<double>(6, 1e300)},
                 {"b.weight", {1, 3}, std::vector<double>(3, 1e300)}})
              .starts_with("--weights: the network's numbers are beyond the largest double"));
}
