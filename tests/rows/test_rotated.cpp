#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "core/dtype.h"
#include "encodings/table_of.h"
#include "numerics/sinusoid.h"
#include "rows/kept.h"
#include "rows/rotated.h"

using namespace pegen;
using rows::Pairing;
using rows::Rotation;

namespace {

/// The values, rounded to `dtype`.
Table array(Shape shape, std::vector<double> values, DType dtype = DType::float64) {
    Table table;
    table.dtype = dtype;
    table.shape = std::move(shape);
    table.rows = rounded(rows::kept_rows(std::move(values), table.shape.columns()), dtype);
    return table;
}

Table random_array(const Shape& shape, DType dtype = DType::float64) {
    std::mt19937_64 draw(1);
    std::vector<double> values(shape.size());
    for (double& value : values) value = std::normal_distribution<>()(draw);
    return array(shape, values, dtype);
}

/// Returns a rotation whose cosines and sines are multiplied by `factor`, like an attention factor.
Rotation rotation(const Positions& positions, std::int64_t pairs, Pairing pairing,
                  double factor = 1) {
    const numerics::Frequencies omega(
        numerics::GeometricProgression{10000, 2, 2 * pairs, 0, 1, pairs});
    const auto waves = [&](numerics::Function function) {
        return numerics::sinusoid_rows(positions, omega, numerics::only(function, pairs), factor,
                                       DType::float64);
    };
    return {.cos = waves(numerics::Function::cos),
            .sin = waves(numerics::Function::sin),
            .pairing = pairing};
}

Table turned(Table x, const Rotation& rotation, DType dtype) {
    x.rows = rows::rotated(x.rows, rotation, dtype);
    x.dtype = dtype;
    return x;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    REQUIRE(a.size() == b.size());
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::fabs(a[i] - b[i]));
    }
    return largest;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

TEST_CASE("rotated: a quarter turn takes x to y and y to -x, in either pairing") {
    const auto quarter = [](double value) {
        return rounded(
            {[=](RowRange, std::span<double> out) { std::ranges::fill(out, value); }, 1, 2},
            DType::float64);
    };
    Rotation turn{.cos = quarter(0), .sin = quarter(1), .pairing = Pairing::half};
    const Table x = array({1, 5}, {1, 2, 3, 4, 5});
    CHECK(all_values(turned(x, turn, DType::float64)) == std::vector<double>{-3, -4, 1, 2, 5});
    turn.pairing = Pairing::interleaved;
    CHECK(all_values(turned(x, turn, DType::float64)) == std::vector<double>{-2, 1, -4, 3, 5});
    turn.is_inverse = true;
    CHECK(all_values(turned(x, turn, DType::float32)) == std::vector<double>{2, -1, 4, -3, 5});
}

TEST_CASE("rotated: every value is the formula's in double, rounded once, for any range of rows") {
    const Positions positions(3, 1, 7);
    for (const Pairing pairing : {Pairing::half, Pairing::interleaved}) {
        const Rotation turn = rotation(positions, 5, pairing);
        for (const DType dtype :
             {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
            const Table x = random_array({2, 3, 7, 13}, dtype);
            const std::vector<double> values = all_values(x);
            std::vector<double> expected = values;
            for (std::size_t row = 0; row < 42; ++row) {
                for (std::size_t m = 0; m < 5; ++m) {
                    const double angle = positions[static_cast<std::int64_t>(row % 7)] *
                                         std::pow(10000.0, -2.0 * static_cast<double>(m) / 10);
                    const std::size_t a = row * 13 + (pairing == Pairing::half ? m : 2 * m);
                    const std::size_t b = pairing == Pairing::half ? a + 5 : a + 1;
                    const double cos = std::cos(angle), sin = std::sin(angle);
                    expected[a] = values[a] * cos - values[b] * sin;
                    expected[b] = values[a] * sin + values[b] * cos;
                }
            }
            const double ulp = dtype == DType::float64    ? 0x1p-50
                               : dtype == DType::float32  ? 0x1p-23
                               : dtype == DType::bfloat16 ? 0x1p-7
                                                          : 0x1p-10;
            const Table y = turned(x, turn, dtype);
            CHECK(largest_difference(all_values(y), expected) < 2 * ulp);
            const std::vector<double> part = read_rows(y, {12, 5});
            const std::vector<double> all = all_values(y);
            CHECK(std::equal(part.begin(), part.end(), all.begin() + 12 * 13));
        }
    }
}

TEST_CASE("rotated: another dtype is rounded from the same doubles") {
    const Table x = random_array({9, 6}, DType::float32);
    const Rotation turn = rotation(Positions(0, 1, 9), 3, Pairing::half);
    const std::vector<double> exact = all_values(turned(x, turn, DType::float64));
    const std::vector<double> halves = all_values(turned(x, turn, DType::float16));
    for (std::size_t i = 0; i < exact.size(); ++i) {
        CHECK(halves[i] == widen(round_to<float16>(exact[i])));
    }
}

TEST_CASE("rotated: arrays of 16 bits are rounded once, ties and small values, too") {
    for (const DType dtype : {DType::float16, DType::bfloat16}) {
        // Position 0 leaves values as they are; with 30,000 rows, ties are likely at the other
        // positions.
        const Table x = random_array({30'000, 9}, dtype);
        for (const Pairing pairing : {Pairing::half, Pairing::interleaved}) {
            const Rotation turn = rotation(Positions(0, 1, 15), 4, pairing);
            const std::vector<double> exact = all_values(turned(x, turn, DType::float64));
            const std::vector<double> values = all_values(turned(x, turn, dtype));
            std::vector<double> rounded(exact.size());
            for (std::size_t i = 0; i < exact.size(); ++i) {
                rounded[i] = dtype == DType::float16 ? widen(round_to<float16>(exact[i]))
                                                     : widen(round_to<bfloat16>(exact[i]));
            }
            CHECK(values == rounded);
        }
    }
}

TEST_CASE("rotated: norms stay, and a dot product depends on the distance alone") {
    const Rotation turn = rotation(Positions(0, 1, 50), 8, Pairing::interleaved);
    const std::vector<double> q = all_values(random_array({1, 16}));
    const std::vector<double> k(q.rbegin(), q.rend());
    const auto repeated = [](const std::vector<double>& row) {
        std::vector<double> rows;
        for (int i = 0; i < 50; ++i) rows.insert(rows.end(), row.begin(), row.end());
        return array({50, 16}, rows);
    };
    const Table queries = turned(repeated(q), turn, DType::float64);
    const Table keys = turned(repeated(k), turn, DType::float64);
    for (const std::int64_t p : {1, 17, 49}) {
        const std::vector<double> row = read_rows(queries, {p, 1});
        CHECK(dot(row, row) == doctest::Approx(dot(q, q)).epsilon(1e-14));
    }
    const double at_distance_7 = dot(read_rows(queries, {7, 1}), read_rows(keys, {0, 1}));
    for (const std::int64_t p : {1, 20, 42}) {
        CHECK(dot(read_rows(queries, {p + 7, 1}), read_rows(keys, {p, 1})) ==
              doctest::Approx(at_distance_7).epsilon(1e-13));
    }
}

TEST_CASE("rotated: the inverse undoes, with and without a factor") {
    const Table x = random_array({2, 40, 12});
    for (const double factor : {1.0, 1.25}) {
        for (const Pairing pairing : {Pairing::half, Pairing::interleaved}) {
            Rotation turn = rotation(Positions(0, 1, 40), 4, pairing, factor);
            const Table y = turned(x, turn, DType::float64);
            turn.is_inverse = true;
            CHECK(largest_difference(all_values(turned(y, turn, DType::float64)), all_values(x)) <
                  2e-15);
        }
    }
}

TEST_CASE("rotated: angles that are not kept are the same") {
    // All positions together have more than 2^24 values, too many to cache.
    const std::int64_t len = 3 << 20, pairs = 4;
    const Rotation large = rotation(Positions(0, 1, len), pairs, Pairing::half);
    const Table x = random_array({1, 8});
    Table many = x;
    many.shape = {2, len, 8};
    many.rows = rows_like(many, [row = x.rows](RowRange range, std::span<std::byte> out) {
        for (std::int64_t i = 0; i < range.count; ++i) row({0, 1}, out.subspan(i * 64, 64));
    });
    const Rotation small = rotation(Positions(len - 3, 1, 3), pairs, Pairing::half);
    Table few = many;
    few.shape = {3, 8};
    const std::vector<double> rows =
        read_rows(turned(many, large, DType::float64), {2 * len - 3, 3});
    CHECK(rows == all_values(turned(few, small, DType::float64)));
}

// huggingface/transformers, apply_rotary_pos_emb of models/llama/modeling_llama.py and of
// models/gptj/modeling_gptj.py, with base 10000, in float32. After torch.manual_seed(1234),
// q = torch.randn(2, 6, 16) and k = torch.randn(2, 6, 16).
TEST_CASE("rotated: queries and keys of LLaMA and GPT-J are those of transformers") {
    const std::vector<double> drawn = values_of("learned --len 24 --d 16 --seed 1234");
    const std::vector<double> first(drawn.begin(), drawn.begin() + 192);
    const Table q = array({2, 6, 16}, first, DType::float32);
    const Table k = array({2, 6, 16}, {drawn.begin() + 192, drawn.end()}, DType::float32);
    const Positions positions(0, 1, 6);
    const Rotation halves = rotation(positions, 8, Pairing::half);
    const Rotation neighbours = rotation(positions, 8, Pairing::interleaved);
    const auto row = [](const Table& x, const Rotation& turn, std::int64_t index) {
        return read_rows(turned(x, turn, DType::float32), {index, 1});
    };
    CHECK(largest_difference(
              row(q, halves, 5),
              {0.856801152, 1.41727996, -0.489150017, -0.594198942, 0.416443914, 0.245693371,
               -0.239644021, 0.203659371, 0.106696263, -0.679065585, -0.389266014, -0.906681359,
               0.29826051, 2.56413221, -1.69639468, 0.188856378}) < 4e-7);
    CHECK(largest_difference(
              row(k, halves, 11),
              {-1.38400364, 1.43444049, -0.00488817692, 1.6250596, 2.70038629, -0.313068956,
               -0.133353397, -0.62420541, -0.362931132, -0.255704641, 2.40792418, -0.941161513,
               1.34081709, -0.358512282, 0.340822935, 1.31975961}) < 4e-7);
    CHECK(largest_difference(
              row(q, neighbours, 11),
              {-0.601161718, -0.294930369, 0.748053908, -0.616609395, 0.438061476, -0.0880227685,
               -0.803435326, 0.76740104, 0.709145188, 0.257203013, -0.28731057, 0.856791496,
               -0.0714846477, 2.10698104, -0.995226145, 1.40645468}) < 4e-7);
}
