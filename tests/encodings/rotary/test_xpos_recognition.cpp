#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/proposed.h"
#include "encodings/recognized.h"
#include "encodings/rotary/xpos_recognition.h"
#include "encodings/table_of.h"

using namespace pegen;
using namespace pegen::encodings;

namespace {

void check_proposed(std::string_view command, DType dtype = DType::float32) {
    CAPTURE(command);
    const Table table = table_of(command, dtype);
    CHECK(makes_one_of(recognize_xpos(sample_of(table)), "xpos", table));
}

}  // namespace

TEST_CASE("xpos recognition: all tables are found, with base, scale, gamma, centre and layout") {
    for (const char* table : {"cos-q", "sin-q", "cos-k", "sin-k", "scale"}) {
        const std::string last = " --table " + std::string(table);
        check_proposed("torchscale --d 64 --len 51" + last);
        check_proposed("flash-attn-xpos --d 64 --len 50" + last, DType::float64);
        check_proposed(
            "xpos --d 32 --len 60 --base 500 --scale-base 256 --gamma 0.3 "
            "--centre 7 --layout half" +
            last);
        check_proposed("xpos --d 32 --len 60" + last, DType::float16);
    }
}

TEST_CASE("xpos recognition: tables that do not fade, and arrays of one value, are left") {
    CHECK(recognize_xpos(sample_of(table_of("rope --d 32 --len 64"))).empty());
    const Table table = table_of("xpos --d 16 --len 30");
    const std::size_t size = all_values(table).size();
    for (const double value : {0.0, 1.0, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK(recognize_xpos(sample_of(table, std::vector(size, value))).empty());
    }
}
