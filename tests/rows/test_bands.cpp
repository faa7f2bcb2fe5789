#include <doctest/doctest.h>

#include <memory>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "rows/kept.h"

using namespace pegen;

namespace {

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

constexpr std::int64_t row_count = 1003;

/// row_count rows of two elements, row and row + 0.5, in bands of 10. Writes down what rows its
/// source is asked for.
struct Banded {
    Banded() {
        table.shape = {row_count, 2};
        table.dtype = DType::float64;
        const Rows numbers =
            rounded({[](RowRange range, std::span<double> out) {
                         for (std::size_t i = 0; i < out.size(); ++i) {
                             out[i] = static_cast<double>(range.first) + static_cast<double>(i) / 2;
                         }
                     },
                     row_count, 2},
                    DType::float64);
        table.rows =
            rows::in_bands(rows_like(numbers,
                                     [this, numbers](RowRange range, std::span<std::byte> out) {
                                         {
                                             const std::lock_guard lock(mutex);
                                             asked.emplace_back(range.first, range.count);
                                         }
                                         numbers(range, out);
                                     }),
                           10);
    }

    std::mutex mutex;
    Ranges asked;
    Table table;
};

bool are_right(const std::vector<double>& values, std::int64_t first) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] != static_cast<double>(first) + static_cast<double>(i) / 2) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("bands: rows are those of the source") {
    Banded banded;
    for (const RowRange range : {RowRange{0, row_count}, {0, 10}, {9, 2}, {15, 41}, {1001, 2}}) {
        CAPTURE(range.first);
        const std::vector<double> values = read_rows(banded.table, range);
        CHECK(std::ssize(values) == 2 * range.count);
        CHECK(are_right(values, range.first));
    }
}

TEST_CASE("bands: the source is asked for whole bands") {
    Banded banded;
    read_rows(banded.table, {1, 1});
    read_rows(banded.table, {18, 4});
    read_rows(banded.table, {1000, 1});
    CHECK(banded.asked == Ranges{{0, 10}, {10, 10}, {20, 10}, {1000, 3}});
}

TEST_CASE("bands: who goes through the rows asks for each band once") {
    Banded banded;
    for (std::int64_t row = 0; row < row_count; ++row) read_rows(banded.table, {row, 1});
    CHECK(banded.asked.size() == 101);
    read_rows(banded.table, {0, 1});
    CHECK(banded.asked.size() == 102);
}

TEST_CASE("bands: many may ask at once") {
    Banded banded;
    parallel_for(8, [&](std::int64_t item) {
        for (std::int64_t row = item * 125; row < (item + 1) * 125; ++row) {
            if (!are_right(read_rows(banded.table, {row, 3}), row)) {
                throw std::logic_error("wrong rows");
            }
        }
    });
    CHECK(banded.asked.size() >= 101);
}
