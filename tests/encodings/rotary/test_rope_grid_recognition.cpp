#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/proposed.h"
#include "encodings/recognized.h"
#include "encodings/rotary/rope_grid_recognition.h"
#include "encodings/table_of.h"

using namespace pegen;
using namespace pegen::encodings;

namespace {

void check_proposed(std::string_view command, DType dtype = DType::float32) {
    CAPTURE(command);
    const Table table = table_of(command, dtype);
    CHECK(makes_one_of(recognize_rope_grid(sample_of(table)), "rope-grid", table));
}

}  // namespace

TEST_CASE("rope-grid recognition: presets are found on grids that are no squares") {
    for (const char* command : {
             "dinov3 --height 6 --width 9",
             "eva02 --height 6 --width 9",
             "flux --height 6 --width 9 --prefix-tokens 5 --table matrices",
             "llama4-vision --height 6 --width 9 --table freqs-cis",
             "lucidrains-axial --height 6 --width 9",
             "pixtral --height 6 --width 9",
             "qwen2-vl-vision --height 6 --width 10",
             "qwen2.5-vl-vision --height 12 --width 20",
             "rope-vit --height 6 --width 9",
             "timm-rope --height 6 --width 9 --table sin-cos",
             "timm-rope-pixels --height 6 --width 9 --table sin-cos",
             "v-jepa2 --depth 3 --height 4 --width 6",
         }) {
        check_proposed(command);
    }
}

TEST_CASE("rope-grid recognition: spectra, scales and coordinates are found") {
    for (const char* command : {
             "rope-grid --height 5 --width 8 --d 32 --base 321 --start 1",
             "rope-grid --height 5 --width 8 --d 32 --spectrum sections --table sin",
             "rope-grid --height 5 --width 8 --d 48 --split 16,32 --axes xy",
             "rope-grid --height 5 --width 8 --d 32 --freq-scale 0.5",
             "rope-grid --height 5 --width 8 --d 32 --coords cells --normalize max --base 100",
             "rope-grid --height 5 --width 8 --d 32 --coords cells --spectrum geometric "
             "--freqs 0.5,3",
             "rope-grid --height 3 --width 8 --d 32 --ref-extent 16 --table freqs-cis",
             "rope-grid --depth 2 --height 4 --width 8 --d 48 --merge 2 --prefix-tokens 2",
         }) {
        check_proposed(command);
    }
}

TEST_CASE("rope-grid recognition: tables of float16 and bfloat16 are found") {
    check_proposed("rope-grid --height 8 --width 10 --d 32", DType::float16);
    check_proposed("rope-grid --height 8 --width 10 --d 32 --table sin", DType::bfloat16);
}

TEST_CASE("rope-grid recognition: a sequence is no grid") {
    CHECK(recognize_rope_grid(sample_of(table_of("rope --d 32 --len 64"))).empty());
    CHECK(recognize_rope_grid(sample_of(table_of("rope --d 32 --len 64 --table sin"))).empty());
}

TEST_CASE("rope-grid recognition: arrays of one value have no proposal") {
    const Table table = table_of("rope-grid --height 4 --width 6 --d 16");
    const std::size_t size = all_values(table).size();
    for (const double value : {0.0, 1.0, 0.5, std::numeric_limits<double>::quiet_NaN()}) {
        CAPTURE(value);
        CHECK(recognize_rope_grid(sample_of(table, std::vector(size, value))).empty());
    }
}
