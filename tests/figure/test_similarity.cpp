#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "core/error.h"
#include "core/parallel.h"
#include "encodings/table_of.h"
#include "figure/fake_table.h"
#include "figure/similarity.h"

using namespace pegen;

namespace {

using Values = std::vector<double>;

/// Values without structure, of both signs and many magnitudes.
double noise(std::int64_t row, std::int64_t column) {
    const double place = static_cast<double>(row) * 12.9898 + static_cast<double>(column) * 78.233;
    return std::sin(place) * std::exp(3 * std::cos(7 * place));
}

/// Returns the sum of the products, added one after the other.
double dot(const Values& values, std::size_t d, std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < d; ++k) sum += values[i * d + k] * values[j * d + k];
    return sum;
}

/// Returns `table`, which now counts the rows that are read.
Table counted(Table table, std::shared_ptr<std::atomic<std::int64_t>> rows_read) {
    table.rows =
        rows_like(table, [=, source = table.rows](RowRange range, std::span<std::byte> out) {
            *rows_read += range.count;
            source(range, out);
        });
    return table;
}

/// The matrix of the sinusoidal encoding depends on the offset only:
/// sin a sin b + cos a cos b = cos(a - b).
double sum_of_cosines(double offset, int d) {
    double sum = 0;
    for (int j = 0; j < d / 2; ++j) sum += std::cos(offset * std::pow(10000.0, -2.0 * j / d));
    return sum;
}

std::string refusal_of(const Table& table) {
    try {
        similarity(table);
    } catch (const UsageError& error) {
        CHECK_THROWS_WITH_AS(dot_products_by_offset(table), error.what(), UsageError);
        return error.what();
    }
    return "accepted";
}

bool same_bits(const Values& a, const Values& b) {
    return std::ranges::equal(a, b, {}, std::bit_cast<std::uint64_t, double>,
                              std::bit_cast<std::uint64_t, double>);
}

}  // namespace

TEST_CASE("similarity: dot products of the rows") {
    const Table table = similarity(::table_of("index --len 3"));
    CHECK(all_values(table) == Values{0, 0, 0, 0, 1, 2, 0, 2, 4});
    CHECK(all_values(similarity(pegen::table_of({{1, 2}, {3, 4}, {-5, 6}}))) ==
          Values{5, 11, 7, 11, 25, 9, 7, 9, 61});
}

TEST_CASE("similarity: is a table of positions by positions") {
    const Table table = similarity(table_from(5, 3, noise));
    CHECK(table.shape == Shape{5, 5});
    CHECK(table.dtype == DType::float64);
    REQUIRE(table.axes.size() == 2);
    for (const Axis& axis : table.axes) {
        CHECK(axis.name == "position");
        CHECK(axis.label == "Sequence Position(max_len)");
    }
    CHECK(table.title == "Positional Encoding");
    CHECK(table.value_label == "Dot Product");
}

TEST_CASE("similarity: each value is its sum in order, whatever the size") {
    for (const Shape& shape : {Shape{1, 1}, {3, 2}, {8, 8}, {9, 257}, {70, 513}, {133, 300}}) {
        CAPTURE(to_string(shape));
        const auto rows = static_cast<std::size_t>(shape[0]);
        const auto columns = static_cast<std::size_t>(shape[1]);
        const Table table = table_from(shape[0], shape[1], noise);
        const Values values = all_values(table);
        const Values products = all_values(similarity(table));
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < rows; ++j) {
                REQUIRE(products[i * rows + j] == dot(values, columns, i, j));
                REQUIRE(products[i * rows + j] == products[j * rows + i]);
            }
        }
    }
}

TEST_CASE("similarity: rows are the same however they are cut") {
    const Table table = similarity(table_from(150, 40, noise));
    const Values whole = all_values(table);
    for (const RowRange range : {RowRange{0, 1}, {149, 1}, {5, 3}, {61, 66}, {70, 80}}) {
        CAPTURE(range.first);
        CHECK(same_bits(read_rows(table, range),
                        {whole.begin() + range.first * 150,
                         whole.begin() + (range.first + range.count) * 150}));
    }
}

TEST_CASE("similarity: that of sinusoids depends on their offset") {
    const std::size_t n = 200;
    const Values products =
        all_values(similarity(::table_of("sinusoid --len 200 --d 64", DType::float64)));
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            const double offset = std::fabs(static_cast<double>(i) - static_cast<double>(j));
            REQUIRE(products[i * n + j] == doctest::Approx(sum_of_cosines(offset, 64)));
        }
    }
}

TEST_CASE("similarity: the table is read once, and not before it is needed") {
    const auto rows_read = std::make_shared<std::atomic<std::int64_t>>(0);
    const Table table = similarity(counted(table_from(3000, 40, noise), rows_read));
    CHECK(*rows_read == 0);
    parallel_for(100, [&](std::int64_t item) { read_rows(table, {item * 30, 30}); });
    CHECK(*rows_read == 3000);
}

TEST_CASE("similarity: a table that cannot be read says so each time") {
    Table source = table_from(10, 2, noise);
    source.rows =
        rows_like(source, [](RowRange, std::span<std::byte>) { throw UsageError("unreadable"); });
    const Table table = similarity(source);
    CHECK_THROWS_WITH(read_rows(table, {0, 1}), "unreadable");
    CHECK_THROWS_WITH(read_rows(table, {0, 1}), "unreadable");
}

TEST_CASE("similarity: NaN stays with its row") {
    const Values products = all_values(similarity(pegen::table_of({{1, 2}, {NAN, 0}, {3, 4}})));
    for (const std::size_t place : {1u, 3u, 4u, 5u, 7u}) CHECK(std::isnan(products[place]));
    CHECK(products[2] == 11);
    CHECK(products[6] == 11);
    CHECK(products[8] == 25);
}

TEST_CASE("similarity: tables that would take too much memory or time are refused") {
    const auto zero = [](std::int64_t, std::int64_t) { return 0.0; };
    CHECK(refusal_of(table_from(16385, 1, zero)) ==
          "dot products of 16385 rows: at most 16384; use a smaller --len, with --step to cover "
          "the same range");
    CHECK(refusal_of(table_from(16384, 4097, zero)) ==
          "dot products of 16384 x 4097 values: at most 2^26 values; use a smaller --len, with "
          "--step to cover the same range");
    CHECK_NOTHROW(similarity(table_from(16384, 4096, zero)));
}

TEST_CASE("similarity: of cosines the length of a row does not count, and zeros have none") {
    const Table table = table_of({{3, 4}, {30, 40}, {-4, 3}, {0, 0}});
    const Table cosines = cosine_similarity(table);
    CHECK(cosines.value_label == "Cosine Similarity");
    const std::vector<double> values = read_rows(cosines, {0, 4});
    CHECK(values[0] == doctest::Approx(1));
    CHECK(values[1] == doctest::Approx(1));
    CHECK(values[2] == doctest::Approx(0));
    CHECK(values[5] == doctest::Approx(1));
    CHECK(std::isnan(values[3]));
    CHECK(std::isnan(values[15]));
}

TEST_CASE("offsets: mean, smallest and largest of all pairs") {
    const OffsetStatistics statistics =
        dot_products_by_offset(pegen::table_of({{1, 2}, {3, 4}, {-5, 6}}));
    CHECK(statistics.mean == Values{91.0 / 3, 10, 7});
    CHECK(statistics.lowest == Values{5, 9, 7});
    CHECK(statistics.highest == Values{61, 11, 7});
}

TEST_CASE("offsets: every pair counts, and counts once") {
    const std::size_t n = 203, d = 10;
    const Table table = table_from(n, d, noise);
    const Values values = all_values(table);
    const OffsetStatistics statistics = dot_products_by_offset(table);
    REQUIRE(statistics.mean.size() == n);
    for (std::size_t k = 0; k < n; ++k) {
        double sum = 0;
        double lowest = INFINITY, highest = -INFINITY;
        for (std::size_t i = 0; i + k < n; ++i) {
            const double product = dot(values, d, i, i + k);
            sum += product;
            lowest = std::min(lowest, product);
            highest = std::max(highest, product);
        }
        REQUIRE(std::fabs(statistics.mean[k] - sum / static_cast<double>(n - k)) < 1e-9);
        REQUIRE(statistics.lowest[k] == lowest);
        REQUIRE(statistics.highest[k] == highest);
    }
}

TEST_CASE("offsets: for sinusoids the range is as thin as the mean") {
    const OffsetStatistics statistics =
        dot_products_by_offset(::table_of("sinusoid --len 300 --d 32", DType::float64));
    for (std::size_t k = 0; k < 300; ++k) {
        const double expected = sum_of_cosines(static_cast<double>(k), 32);
        REQUIRE(statistics.mean[k] == doctest::Approx(expected));
        REQUIRE(statistics.lowest[k] == doctest::Approx(expected));
        REQUIRE(statistics.highest[k] == doctest::Approx(expected));
    }
}

TEST_CASE("offsets: a pair with NaN makes the statistics of its offset NaN") {
    const auto value = [](std::int64_t row, std::int64_t) { return row == 99 ? NAN : 1.0; };
    // In a table of 100 rows, row 99 is the last and has a pair for each offset. In a table of 150
    // rows, offsets from 100 on have pairs without row 99.
    const OffsetStatistics all = dot_products_by_offset(table_from(100, 2, value));
    const OffsetStatistics some = dot_products_by_offset(table_from(150, 2, value));
    for (std::size_t k = 0; k < 100; ++k) {
        REQUIRE(
            (std::isnan(all.mean[k]) && std::isnan(all.lowest[k]) && std::isnan(all.highest[k])));
        REQUIRE((std::isnan(some.mean[k]) && std::isnan(some.lowest[k]) &&
                 std::isnan(some.highest[k])));
    }
    for (std::size_t k = 100; k < 150; ++k) {
        REQUIRE(some.mean[k] == 2);
        REQUIRE(some.lowest[k] == 2);
    }
}

TEST_CASE("offsets: the number of threads changes no bit") {
    const Table table = table_from(500, 20, noise);
    const OffsetStatistics many = dot_products_by_offset(table);
    const int threads = thread_count();
    limit_threads(1);
    const OffsetStatistics one = dot_products_by_offset(table);
    limit_threads(threads);
    CHECK(same_bits(many.mean, one.mean));
    CHECK(same_bits(many.lowest, one.lowest));
    CHECK(same_bits(many.highest, one.highest));
}

namespace {

double component(std::int64_t vector, std::int64_t k) {
    return std::sin(static_cast<double>(vector * 31 + k * 7 + 1));
}

/// Returns the sum from component 0 on, with each product rounded.
double product_of(std::int64_t a, std::int64_t b, std::int64_t dimension) {
    double sum = 0;
    for (std::int64_t k = 0; k < dimension; ++k) sum += component(a, k) * component(b, k);
    return sum;
}

}  // namespace

TEST_CASE("dot products: vectors are in groups side by side, the last one filled up with zeros") {
    const Vectors vectors = read_vectors(table_from(11, 3, component));
    REQUIRE(vectors.components.size() == 2 * 3 * lanes);
    for (std::int64_t i = 0; i < 2 * lanes; ++i) {
        for (std::int64_t k = 0; k < 3; ++k) {
            const auto at = static_cast<std::size_t>(((i / lanes) * 3 + k) * lanes + i % lanes);
            CHECK(vectors.components[at] == (i < 11 ? component(i, k) : 0.0));
        }
    }
}

TEST_CASE("dot products: each is the sum from component 0 on, for any range and first vector") {
    // The numbers of components, rows and columns exceed the block sizes and are no multiples of
    // them.
    constexpr std::int64_t count = 83, dimension = 515;
    const Vectors vectors = read_vectors(table_from(count, dimension, component));
    for (const RowRange range : {RowRange{0, count}, RowRange{3, 66}, RowRange{82, 1}}) {
        for (const std::int64_t first : {std::int64_t{0}, lanes, 10 * lanes}) {
            CAPTURE(range.first);
            CAPTURE(first);
            std::vector<double> products(static_cast<std::size_t>(range.count * (count - first)),
                                         NAN);
            dot_products(vectors, range, first, products);
            auto product = products.cbegin();
            std::int64_t wrong = 0;
            for (std::int64_t row = range.first; row < range.first + range.count; ++row) {
                for (std::int64_t column = first; column < count; ++column) {
                    wrong += *product++ != product_of(row, column, dimension);
                }
            }
            CHECK(wrong == 0);
        }
    }
}
