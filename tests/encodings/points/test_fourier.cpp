#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <numbers>
#include <vector>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/registry.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"
#include "numerics/oracle.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Returns the values of `command` with --points, whose file has these bytes.
std::vector<double> values_at(const std::string& command, const std::string& file,
                              DType dtype = DType::float64) {
    const TemporaryFolder folder;
    put(folder.path("points.npy"), file);
    return values_of(fmt::format("{} --points {}", command, folder.path("points.npy")), dtype);
}

/// Returns the part of the message about the points after the file name, if the message begins with
/// the name.
std::string refusal_of_points(const std::string& options, const std::string& file) {
    const TemporaryFolder folder;
    put(folder.path("points.npy"), file);
    try {
        return refusal_of(
            fmt::format("fourier {} --points {}", options, folder.path("points.npy")));
    } catch (const FormatError& error) {
        const std::string message = error.what();
        return message.substr(message.find("points.npy: ") + 12);
    }
}

/// Returns sin or cos of x, rounded once to double.
double wave(char function, double x) {
    return function == 's' ? oracle::sin_double(x, 1, 0, 1) : oracle::cos_double(x, 1, 0, 1);
}

/// Returns the channels "s1 c1 s2 r" of x: sines and cosines of x times a number, and x itself.
std::vector<double> expected(double x, std::string_view channels) {
    std::vector<double> values;
    for (std::size_t i = 0; i < channels.size(); i += channels[i] == 'r' ? 2 : 3) {
        values.push_back(channels[i] == 'r' ? x : wave(channels[i], x * (channels[i + 1] - '0')));
    }
    return values;
}

std::vector<double> joined(std::initializer_list<std::vector<double>> lists) {
    std::vector<double> all;
    for (const std::vector<double>& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

const std::string three_axes = npy_of_doubles("(1, 3)", {0.25, -0.5, 0.75});

}  // namespace

TEST_CASE("fourier: a grid goes from -1 to 1, y before x, sin beside cos") {
    const Table table = table_of("fourier --height 2 --width 3 --freqs 1,2", DType::float64);
    CHECK(table.shape == Shape{6, 8});
    const char* const all = "s1 c1 s2 c2 ";
    const std::array<double, 2> ys{-1, 1};
    const std::array<double, 3> xs{-1, 0, 1};
    for (std::int64_t row = 0; row < 6; ++row) {
        CHECK(read_rows(table, {row, 1}) ==
              joined({expected(ys[static_cast<std::size_t>(row / 3)], all),
                      expected(xs[static_cast<std::size_t>(row % 3)], all)}));
    }
}

TEST_CASE("fourier: every order nests axis, frequency and function as its letters say") {
    const std::array<double, 3> x{0.25, -0.5, 0.75};
    const std::array<double, 4> nu{1, 2, 5, 0.5};
    for (const std::string order : {"akf", "afk", "fak", "kaf", "kfa", "fka"}) {
        for (const bool is_sin_first : {true, false}) {
            CAPTURE(order);
            const std::vector<double> values =
                values_at(fmt::format("fourier --freqs 1,2,5,0.5 --order {} --first {}", order,
                                      is_sin_first ? "sin" : "cos"),
                          three_axes);
            REQUIRE(values.size() == 24);
            const auto count = [](char c) {
                return std::size_t{c == 'a' ? 3U : c == 'k' ? 4U : 2U};
            };
            for (std::size_t channel = 0; channel < 24; ++channel) {
                const std::size_t middle = count(order[1]), fast = count(order[2]);
                std::map<char, std::size_t> digit{{order[0], channel / (middle * fast)},
                                                  {order[1], channel / fast % middle},
                                                  {order[2], channel % fast}};
                const double angle = x[digit['a']] * nu[digit['k']];
                const bool is_first = digit['f'] == 0;
                CHECK(values[channel] == wave(is_first == is_sin_first ? 's' : 'c', angle));
            }
        }
    }
}

TEST_CASE("fourier: coordinates stand before or after all, or after each axis") {
    const std::string file = npy_of_doubles("(1, 2)", {0.25, -0.5});
    const double x = 0.25, y = -0.5;
    CHECK(values_at("fourier --freqs 1,2 --raw before", file) ==
          joined({{x, y}, expected(x, "s1 c1 s2 c2 "), expected(y, "s1 c1 s2 c2 ")}));
    CHECK(values_at("fourier --freqs 1,2 --raw after", file) ==
          joined({expected(x, "s1 c1 s2 c2 "), expected(y, "s1 c1 s2 c2 "), {x, y}}));
    CHECK(values_at("fourier --freqs 1,2 --raw after-each", file) ==
          joined({expected(x, "s1 c1 s2 c2 r "), expected(y, "s1 c1 s2 c2 r ")}));
    CHECK(values_at("fourier --freqs 1,2 --raw after-each --order afk", file) ==
          joined({expected(x, "s1 s2 c1 c2 r "), expected(y, "s1 s2 c1 c2 r ")}));
    CHECK(values_at("fourier --freqs 1 --raw before --order fka", file) ==
          joined({{x, y},
                  expected(x, "s1 "),
                  expected(y, "s1 "),
                  expected(x, "c1 "),
                  expected(y, "c1 ")}));
}

TEST_CASE("fourier: every value is the exact one in all dtypes, of thirds too") {
    for (const DType dtype : {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
        const int bits = dtype == DType::float64   ? 53
                         : dtype == DType::float32 ? 24
                         : dtype == DType::float16 ? 11
                                                   : 8;
        const Table table =
            table_of("fourier --height 1 --width 4 --freqs pow2:3 --raw before --order kaf", dtype);
        for (std::int64_t i = 0; i < 4; ++i) {
            const std::vector<double> row = read_rows(table, {i, 1});
            const auto numerator = static_cast<double>(2 * i - 3);
            const double third = numerator / 3;
            CHECK(std::fabs(row[1] - third) <= std::ldexp(std::fabs(third), -bits));
            for (std::size_t k = 0; k < 3; ++k) {
                const double position = std::ldexp(numerator, static_cast<int>(k));
                CHECK(row[2 + 4 * k + 2] == oracle::sin_of_bits(bits, position, 3, 1, 1));
                CHECK(row[2 + 4 * k + 3] == oracle::cos_of_bits(bits, position, 3, 1, 1));
            }
        }
    }
}

TEST_CASE("fourier: pi is the double nearest to it, multiplied without rounding") {
    const std::string file = npy_of_doubles("(3, 1)", {1, 0.1, -7.3});
    const std::vector<double> values = values_at("fourier --freqs 1,2 --freq-scale pi", file);
    const double pi = std::numbers::pi;
    CHECK(values[0] == oracle::sin_double(1, pi, -1, 1));
    CHECK(values[0] == doctest::Approx(1.2246467991473532e-16).epsilon(1e-12));
    CHECK(values[4] == oracle::sin_double(0.1, pi, -1, 1));
    CHECK(values[11] == oracle::cos_double(2 * -7.3, pi, -1, 1));
    CHECK(values_at("fourier --freqs 1,2 --freq-scale 2*pi", file) ==
          values_at("fourier --freqs 2,4 --freq-scale pi", file));
}

TEST_CASE("fourier: each axis may have frequencies of its own, in the order of the points") {
    const std::string size = "fourier --height 2 --width 3 --order akf --axes xy --freqs ";
    const std::vector<double> both = values_of(size + "1,2/3,4");
    const std::vector<double> y = values_of(size + "1,2"), x = values_of(size + "3,4");
    for (std::size_t i = 0; i < both.size(); ++i) CHECK(both[i] == (i % 8 < 4 ? x : y)[i]);
}

TEST_CASE("fourier: a whole number alone is no list, as it may be a count") {
    for (const std::string command : {"fourier", "nerf", "perceiver", "barf"}) {
        for (const std::string number : {"2", "10", "1000"}) {
            CHECK(refusal_of(command + " --width 3 --height 2 --freqs " + number) ==
                  "--freqs " + number + ": may mean " + number +
                      " frequencies or one: write pow2:" + number + " for 1, 2, 4 ..., or linear:" +
                      number + ":" + number + ":1 for the frequency " + number + " alone");
        }
    }
    const std::string size = "fourier --axes x --width 5 --freqs ";
    CHECK(values_of(size + "1") == values_of(size + "pow2:1"));
    CHECK(values_of(size + "10.0") == values_of(size + "linear:10:10:1"));
    CHECK(values_of(size + "1001") == values_of(size + "linear:1001:1001:1"));
}

TEST_CASE("fourier: a slash divides within a form, and separates axes elsewhere") {
    const std::string size = "fourier --height 2 --width 3 --freqs ";
    CHECK(values_of(size + "geometric:1/40000:8") == values_of(size + "geometric:(1/40000):8"));
    CHECK(values_of(size + "logspace:1/3:7/5:2") == values_of(size + "logspace:(1/3):(7/5):2"));
    CHECK(values_of(size + "linear:0:1/4:3/linear:0:1/8:3") ==
          values_of(size + "linear:0:0.25:3/linear:0:0.125:3"));
    CHECK(values_of(size + "pow2:2/1.5,3 --order akf") ==
          values_of(size + "1,2/1.5,3 --order akf"));
    CHECK(values_of(size + "geometric:1/4:2/pow2:2") == values_of(size + "geometric:0.25:2/1,2"));
}

TEST_CASE("fourier: axes may have numbers of frequencies of their own") {
    const std::string size = "fourier --height 2 --width 3 --freqs ";
    for (const std::string order : {" --order akf", " --order afk", " --order akf --raw after-each",
                                    " --order afk --axes xy --raw before"}) {
        CAPTURE(order);
        const auto both = values_of(size + "1,2/3,4,5" + order);
        const auto y = values_of(size + "1,2/1,2" + order), x = values_of(size + "3,4,5" + order);
        const bool is_x_first = order.find("xy") != order.npos;
        const std::size_t raw = order.find("raw") == order.npos ? 0 : 1;
        const std::size_t before = order.find("before") == order.npos ? 0 : 2;
        const std::size_t of_y = 4 + (before ? 0 : raw), of_x = 6 + (before ? 0 : raw);
        REQUIRE(both.size() == 6 * (10 + 2 * raw));
        for (std::size_t row = 0; row < 6; ++row) {
            const double* const from = &both[row * (10 + 2 * raw)] + before;
            const double* const only_y = &y[row * (8 + 2 * raw)] + before;
            const double* const only_x = &x[row * (12 + 2 * raw)] + before;
            for (std::size_t i = 0; i < of_y; ++i) {
                CHECK(from[i + (is_x_first ? of_x : 0)] == only_y[i + (is_x_first ? of_y : 0)]);
            }
            for (std::size_t i = 0; i < of_x; ++i) {
                CHECK(from[i + (is_x_first ? 0 : of_y)] == only_x[i + (is_x_first ? 0 : of_x)]);
            }
        }
    }
}

TEST_CASE("fourier: --pad-to puts zeros behind") {
    const auto values = values_of("fourier --axes x --width 2 --freqs 1 --raw after --pad-to 5");
    REQUIRE(values.size() == 10);
    CHECK(values[7] == 1);
    CHECK(values[8] == 0);
    CHECK(values[9] == 0);
}

TEST_CASE("fourier: the forms of --freqs are lists of numbers") {
    const auto of = [](const std::string& freqs) {
        return values_of("fourier --height 3 --width 5 --freqs " + freqs, DType::float64);
    };
    CHECK(of("pow2:3") == of("1,2,4"));
    CHECK(of("pow2:-1:2") == of("0.5,1,2"));
    CHECK(of("linear:1:4:4") == of("1,2,3,4"));
    CHECK(of("linear:3:1:5") == of("3,2.5,2,1.5,1"));
    CHECK(of("linear:3:9:1") == of("(3)"));
    CHECK(of("geometric:16:4") == of("1,2,4,8"));
    CHECK(of("-2,0") == of("-2,0e5"));
}

TEST_CASE("fourier: coordinates of grids") {
    const auto raw = [](const std::string& options) {
        const Table table =
            table_of("fourier --freqs 1 --raw before --height 1 " + options, DType::float64);
        std::vector<double> xs;
        for (std::int64_t i = 0; i < table.shape.rows(); ++i) {
            xs.push_back(read_rows(table, {i, 1})[1]);
        }
        return xs;
    };
    CHECK(raw("--width 5") == std::vector<double>{-1, -0.5, 0, 0.5, 1});
    CHECK(raw("--width 4 --coords linspace:0:1") == std::vector<double>{0, 1 / 3.0, 2 / 3.0, 1});
    CHECK(raw("--width 3 --coords linspace:7:-3") == std::vector<double>{7, 2, -3});
    CHECK(raw("--width 1 --coords linspace:0.3:1") == std::vector<double>{0.3});
    CHECK(raw("--width 4 --coords center:1") == std::vector<double>{-0.75, -0.25, 0.25, 0.75});
    CHECK(raw("--width 3 --coords center:2") == std::vector<double>{-4 / 3.0, 0, 4 / 3.0});
    CHECK(raw("--width 1 --coords center:2") == std::vector<double>{0});
    CHECK(raw("--width 50").back() == 1);  // not 49 * (1 / 49.0), which is less than 1
}

TEST_CASE("fourier: coordinates and frequencies of decimals are those of the formula, and 0 is 0") {
    const auto raw = [](const std::string& options) {
        const std::string command = "fourier --axes x --freqs 1 --raw before " + options;
        const std::vector<double> all = values_of(command, DType::float64);
        std::vector<double> xs;
        for (std::size_t i = 0; i < all.size(); i += 3) {
            xs.push_back(all[i]);
            CHECK(all[i + 1] == (all[i] == 0 ? 0 : all[i + 1]));
        }
        return xs;
    };
    const auto middles = raw("--width 7 --coords center:0.1");
    CHECK(middles[3] == 0);
    CHECK_FALSE(std::signbit(middles[3]));
    CHECK_FALSE(std::signbit(raw("--width 7 --coords center:-0.1")[3]));
    CHECK(middles[4] == -middles[2]);
    CHECK(raw("--width 3 --coords linspace:2:0.1").back() == 0.1);
    CHECK(raw("--width 2 --coords linspace:-1e6:1e-6").back() == 1e-6);
    // 0.7 and -0.2 as doubles, by MPFR.
    CHECK(raw("--width 19 --coords linspace:0.7:-0.2")[14] == -0x1.5555555555555p-56);
    const auto frequencies = [](const std::string& freqs) {
        return values_of("fourier --axes x --width 1 --coords linspace:1:1 --freqs " + freqs,
                         DType::float64);
    };
    CHECK(frequencies("linear:0.1:0.9:3") == frequencies("0.1,0.5,0.9"));
    CHECK(frequencies("linear:-0.1:0.1:5")[4] == 0);
    CHECK(frequencies("linear:0.1:0.3:2") == frequencies("0.1,0.3"));
    const auto random = values_of(
        "random-fourier --axes x --width 7 --coords center:0.1 --d 2 --raw before", DType::float64);
    CHECK(random[9] == 0);
    CHECK(random[10] == 0);
    CHECK(random[11] == 1);
}

TEST_CASE("fourier: coordinates are rounded once") {
    const Table table = table_of("fourier --freqs 1 --raw before --height 1 --width 1073741844");
    // 847690927 / 1073741843 = 26490341 / 2^25 + 2.8e-17: as a double it is in the middle of two
    // floats.
    CHECK(read_rows(table, {960716385, 1})[1] == 26490342 / 0x1p25);
}

TEST_CASE("fourier: --axes moves the channels, not the points") {
    const std::string grid = "fourier --depth 2 --height 3 --width 4 --freqs 1 --raw before ";
    const Table tyx = table_of(grid);
    const Table xty = table_of(grid + "--axes xty");
    CHECK(tyx.shape == Shape{24, 9});
    const std::vector<double> row = read_rows(tyx, {17, 1}), moved = read_rows(xty, {17, 1});
    CHECK(row[0] == 1);
    CHECK(row[1] == 0);
    CHECK(row[2] == static_cast<double>(-1 / 3.0F));
    for (const auto& [from, to] : {std::pair{0, 1}, {1, 2}, {2, 0}}) {
        const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
        CHECK(moved[b] == row[a]);
        CHECK(moved[3 + 2 * b] == row[3 + 2 * a]);
        CHECK(moved[3 + 2 * b + 1] == row[3 + 2 * a + 1]);
    }
}

TEST_CASE("fourier: a grid of a billion points costs nothing, any cut gives the same rows") {
    const Table wide = table_of("nerf --height 1 --width 1000000001", DType::float64);
    CHECK(read_rows(wide, {500000000, 1})[1] == 0);
    CHECK(read_rows(wide, {1000000000, 1})[1] == 1);
    CHECK(read_rows(wide, {1000000000, 1})[3] == oracle::sin_double(1, 1, 0, 1));
    // The third point from the end is at 1 - 2 * 2 / 10^9.
    CHECK(read_rows(wide, {999999998, 1})[3] == oracle::sin_double(999999996, 1e9, 1, 1));
    const Table table = table_of("nerf --height 5 --width 7");
    const std::vector<double> all = all_values(table);
    for (std::int64_t first = 0; first < 35; first += 3) {
        const std::int64_t count = std::min<std::int64_t>(3, 35 - first);
        const std::vector<double> some = read_rows(table, {first, count});
        CHECK(std::equal(some.begin(), some.end(), all.begin() + first * table.shape[1]));
    }
}

TEST_CASE("fourier: points of any number and order are read as float64 in rows") {
    const std::vector<double> numbers{0.5, -1, 2, 0.25, 3, -8};
    const std::vector<float> singles(numbers.begin(), numbers.end());
    const std::vector<double> columns{0.5, 2, 3, -1, 0.25, -8};
    const std::vector<double> values = values_at("nerf", npy_of_doubles("(3, 2)", numbers));
    CHECK(values.size() == 3 * 42);
    CHECK(values_at("nerf", npy_file("<f4", "False", "(3, 2)", bytes_of(singles))) == values);
    CHECK(values_at("nerf", npy_file("<f8", "True", "(3, 2)", bytes_of(columns))) == values);
    CHECK(values[2 * 42 + 1] == -8);
    const std::vector<std::int64_t> whole{1, -2, 300, 0};
    CHECK(values_at("nerf", npy_file("<i8", "False", "(2, 2)", bytes_of(whole))) ==
          values_at("nerf", npy_of_doubles("(2, 2)", {1, -2, 300, 0})));
}

TEST_CASE("fourier: what is no array of points is refused") {
    CHECK(refusal_of_points("", three_axes) == "accepted");
    CHECK(refusal_of_points("", npy_file("|b1", "False", "(1, 2)", "ab")) ==
          "dtype bool: points must be numbers; save points.astype(int)");
    CHECK(refusal_of_points("", npy_of_doubles("(1, 2, 1)", {1, 2})) ==
          "shape (1, 2, 1): points must be (points, axes); save points.reshape(-1, axes)");
    CHECK(refusal_of_points("", npy_of_doubles("(0, 2)", {})) ==
          "shape (0, 2): needs at least one point with one axis");
    CHECK(refusal_of_points("", npy_of_doubles("(2, 0)", {})) ==
          "shape (2, 0): needs at least one point with one axis");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(refusal_of_points("", npy_of_doubles("(2, 2)", {1, 2, 3, nan})) ==
          "points[1, 1] is nan: must be finite");
    const std::vector<std::int64_t> beyond{1, (std::int64_t{1} << 53) + 1};
    CHECK(refusal_of_points("", npy_file("<i8", "False", "(1, 2)", bytes_of(beyond))) ==
          "points[0, 1] is 9007199254740992: must be less than 2^53");
    CHECK(refusal_of_points("--height 3", three_axes) ==
          "--height 3: cannot be used with --points; leave --height out");
    CHECK(refusal_of_points("--coords center:1", three_axes) ==
          "--coords center:1: cannot be used with --points; leave --coords out");
    CHECK(refusal_of_points("", npy_of_doubles("(1, 1)", {1e30})) ==
          "--freqs, --freq-scale, the coordinates: an angle would be 5.12e+32 radians; they end at "
          "2^100");
    CHECK_THROWS_AS(refusal_of("fourier --points /nowhere/points.npy"), FileError);
    const TemporaryFolder folder;
    const std::string large = "fourier --freqs 1 --raw before --points ";
    put(folder.path("large"), npy_of_doubles("(1, 1)", {1e5}));
    CHECK(refusal_of(large + folder.path("large"), DType::float16) ==
          "--dtype float16: cannot hold the largest coordinate, 1e+05; its largest value is 65504");
}

TEST_CASE(
    "fourier: a points file is opened once; what is done to it afterwards gives no wrong rows") {
    const TemporaryFolder folder;
    const auto planned = [&](const std::string& name) {
        put(folder.path(name), npy_of_doubles("(3, 1)", {1, 2, 3}));
        const Encoding& fourier = *find_encoding("fourier");
        Parameters parameters(fourier.parameters);
        parameters.set_all("--raw before --freqs 1 --points " + folder.path(name), Origin::user);
        return plan_table(fourier, fourier.tables.front(), parameters, DType::float64);
    };
    PlannedTable replaced = planned("replaced");
    put(folder.path("other"), npy_of_doubles("(2, 1)", {7, 8}));
    std::filesystem::rename(folder.path("other"), folder.path("replaced"));
    replaced.table.rows = replaced.make_rows(ignore_progress);
    CHECK(read_rows(replaced.table, {2, 1}).front() == 3);

    const PlannedTable shortened = planned("shortened");
    put(folder.path("shortened"), npy_of_doubles("(2, 1)", {7, 8}));
    CHECK_THROWS_AS(shortened.make_rows(ignore_progress), FileError);
}

TEST_CASE("presets: Fourier features of each code base") {
    const double x = 0.25, y = -0.5;
    const std::string file = npy_of_doubles("(1, 2)", {x, y});
    const auto both = [&](const char* channel) {
        return joined({expected(x, channel), expected(y, channel)});
    };
    CHECK(values_at("nerf --freqs pow2:2", file) ==
          joined({{x, y}, both("s1 "), both("c1 "), both("s2 "), both("c2 ")}));
    CHECK(values_at("mip-nerf --freqs pow2:0:2", file) ==
          joined({{x, y}, both("s1 "), both("s2 "), both("c1 "), both("c2 ")}));
    CHECK(values_at("pytorch3d --freqs pow2:2", file) == joined({expected(x, "s1 s2 "),
                                                                 expected(y, "s1 s2 "),
                                                                 expected(x, "c1 c2 "),
                                                                 expected(y, "c1 c2 "),
                                                                 {x, y}}));
    CHECK(values_at("perceiver --freqs 1,2 --freq-scale 1", file) ==
          joined({{x, y},
                  expected(x, "s1 s2 "),
                  expected(y, "s1 s2 "),
                  expected(x, "c1 c2 "),
                  expected(y, "c1 c2 ")}));
    CHECK(values_at("timm-fourier --freqs 1,2 --freq-scale 1", file) ==
          values_at("mip-nerf --freqs 1,2", file));
    CHECK(values_at("lucidrains-perceiver --freqs 1,2 --freq-scale 1", file) ==
          joined({expected(x, "s1 s2 c1 c2 r "), expected(y, "s1 s2 c1 c2 r ")}));
    const std::vector<double> boxes = values_at("gligen", file);
    CHECK(boxes.size() == 32);
    CHECK(boxes[4 * 3 + 1] == oracle::sin_double(y, 100, -3, 8));
    CHECK(boxes[4 * 7 + 2] == oracle::cos_double(x, 100, -7, 8));
    CHECK(table_of("perceiver").shape == Shape{50176, 258});
}

TEST_CASE("fourier: --axes x is a grid of one axis") {
    const Table table = table_of("fourier --axes x --width 5 --freqs pow2:3 --raw before");
    CHECK(table.shape == Shape{5, 7});
    CHECK(table.axes[0].extents == std::vector<std::int64_t>{5});
    // The x axis of a grid of one row, whose y axis is a single point.
    const auto values = all_values(table);
    const auto grid = values_of("fourier --height 1 --width 5 --freqs pow2:3 --raw before");
    for (std::size_t row = 0; row < 5; ++row) {
        CHECK(values[row * 7] == grid[row * 14 + 1]);
        for (std::size_t j = 0; j < 6; ++j)
            CHECK(values[row * 7 + 1 + j] == grid[row * 14 + 8 + j]);
    }
}

TEST_CASE("fourier: logspace has both ends and equal ratios between") {
    const auto by_ends = values_of("fourier --axes x --width 5 --freqs logspace:1:8:4");
    CHECK(by_ends == values_of("fourier --axes x --width 5 --freqs pow2:4"));
    CHECK(values_of("fourier --axes x --width 5 --freqs logspace:3:7:1") ==
          values_of("fourier --axes x --width 5 --freqs (3)"));
}

TEST_CASE("fourier: frequencies may be expressions, and quotients in parentheses are exact") {
    const std::string command = "fourier --axes x --width 7 --coords linspace:0:6 --freqs ";
    const auto exact = values_of(command + "(1/3),1", DType::float64);
    const auto thirds = values_of(command + "linear:0:1:4", DType::float64);
    for (std::size_t row = 0; row < 7; ++row) {
        CHECK(exact[row * 4] == thirds[row * 8 + 2]);
        CHECK(exact[row * 4 + 1] == thirds[row * 8 + 3]);
    }
    CHECK(values_of(command + "2*pi") == values_of(command + "(2) --freq-scale pi"));
    CHECK(table_of("fourier --freqs (1/3)/(2/3),1").shape.columns() == 6);
}
