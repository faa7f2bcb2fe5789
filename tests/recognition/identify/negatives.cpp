#include "recognition/identify/negatives.h"

#include <fmt/format.h>
#include <math.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "recognition/identify/negative_arrays.h"

namespace pegen::trials {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Array made(std::string_view command) { return array_of(made_by(command_of(command))); }

Array combined(const Array& a, const Array& b, double (*of)(double, double)) {
    Array result = a;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        result.values[i] = of(a.values[i], b.values[i]);
    }
    return result;
}

/// Makes the rows of a square array orthonormal.
void orthogonalise(Array& array) {
    for (std::int64_t row = 0; row < array.rows(); ++row) {
        const auto product = [&](std::int64_t other) {
            double sum = 0;
            for (std::int64_t i = 0; i < array.columns(); ++i) {
                sum += array.at(row, i) * array.at(other, i);
            }
            return sum;
        };
        for (std::int64_t other = 0; other < row; ++other) {
            const double part = product(other);
            for (std::int64_t i = 0; i < array.columns(); ++i) {
                array.at(row, i) -= part * array.at(other, i);
            }
        }
        const double length = std::sqrt(product(row));
        for (std::int64_t i = 0; i < array.columns(); ++i) array.at(row, i) /= length;
    }
}

void add_noise(Negatives& all) {
    for (const DType dtype : {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
        all.add(
            fmt::format("normal noise of {}", info(dtype).name), 40, 32,
            [&](auto, auto) { return all.normal(); }, dtype);
    }
    all.add("normal noise of deviation 0.02", 64, 48,
            [&](auto, auto) { return 0.02 * all.normal(); });
    all.add("uniform noise", 40, 32, [&](auto, auto) { return all.uniform(-1, 1); });
    all.add("uniform noise from 0 to 1", 20, 64, [&](auto, auto) { return all.uniform(); });
    all.add("Laplace noise", 40, 32, [&](auto, auto) {
        const double u = all.uniform(-0.5, 0.5);
        return -std::copysign(std::log(1 - 2 * std::abs(u)), u);
    });
    all.add("Cauchy noise", 40, 32,
            [&](auto, auto) { return std::tan(pi * all.uniform(-0.49, 0.49)); });
    all.add("sums of twelve uniform numbers", 40, 32, [&](auto, auto) {
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += all.uniform();
        return sum;
    });
    all.add("truncated normal noise", 30, 24,
            [&](auto, auto) { return 0.02 * std::clamp(all.normal(), -2.0, 2.0); });
    all.add("sines of uniform angles", 40, 32,
            [&](auto, auto) { return std::sin(all.uniform(0, 2 * pi)); });
    all.add("points on circles at random angles", 40, 32,
            [&, angle = 0.0](auto, auto column) mutable {
                if (column % 2 == 0) angle = all.uniform(0, 2 * pi);
                return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
            });
    all.add("exponential noise", 40, 32,
            [&](auto, auto) { return -std::log(all.uniform(1e-9, 1)); });
}

void add_walks(Negatives& all) {
    all.add("random walk down the columns", 60, 16,
            [&, sums = std::vector<double>(16)](auto, auto column) mutable {
                return sums[column] += 0.1 * all.normal();
            });
    all.add("random walk along the rows", 30, 40, [&, sum = 0.0](auto, auto column) mutable {
        if (column == 0) sum = 0;
        return sum += 0.1 * all.normal();
    });
    all.add("moving averages of noise", 60, 16,
            [&, last = std::vector<double>(16)](auto, auto column) mutable {
                double& value = last[column];
                return value = 0.9 * value + 0.1 * all.normal();
            });
    all.add("sums of noise and a ramp", 60, 16,
            [&](auto row, auto) { return 0.01 * static_cast<double>(row) + 0.1 * all.normal(); });
    const std::vector<double> a = all.normals(60), b = all.normals(32);
    all.add("a matrix of rank 1", 60, 32,
            [&](auto row, auto column) { return a[row] * b[column]; });
    all.add("sums of a row and a column", 60, 32,
            [&](auto row, auto column) { return a[row] + b[column]; });
    std::vector<std::vector<double>> left, right;
    for (int i = 0; i < 4; ++i) {
        left.push_back(all.normals(60));
        right.push_back(all.normals(32));
    }
    all.add("a trained table: rank 4 and noise", 60, 32, [&](auto row, auto column) {
        double sum = 0.01 * all.normal();
        for (std::size_t i = 0; i < 4; ++i) sum += left[i][row] * right[i][column];
        return 0.05 * sum;
    });
}

void add_pictures(Negatives& all) {
    const auto square = [](std::int64_t x) { return static_cast<double>(x * x); };
    all.add("a blob", 32, 32,
            [=](auto y, auto x) { return std::exp(-(square(y - 16) + square(x - 12)) / 60); });
    all.add("rings", 32, 32,
            [=](auto y, auto x) { return std::sin(std::sqrt(square(y - 15) + square(x - 16))); });
    all.add("a checkerboard", 24, 24,
            [](auto y, auto x) { return static_cast<double>((y / 3 + x / 3) % 2); });
    all.add("a plane", 32, 32, [](auto y, auto x) {
        return 0.031 * static_cast<double>(y) + 0.017 * static_cast<double>(x);
    });
    all.add("a saddle", 32, 32,
            [](auto y, auto x) { return 0.01 * static_cast<double>((y - 16) * (x - 16)); });
    all.add(
        "gray levels", 32, 32, [&](auto, auto) { return static_cast<double>(all.random() % 256); },
        DType::uint8);
    all.add(
        "a multiplication table", 20, 20,
        [](auto y, auto x) { return static_cast<double>((y + 1) * (x + 1)); }, DType::int64);
    all.add("distances in a plane", 30, 30,
            [=](auto y, auto x) { return std::sqrt(square(y) + square(x)); });
}

void add_matrices(Negatives& all) {
    Array random{{32, 32}, DType::float32, all.normals(32 * 32)};
    orthogonalise(random);
    all.add("a random orthogonal matrix", random);
    all.add("the discrete cosine transform", 32, 32, [](auto k, auto n) {
        const double scale = std::sqrt((k == 0 ? 1.0 : 2.0) / 32);
        return scale * std::cos(pi / 32 * (static_cast<double>(n) + 0.5) * static_cast<double>(k));
    });
    all.add("the discrete sine transform", 31, 31, [](auto k, auto n) {
        return std::sqrt(2.0 / 32) * std::sin(pi / 32 * static_cast<double>((n + 1) * (k + 1)));
    });
    all.add("the Hartley transform", 30, 30, [](auto k, auto n) {
        const double angle = 2 * pi / 30 * static_cast<double>(k * n);
        return (std::cos(angle) + std::sin(angle)) / std::sqrt(30.0);
    });
    all.add("a Hadamard matrix", 32, 32, [](auto y, auto x) {
        return std::popcount(static_cast<std::uint64_t>(y & x)) % 2 == 0 ? 1.0 : -1.0;
    });
    all.add("the identity", 32, 32, [](auto y, auto x) { return y == x ? 1.0 : 0.0; });
    all.add("the exchange matrix", 32, 32, [](auto y, auto x) { return y + x == 31 ? 1.0 : 0.0; });
    all.add("a Hilbert matrix", 24, 24,
            [](auto y, auto x) { return 1 / static_cast<double>(y + x + 1); });
    all.add("a Vandermonde matrix", 20, 12, [](auto y, auto x) {
        return std::pow(static_cast<double>(y) / 20, static_cast<double>(x));
    });
    all.add("Pascal's triangle", 16, 16,
            [rows = std::vector<std::vector<double>>(16)](auto y, auto x) mutable {
                auto& row = rows[y];
                const bool is_edge = y == 0 || x == 0;
                row.push_back(is_edge ? 1 : row.back() + rows[y - 1][x]);
                return row.back();
            });
    all.add("a causal mask", 32, 32,
            [](auto y, auto x) { return x > y ? -std::numeric_limits<double>::infinity() : 0.0; });
    all.add("Legendre polynomials", 40, 12, [](auto row, auto degree) {
        const double x = static_cast<double>(row) / 20 - 1;
        double value = 1, before = 0;
        for (std::int64_t k = 0; k < degree; ++k) {
            const auto order = static_cast<double>(k);
            before =
                std::exchange(value, ((2 * order + 1) * x * value - order * before) / (order + 1));
        }
        return value;
    });
    const std::vector<double> diagonals = all.normals(63);
    all.add("a random Toeplitz matrix", 32, 32,
            [&](auto y, auto x) { return diagonals[x - y + 31]; });
}

void add_waves(Negatives& all) {
    const auto real = [](std::int64_t number) { return static_cast<double>(number); };
    all.add("chirps", 80, 16, [=](auto row, auto column) {
        return std::sin(0.001 * real(column + 1) * real(row) * real(row));
    });
    all.add("sawtooth waves", 80, 16,
            [=](auto row, auto column) { return std::fmod(real(row) / (3 + real(column)), 1.0); });
    all.add("square waves", 80, 16, [=](auto row, auto column) {
        return std::sin(real(row) / (1 + real(column))) < 0 ? -1.0 : 1.0;
    });
    all.add("triangle waves", 80, 16, [=](auto row, auto column) {
        return std::asin(std::sin(real(row) / (1 + real(column))));
    });
    all.add("damped waves", 80, 16, [=](auto row, auto column) {
        return std::exp(-0.03 * real(row)) * std::sin(real(row) / (1 + real(column)));
    });
    all.add("products of waves", 80, 16, [=](auto row, auto column) {
        const double frequency = std::pow(10000.0, -real(column) / 16);
        return std::sin(real(row) * frequency) * std::cos(1.3 * real(row) * frequency);
    });
    const std::vector<double> phases = all.normals(16), frequencies = all.normals(16);
    all.add("waves of random frequencies and phases", 80, 16, [=](auto row, auto column) {
        const std::size_t i = column;
        return std::sin(frequencies[i] * real(row) + 3 * phases[i]);
    });
    all.add("clipped waves", 80, 16, [=](auto row, auto column) {
        return std::clamp(std::sin(real(row) / (1 + real(column))), -0.7, 0.7);
    });
    all.add("waves with a third harmonic", 80, 16, [=](auto row, auto column) {
        const double angle = real(row) / (1 + real(column));
        return std::sin(angle) + 0.2 * std::sin(3 * angle);
    });
    all.add("Bessel functions", 80, 8,
            [=](auto row, auto column) { return jn(static_cast<int>(column), 0.3 * real(row)); });
    all.add("Gaussian windows", 60, 16, [=](auto row, auto column) {
        const double apart = real(row) - 4 * real(column);
        return std::exp(-apart * apart / 30);
    });
    all.add("hyperbolic tangents", 60, 16, [=](auto row, auto column) {
        return std::tanh((real(row) - 30) / (1 + real(column)));
    });
}

void add_integers(Negatives& all) {
    for (const DType dtype : {DType::int64, DType::int32, DType::float32}) {
        all.add(
            fmt::format("random integers of {}", info(dtype).name), 24, 24,
            [&](auto, auto) { return static_cast<double>(all.random() % 32); }, dtype);
    }
    all.add("one-hot rows", 40, 20, [&, hot = std::int64_t{0}](auto, auto column) mutable {
        if (column == 0) hot = static_cast<std::int64_t>(all.random() % 20);
        return column == hot ? 1.0 : 0.0;
    });
    all.add("random bits", 64, 8,
            [&](auto, auto) { return static_cast<double>(all.random() % 2); });
    all.add("random signs", 64, 8, [&](auto, auto) { return all.random() % 2 == 0 ? 1.0 : -1.0; });
    all.add(
        "remainders", 32, 24,
        [](auto y, auto x) { return static_cast<double>((7 * y + 5 * x) % 23); }, DType::int64);
    Array permutation{{200}, DType::int64, {}};
    for (int i = 0; i < 200; ++i) permutation.values.push_back(i);
    std::ranges::shuffle(permutation.values, all.random);
    all.add("a permutation", permutation);
}

void add_nothings(Negatives& all) {
    for (const double value : {0.0, 1.0, nan, std::numeric_limits<double>::infinity(), 0.02}) {
        all.add(fmt::format("all {}", value), 30, 16, [=](auto, auto) { return value; });
    }
    all.add("a single value", {{1}, DType::float32, {0.7}});
    all.add("two values", {{2}, DType::float32, {0.0, 1.0}});
    all.add("an array without axes", {{}, DType::float32, {1.0}});
    all.add("half of it NaN", 30, 16,
            [&](auto, auto column) { return column % 2 == 0 ? nan : all.normal(); });
    all.add("zeros with one 1", 30, 16,
            [](auto y, auto x) { return y == 3 && x == 4 ? 1.0 : 0.0; });
    all.add("huge and tiny numbers", 30, 16,
            [&](auto, auto) { return std::exp2(all.uniform(-120, 120)); });
    all.add("subnormal noise", 30, 16, [&](auto, auto) { return 1e-41 * all.normal(); });
}

void add_combinations(Negatives& all) {
    const auto sum = [](double a, double b) { return a + b; };
    const auto product = [](double a, double b) { return a * b; };
    const Array waves = made("sinusoid --len 40 --d 32");
    all.add("sinusoid + learned", combined(waves, made("learned --len 40 --d 32"), sum));
    all.add("sinusoid of two bases, added",
            combined(waves, made("sinusoid --len 40 --d 32 --base 100"), sum));
    all.add("sinusoid x rope", combined(waves, made("rope --len 40 --d 32"), product));
    all.add("two learned tables, added", combined(made("learned --len 40 --d 32"),
                                                  made("learned --len 40 --d 32 --seed 1"), sum));
    all.add("sinusoid, squared", combined(waves, waves, product));
    all.add("alibi + swin's noise", combined(made("alibi --heads 4 --len 20"),
                                             made("t5 --heads 4 --len 20 --table bias"), sum));
    Array averaged = waves;
    for (double& value : averaged.values) value = 0.5 * value + 0.05 * all.normal();
    all.add("a sinusoid after training", averaged);
    Array first_half = waves;
    const Array other = made("sinusoid --len 40 --d 32 --base 100");
    std::copy_n(other.values.begin(), other.values.size() / 2, first_half.values.begin());
    all.add("rows of two bases", first_half);
}

}  // namespace

std::vector<Trial> all_negatives(Random& random) {
    Negatives all{random};
    add_noise(all);
    add_walks(all);
    add_pictures(all);
    add_matrices(all);
    add_waves(all);
    add_integers(all);
    add_nothings(all);
    add_combinations(all);
    add_functions_of_distance(all);
    add_signals(all);
    add_data(all);
    return std::move(all.trials);
}

}  // namespace pegen::trials
