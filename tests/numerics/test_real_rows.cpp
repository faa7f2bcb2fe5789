#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/table.h"
#include "numerics/ziv_loop.h"

using namespace pegen;
using namespace pegen::numerics;

TEST_CASE("real rows: a guess in doubles decides only where it leaves no doubt") {
    // Just above and just below the midpoint of 1 and the next float, and the midpoint: the guess
    // is the midpoint in every case.
    const auto value = [](std::int64_t, std::int64_t column) {
        return Real(1 + 0x1p-24) + static_cast<double>(column - 1) * 0x1p-80;
    };
    const auto near = [](std::int64_t, std::int64_t) { return 1 + 0x1p-24; };
    for (const DType dtype : {DType::float32, DType::float64}) {
        Table table;
        table.shape = {1, 3};
        table.dtype = dtype;
        table.rows = real_rows(value, near, 1, 3, dtype);
        CHECK(read_rows(table, {0, 1}) == (dtype == DType::float32
                                               ? std::vector<double>{1, 1, 1 + 0x1p-23}
                                               : std::vector<double>(3, 1 + 0x1p-24)));
    }
}
