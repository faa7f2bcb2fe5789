#include <doctest/doctest.h>

#include <limits>

#include "formats/csv.h"
#include "formats/fake_table.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string csv(const Table& table) { return written(table, formats::csv); }
std::string bare(const Table& table) { return written(table, formats::csv, "no-header"); }

}  // namespace

TEST_CASE("csv: a matrix has a header row and an index column") {
    CHECK(csv(table_of({2, 3}, DType::float32, {0, 1, 0.1, -0.5, 1e-7, 1e10})) ==
          "position,0,1,2\n"
          "0,0,1,0.1\n"
          "1,-0.5,1e-07,1e+10\n");
}

TEST_CASE("csv: a list has its index and its value in each line") {
    CHECK(csv(counting_table({3}, DType::int8)) == "position,value\n0,0\n1,1\n2,2\n");
    CHECK(csv(counting_table({}, DType::int8)) == "value\n0\n");
}

TEST_CASE("csv: tables of more axes have an index column for each axis but the last") {
    CHECK(csv(counting_table({2, 2, 2}, DType::uint16)) ==
          "position,channel,0,1\n"
          "0,0,0,1\n"
          "0,1,2,3\n"
          "1,0,4,5\n"
          "1,1,6,7\n");
}

TEST_CASE("csv: a row of a sequence has its position, and none before the first position") {
    const auto column = [](std::int64_t rows, const Axis& axis) {
        Table table = counting_table({rows, 1}, DType::uint8);
        table.axes.front() = axis;
        return csv(table);
    };
    const auto axis = [](std::optional<Positions> positions, std::int64_t rows_before = 0) {
        return Axis{.kind = AxisKind::position,
                    .name = "position",
                    .rows_before = rows_before,
                    .positions = std::move(positions)};
    };
    CHECK(column(2, axis({})) == "position,0\n0,0\n1,1\n");
    CHECK(column(4, axis({}, 2)) == "position,0\n,0\n,1\n0,2\n1,3\n");
    CHECK(column(3, axis(Positions(100000, 1, 3))) == "position,0\n100000,0\n100001,1\n100002,2\n");
    CHECK(column(3, axis(Positions(std::vector{0.1, -2.5, 1e300}))) ==
          "position,0\n0.1,0\n-2.5,1\n1e+300,2\n");
    CHECK(column(2, axis(Positions(3, -1, 1), 1)) == "position,0\n,0\n3,1\n");
    CHECK(column(2, {.kind = AxisKind::pixel, .name = "height", .positions = Positions(5, 2, 2)}) ==
          "height,0\n5,0\n7,1\n");
    CHECK(column(2, {.kind = AxisKind::point, .name = "token", .rows_before = 1}) ==
          "token,0\n,0\n0,1\n");
}

TEST_CASE("csv: a list of values has its positions, too") {
    Table table = counting_table({2}, DType::int8);
    table.axes = {
        {.kind = AxisKind::position, .name = "position", .positions = Positions(7, 2, 2)}};
    CHECK(csv(table) == "position,value\n7,0\n9,1\n");
}

TEST_CASE("csv: without header there are numbers only") {
    CHECK(bare(counting_table({2, 3}, DType::float64)) == "0,1,2\n3,4,5\n");
    CHECK(bare(counting_table({3}, DType::float64)) == "0\n1\n2\n");
    CHECK(bare(counting_table({}, DType::float64)) == "0\n");
    CHECK(bare(counting_table({2, 1, 2}, DType::float64)) == "0,1\n2,3\n");
}

TEST_CASE("csv: special values are spelled as NumPy reads them") {
    CHECK(bare(table_of({1, 5}, DType::float16,
                        {not_a_number, -not_a_number, infinity, -infinity, -0.0})) ==
          "nan,nan,inf,-inf,-0\n");
    CHECK(bare(table_of({1, 2}, DType::boolean, {0, 1})) == "0,1\n");
    CHECK(bare(table_of({1, 2}, DType::int8, {-128, 127})) == "-128,127\n");
}

TEST_CASE("csv: tables without rows or columns keep their header") {
    CHECK(csv(counting_table({0, 2}, DType::float32)) == "position,0,1\n");
    CHECK(csv(counting_table({2, 0}, DType::float32)) == "position,\n0,\n1,\n");
}

TEST_CASE("csv: a row longer than any buffer is whole") {
    std::string wanted = "0";
    for (int i = 1; i < 5000; ++i) wanted += ',' + std::to_string(i);
    CHECK(bare(counting_table({1, 5000}, DType::int32)) == wanted + '\n');
}
