#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/parallel.h"
#include "formats/fake_table.h"
#include "inspect/facts.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
Table integers(DType dtype, const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return table_of_bytes({static_cast<std::int64_t>(values.size())}, dtype, bytes);
}

}  // namespace

TEST_CASE("statistics: what is not finite is counted and left out of the rest") {
    const Statistics found = statistics_of(
        table_of({2, 4}, DType::float32,
                 {not_a_number, 2, -infinity, 4, infinity, not_a_number, not_a_number, 9}));
    CHECK(found.nans == 3);
    CHECK(found.infinities == 2);
    CHECK(found.finite == 3);
    CHECK(found.lowest == "2");
    CHECK(found.highest == "9");
    CHECK(found.mean == 5);
}

TEST_CASE("statistics: of no finite value there is no smallest") {
    for (const Table& table :
         {table_of({0, 3}, DType::float64, {}), table_of({}, DType::float16, {not_a_number})}) {
        const Statistics found = statistics_of(table);
        CHECK(found.finite == 0);
        CHECK(found.lowest.empty());
        CHECK(found.highest.empty());
        CHECK(found.mean == 0);
    }
}

TEST_CASE("statistics: integers of 64 bits are exact") {
    const Statistics of_unsigned = statistics_of(integers<std::uint64_t>(
        DType::uint64, {18446744073709551615U, 18446744073709551614U, 18446744073709551614U}));
    CHECK(of_unsigned.lowest == "18446744073709551614");
    CHECK(of_unsigned.highest == "18446744073709551615");
    CHECK(of_unsigned.mean == 0x1p64);
    const Statistics of_signed = statistics_of(integers<std::int64_t>(
        DType::int64,
        {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), 4}));
    CHECK(of_signed.lowest == "-9223372036854775808");
    CHECK(of_signed.highest == "9223372036854775807");
    CHECK(of_signed.mean == 1);  // (2^63 - 1 - 2^63 + 4) / 3
}

TEST_CASE("statistics: numbers are those of their dtype") {
    CHECK(statistics_of(table_of({1}, DType::float32, {0.1})).lowest == "0.1");
    CHECK(statistics_of(table_of({1}, DType::float16, {1.0 / 3})).highest == "0.3333");
    CHECK(statistics_of(table_of({2}, DType::boolean, {0, 1})).mean == 0.5);
}

TEST_CASE("statistics: a mean survives cancellation and the largest doubles") {
    constexpr double largest = std::numeric_limits<double>::max();
    CHECK(statistics_of(table_of({4}, DType::float64, {1e300, 1, -1e300, 1})).mean == 0.5);
    CHECK(statistics_of(table_of({3}, DType::float64, {largest, largest, largest})).mean ==
          largest);
    CHECK(statistics_of(table_of({2}, DType::float64, {5e-324, 5e-324})).mean == 5e-324);
}

TEST_CASE("statistics: do not depend on the number of threads") {
    Table table = counting_table({3000, 100}, DType::float64);
    table.rows = rows_like(table, [rows = table.rows](RowRange range, std::span<std::byte> out) {
        rows(range, out);
        std::vector<double> values(out.size() / sizeof(double));
        load(out, DType::float64, values);
        for (double& value : values) value = std::sin(value) * 1e5;
        store(values, DType::float64, out);
    });
    const int before = thread_count();
    const Statistics found = statistics_of(table);
    for (const int threads : {1, 2, 7}) {
        limit_threads(threads);
        const Statistics again = statistics_of(table);
        CHECK(again.mean == found.mean);
        CHECK(again.lowest == found.lowest);
        CHECK(again.highest == found.highest);
    }
    limit_threads(before);
}
