#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "core/dtype.h"
#include "encodings/table_of.h"
#include "rows/arithmetic.h"
#include "rows/arranged.h"
#include "rows/grid_rows.h"
#include "rows/kept.h"
#include "rows/rotated.h"

using namespace pegen;

namespace {

using Element = std::function<double(std::int64_t row, std::int64_t column)>;

/// A source and the values it must return. Rows are so wide that few of them make a block.
struct Source {
    std::string name;
    Rows rows;
    Element expected;
};

constexpr std::int64_t row_count = 83, width = 4000;

double element(std::int64_t row, std::int64_t column) {
    return static_cast<double>(row + 1) + static_cast<double>(column) / 4096;
}

Rows source_of(const Element& element_of, std::int64_t rows, std::int64_t columns) {
    return rounded({[=](RowRange range, std::span<double> out) {
                        for (std::int64_t i = 0; i < std::ssize(out); ++i) {
                            out[i] = element_of(range.first + i / columns, i % columns);
                        }
                    },
                    rows, columns},
                   DType::float64);
}

Table wide_table() {
    Table table;
    table.dtype = DType::float64;
    table.shape = Shape{row_count, width};
    table.rows = source_of(element, row_count, width);
    return table;
}

/// The table, but 0 in every second column.
Rows half_of(std::int64_t kept, std::int64_t rows = row_count) {
    return source_of(
        [=](auto row, auto column) { return column % 2 == kept ? element(row, column) : 0; }, rows,
        width);
}

Source rotated(rows::Pairing pairing, bool is_inverse) {
    constexpr std::int64_t pairs = width / 2 - 3;
    const auto cos = [](std::int64_t p, std::int64_t m) { return std::cos(element(p, m)); };
    const auto sin = [](std::int64_t p, std::int64_t m) { return std::sin(element(p, m)); };
    const bool is_half = pairing == rows::Pairing::half;
    const double sign = is_inverse ? -1 : 1;
    return {"rotated",
            rows::rotated(wide_table().rows,
                          {source_of(cos, row_count, pairs), source_of(sin, row_count, pairs),
                           pairing, is_inverse},
                          DType::float64),
            [=](std::int64_t row, std::int64_t column) {
                if (column >= 2 * pairs) return element(row, column);
                const std::int64_t m = is_half ? column % pairs : column / 2;
                const bool is_second = is_half ? column >= pairs : column % 2 == 1;
                const double a = element(row, is_half ? m : 2 * m);
                const double b = element(row, is_half ? pairs + m : 2 * m + 1);
                return is_second ? a * sign * sin(row, m) + b * cos(row, m)
                                 : a * cos(row, m) - b * sign * sin(row, m);
            }};
}

std::vector<Source> sources() {
    const Table x = wide_table();
    std::vector<std::int64_t> backwards(width), in_pairs{1, 0};
    std::iota(backwards.rbegin(), backwards.rend(), 0);
    std::vector<Source> all{
        {"rounded", x.rows, element},
        {"kept", rows::kept(x.rows), element},
        {"merged", rows::merged({half_of(0), half_of(1)}), element},
        {"slice", rows::slice(x.rows, {5, 70}),
         [](auto row, auto column) { return element(row + 5, column); }},
        {"reshaped to shorter rows", rows::reshaped(x.rows, width / 8),
         [](auto row, auto column) { return element(row / 8, row % 8 * (width / 8) + column); }},
        {"reshaped to longer rows", rows::reshaped(rows::slice(x.rows, {0, 82}), 2 * width),
         [](auto row, auto column) { return element(2 * row + column / width, column % width); }},
        {"repeated", rows::repeated(x.rows, 3),
         [](auto row, auto column) { return element(row / 3, column); }},
        {"chosen rows", rows::chosen_rows(x.rows, {7, 7, 0, 82}),
         [](auto row, auto column) {
             return element(std::array{7, 7, 0, 82}[row], column);
         }},
        {"chosen columns", rows::chosen_columns(x.rows, backwards),
         [](auto row, auto column) { return element(row, width - 1 - column); }},
        {"side by side", rows::side_by_side({x.rows, x.rows}),
         [](auto row, auto column) { return element(row, column % width); }},
        {"concatenated", rows::concatenated({x.rows, x.rows}),
         [](auto row, auto column) { return element(row % row_count, column); }},
        {"bands", rows::in_bands(x.rows, 8), element},
        {"transposed", rows::transposed(x.rows),
         [](auto row, auto column) { return element(column, row); }},
        {"permuted rows", rows::permuted_rows(rows::slice(x.rows, {0, 80}), in_pairs, 4),
         [](auto row, auto column) { return element(row / 8 * 8 + (row + 4) % 8, column); }},
        {"permuted columns", rows::permuted(x, 1, backwards),
         [](auto row, auto column) { return element(row, width - 1 - column); }},
        {"sum", rows::sum(x, x, DType::float64),
         [](auto row, auto column) { return 2 * element(row, column); }},
        rotated(rows::Pairing::half, false),
        rotated(rows::Pairing::half, true),
        rotated(rows::Pairing::interleaved, false),
        rotated(rows::Pairing::interleaved, true),
    };
    constexpr std::int64_t across = 11, down = 9;
    const std::vector<Rows> axes{half_of(0, down), half_of(1, across)};
    const auto of_point = [](std::int64_t row, std::int64_t column, std::int64_t channel) {
        return element(channel % 2 == 0 ? row : column, channel);
    };
    all.push_back({"points", rows::point_rows(axes), [=](auto row, auto column) {
                       return of_point(row / across, row % across, column);
                   }});
    all.push_back({"channels", rows::channel_rows(axes), [=](auto row, auto column) {
                       return of_point(row % down, column, row / down);
                   }});
    return all;
}

}  // namespace

TEST_CASE(
    "rows: every source has the right elements, in one go and row by row, over several blocks and "
    "a rest") {
    for (const Source& source : sources()) {
        CAPTURE(source.name);
        const Rows& rows = source.rows;
        const std::size_t row_size = rows.columns();
        std::vector<double> together(rows.count() * row_size), alone(row_size);
        rows({0, rows.count()}, std::as_writable_bytes(std::span(together)));
        std::int64_t wrong = 0, other_alone = 0;
        for (std::int64_t row = 0; row < rows.count(); ++row) {
            rows({row, 1}, std::as_writable_bytes(std::span(alone)));
            const double* const of_all = together.data() + row * row_size;
            for (std::int64_t column = 0; column < rows.columns(); ++column) {
                const double expected = source.expected(row, column);
                wrong += std::fabs(of_all[column] - expected) > 1e-12 * std::fabs(expected) + 1e-13;
                other_alone += of_all[column] != alone[column];
            }
        }
        CHECK(wrong == 0);
        CHECK(other_alone == 0);
    }
}

TEST_CASE("rows: mean and deviation are those of all blocks") {
    const Rows standardized =
        rows::standardized(source_of(element, row_count, width), 1, DType::float64);
    std::vector<double> values(row_count * width);
    standardized({0, row_count}, std::as_writable_bytes(std::span(values)));
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    const double squares = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
    CHECK(std::fabs(mean) < 1e-12);
    CHECK(std::fabs(squares / (count - 1) - 1) < 1e-12);
}
