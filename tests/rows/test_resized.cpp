#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "encodings/table_of.h"
#include "rows/kept.h"
#include "rows/resized.h"

using namespace pegen;
using numerics::Interpolation;
using numerics::Kernel;

namespace {

using Values = std::vector<double>;

/// Resizes values along one axis.
Values resized(const Values& values, const Interpolation& axis, DType dtype) {
    Table table;
    table.dtype = dtype;
    table.shape = Shape{axis.to, 1};
    table.rows = rows::resized(rounded(rows::kept_rows(values, 1), DType::float64),
                               {axis, Interpolation{}}, dtype);
    return all_values(table);
}

}  // namespace

TEST_CASE("resized: a sum is rounded once, on either side of a midpoint and on it") {
    // The mean of four values: 1, half the distance to the next number, and what a double loses.
    const auto mean = [](double half, double rest, DType dtype) {
        return resized({4, 4 * half, 4 * rest, 0}, {.kernel = Kernel::area, .from = 4, .to = 1},
                       dtype)
            .front();
    };
    for (const auto& [dtype, half] : {std::pair{DType::float64, 0x1p-53},
                                      {DType::float32, 0x1p-24},
                                      {DType::float16, 0x1p-11},
                                      {DType::bfloat16, 0x1p-8}}) {
        const double distance = half;
        CAPTURE(distance);
        CHECK(mean(half, 0x1p-200, dtype) == 1 + 2 * half);
        CHECK(mean(half, -0x1p-200, dtype) == 1);
        CHECK(mean(half, 0, dtype) == 1);  // even
        CHECK(mean(3 * half, -0x1p-200, dtype) == 1 + 2 * half);
        CHECK(mean(3 * half, 0, dtype) == 1 + 4 * half);
    }
}

TEST_CASE("resized: an infinite value is among the values with its weight, whatever the weight") {
    const double infinity = std::numeric_limits<double>::infinity();
    // The weights are thirds, which no number of bits has exactly.
    const Values y =
        resized({1, infinity, 2, 3, 4, -infinity},
                {.kernel = Kernel::linear, .from = 6, .to = 4, .has_aligned_corners = true},
                DType::float32);
    CHECK(y == Values{1, infinity, static_cast<float>(10 / 3.0), -infinity});
    const Values cubic = resized({infinity, 1, 2, -infinity},
                                 {.kernel = Kernel::cubic, .from = 4, .to = 3}, DType::float32);
    CHECK(cubic[0] == infinity);
    CHECK(std::isnan(cubic[1]));
    CHECK(cubic[2] == -infinity);
}
