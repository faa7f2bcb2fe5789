#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "recognition/identify/negative_arrays.h"

namespace pegen::trials {
namespace {

double real(std::int64_t number) { return static_cast<double>(number); }

/// Changes each row of an array in the same way.
template <class Change>
Array by_rows(Array array, const Change& change) {
    for (std::int64_t row = 0; row < array.rows(); ++row) {
        const auto first = array.values.begin() + row * array.columns();
        change(std::span(first, array.columns()));
    }
    return array;
}

Array noise(Negatives& all, std::int64_t rows, std::int64_t columns) {
    return {{rows, columns}, DType::float32, all.normals(rows * columns)};
}

void add_embeddings(Negatives& all) {
    const Array words = noise(all, 60, 8), mix = noise(all, 8, 32);
    all.add("embeddings of words", 60, 32, [&](auto row, auto column) {
        double sum = 0.02 * all.normal();
        for (std::int64_t k = 0; k < 8; ++k) sum += words.at(row, k) * mix.at(k, column);
        return sum / std::sqrt(1 + real(row));
    });
    all.add("centres of clusters", 32, 16, [&](auto, auto column) {
        double sum = 0;
        for (int i = 0; i < 20; ++i) sum += all.normal() + real(column % 3);
        return sum / 20;
    });
    all.add("unit vectors", by_rows(noise(all, 40, 24), [](std::span<double> row) {
                const double length =
                    std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
                for (double& value : row) value /= length;
            }));
    all.add("attention weights", by_rows(noise(all, 32, 32), [](std::span<double> row) {
                double sum = 0;
                for (double& value : row) sum += value = std::exp(value);
                for (double& value : row) value /= sum;
            }));
    const std::vector<double> weights = all.normals(24);
    all.add("equal rows", 40, 24, [&](auto, auto column) { return weights[column]; });
    all.add("equal columns", 24, 40, [&](auto row, auto) { return weights[row]; });
    all.add("two rows in turn", 40, 24,
            [&](auto row, auto column) { return weights[column] * real(row % 2); });
    const Array table = array_of(made_by(command_of("sinusoid --len 50 --d 32")));
    const Array left = noise(all, 50, 2), right = noise(all, 2, 32);
    all.add("a sinusoid and a trained change", 50, 32, [&](auto row, auto column) {
        return table.at(row, column) + 0.05 * (left.at(row, 0) * right.at(0, column) +
                                               left.at(row, 1) * right.at(1, column));
    });
    const Array rotated = array_of(made_by(command_of("alibi --heads 1 --len 24")));
    all.add("alibi and noise of 2%", 24, 24, [&](auto row, auto column) {
        return rotated.at(row, column) * (1 + 0.02 * all.normal());
    });
}

void add_orders(Negatives& all) {
    Array sorted = noise(all, 1, 400);
    std::ranges::sort(sorted.values);
    all.add("sorted noise", sorted);
    sorted.extents = {40, 10};
    all.add("sorted noise as a matrix", sorted);
    all.add("noise sorted in each row",
            by_rows(noise(all, 30, 24), [](std::span<double> row) { std::ranges::sort(row); }));
    all.add("sums of noise", by_rows(noise(all, 8, 64), [](std::span<double> row) {
                std::partial_sum(row.begin(), row.end(), row.begin());
            }));
    all.add("times of events", 1, 200,
            [&, time = 0.0](auto, auto) mutable { return time -= std::log(all.uniform(1e-9, 1)); });
    Array ranks{{30, 16}, DType::int64, {}};
    for (int row = 0; row < 30; ++row) {
        std::vector<double> order(16);
        std::iota(order.begin(), order.end(), 0.0);
        std::ranges::shuffle(order, all.random);
        ranks.values.insert(ranks.values.end(), order.begin(), order.end());
    }
    all.add("a permutation in each row", ranks);
    all.add("quantiles", 1, 200,
            [](auto, auto i) { return std::log((real(i) + 0.5) / (199.5 - real(i))); });
}

void add_counts(Negatives& all) {
    for (const DType dtype : {DType::int64, DType::float32}) {
        const std::string_view format = info(dtype).name;
        all.add(
            fmt::format("counts of {}", format), 40, 16,
            [&](auto, auto column) {
                return real(std::poisson_distribution<std::int64_t>(1 + real(column))(all.random));
            },
            dtype);
        all.add(
            fmt::format("tokens of {}", format), 8, 64,
            [&](auto, auto) { return std::floor(std::exp(all.uniform(0, 10.8))); }, dtype);
        all.add(
            fmt::format("squares of {}", format), 1, 80, [](auto, auto i) { return real(i * i); },
            dtype);
        all.add(
            fmt::format("triangular numbers of {}", format), 1, 80,
            [](auto, auto i) { return real(i * (i + 1) / 2); }, dtype);
        all.add(
            fmt::format("divisors of {}", format), 24, 24,
            [](auto row, auto column) { return (row + 1) % (column + 1) == 0 ? 1 : 0; }, dtype);
        all.add(
            fmt::format("greatest common divisors of {}", format), 24, 24,
            [](auto row, auto column) { return real(std::gcd(row + 1, column + 1)); }, dtype);
        all.add(
            fmt::format("larger of row and column of {}", format), 24, 24,
            [](auto row, auto column) { return real(std::max(row, column)); }, dtype);
        all.add(
            fmt::format("Gray codes of {}", format), 64, 6,
            [](auto row, auto bit) { return real((row ^ (row >> 1)) >> bit & 1); }, dtype);
        all.add(
            fmt::format("parities of {}", format), 32, 5,
            [](auto row, auto bit) { return real((3 * row + 1) >> bit & 1); }, dtype);
    }
    all.add("powers of 0.9", 1, 64, [](auto, auto i) { return std::pow(0.9, real(i)); });
    all.add("reciprocals", 1, 64, [](auto, auto i) { return 1 / real(i + 1); });
    all.add("logarithms", 1, 64, [](auto, auto i) { return std::log(real(i + 1)); });
    all.add("square roots", 1, 64, [](auto, auto i) { return std::sqrt(real(i)); });
    all.add("zeros and ones by chance, one in ten", 40, 30,
            [&](auto, auto) { return all.uniform() < 0.1 ? 1 : 0; });
}

void add_pictures_of_things(Negatives& all) {
    all.add("a gradient and noise", 32, 32, [&](auto y, auto x) {
        return std::floor(4 * real(y) + 3 * real(x) + 5 * all.uniform());
    });
    all.add(
        "salt and pepper", 32, 32,
        [&](auto, auto) {
            const double u = all.uniform();
            return u < 0.1 ? 0 : u > 0.9 ? 255 : 128;
        },
        DType::uint8);
    all.add("a disc", 32, 32,
            [](auto y, auto x) { return (y - 15) * (y - 15) + (x - 17) * (x - 17) < 100 ? 1 : 0; });
    all.add("a correlation matrix of noise", 24, 24,
            [&, columns = noise(all, 24, 50)](auto a, auto b) {
                double sum = 0;
                for (std::int64_t i = 0; i < 50; ++i) sum += columns.at(a, i) * columns.at(b, i);
                return sum / 50;
            });
}

}  // namespace

void add_data(Negatives& all) {
    add_embeddings(all);
    add_orders(all);
    add_counts(all);
    add_pictures_of_things(all);
}

}  // namespace pegen::trials
