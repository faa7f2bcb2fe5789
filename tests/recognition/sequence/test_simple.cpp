#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "encodings/table_of.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/proposed.h"
#include "recognition/recognized.h"

namespace pegen::recognition {
namespace {

TEST_CASE("periodic recognition: alpha, function and positions are found") {
    for (const DType dtype : {DType::float64, DType::float32, DType::float16}) {
        check_proposed("periodic --len 50", dtype);
        check_proposed("periodic --len 50 --alpha 3 --start 1", dtype);
        check_proposed("periodic --len 50 --alpha 7.5 --function cos", dtype);
        check_proposed("periodic --len 50 --function sin --start 2", dtype);
    }
}

TEST_CASE("periodic recognition: usual numbers are found whatever whole turns hide") {
    check_proposed("periodic --len 50 --start 1000 --reverse", DType::bfloat16);
    check_proposed("periodic --len 100 --alpha 0.5 --step 10 --reverse", DType::bfloat16);
    check_proposed("periodic --len 100 --alpha 7.5 --step 1000", DType::float16);
    check_proposed("periodic --len 100 --alpha 0.5 --function sin --step 10");
}

TEST_CASE("index recognition: start, step and lists are found") {
    check_proposed("index --len 50");
    check_proposed("index --len 50 --start 5 --step 0.1");
    check_proposed("index --len 50 --start 5 --reverse", DType::float64);
    check_proposed("index --positions 0,3,100,2.5");
}

TEST_CASE("normalized recognition: a length is found in all formats") {
    for (const DType dtype : {DType::float64, DType::float32, DType::float16, DType::bfloat16}) {
        check_proposed("normalized --len 37", dtype);
    }
}

TEST_CASE("binary recognition: start and bits are found") {
    check_proposed("binary --len 37");
    check_proposed("binary --len 8 --start 1000 --bits 16");
    check_proposed("binary --len 12 --start 100");
    CHECK(find_recognized("binary", table_of("normalized --len 8")).empty());
}

TEST_CASE("simple recognition: nothing is thrown whatever is in an array") {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const char* const shape : {"index --len 1", "index --len 2", "index --len 40",
                                    "periodic --len 40", "binary --len 40"}) {
        const Table table = table_of(shape);
        for (const double value : {0.0, 1.0, 1e300, infinity, std::nan("")}) {
            const std::vector<double> values(table.shape.size(), value);
            for (const char* const name : {"periodic", "index", "normalized", "binary"}) {
                CHECK_NOTHROW(find_recognized(name, sample_of(table, values)));
            }
        }
    }
}

}  // namespace
}  // namespace pegen::recognition
