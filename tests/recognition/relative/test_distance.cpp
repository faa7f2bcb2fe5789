#include <doctest/doctest.h>

#include <string_view>

#include "encodings/table_of.h"
#include "recognition/proposed.h"
#include "recognition/recognized.h"

namespace pegen::recognition {
namespace {

TEST_CASE("relative recognition: layout, order and base are found in all formats") {
    for (const DType dtype : {DType::float64, DType::float32, DType::float16, DType::bfloat16}) {
        check_proposed("relative --len 20 --d 64", dtype);
        check_proposed("relative --len 20 --d 64 --order descending --layout halves", dtype);
        check_proposed("relative --len 20 --d 8 --base 100", dtype);
    }
}

TEST_CASE(
    "relative recognition: distances are found where whole turns of the slowest wave are those "
    "of all") {
    check_proposed("relative --len 100 --d 4 --base 100", DType::float64);
}

TEST_CASE("relative recognition: positions from 0 are none of its") {
    CHECK(find_recognized("relative", table_of("sinusoid --len 21 --d 16")).empty());
}

TEST_CASE("transformer-xl recognition: range, memory, layout and clamp are found") {
    check_proposed("transformer-xl --len 20 --d 64");
    check_proposed("transformer-xl --len 20 --d 64 --range xlnet --mem-len 10");
    check_proposed("transformer-xl --len 20 --d 64 --range full --layout interleaved");
    check_proposed("transformer-xl --len 20 --d 64 --clamp 7");
    check_proposed("transformer-xl --len 20 --d 64 --range full --mem-len 5 --clamp 12");
    check_proposed("transformer-xl --len 20 --d 64 --range xlnet --clamp 18", DType::float64);
}

}  // namespace
}  // namespace pegen::recognition
