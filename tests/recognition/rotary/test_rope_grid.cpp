#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "encodings/table_of.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/proposed.h"
#include "recognition/recognized.h"

using namespace pegen;

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

TEST_CASE("rope-grid recognition: blocks of unequal size are found by cosines that hardly turn") {
    // The slow cosines at the end of a block are 1 everywhere, so that they may be the next axis's.
    check_proposed("wan-video --depth 3 --height 12 --width 12");
    check_proposed("wan-video --depth 1 --height 8 --width 9");
    check_proposed("wan-video --depth 5 --height 6 --width 8", DType::float16);
    check_proposed("cogvideox --depth 4 --height 8 --width 8", DType::bfloat16);
}

TEST_CASE("rope-grid recognition: slow cosines of bfloat16 do not rest") {
    check_proposed("rope-grid --height 6 --width 7 --d 32", DType::bfloat16);
    check_proposed("rope-grid --height 14 --width 3 --prefix-tokens 5", DType::bfloat16);
    check_proposed(
        "rope-grid --height 3 --width 11 --d 24 --spectrum sections --freq-scale pi "
        "--layout axis-half --prefix-tokens 1",
        DType::bfloat16);
}

TEST_CASE("rope-grid recognition: pairs that turn several times from point to point are found") {
    for (const char* command : {
             "rope-grid --height 8 --width 14 --d 8 --base 100 --freq-scale 100 --start 0.5 "
             "--window 2",
             "rope-grid --height 10 --width 4 --d 12 --freq-scale 30 --step 0.5 --ref-extent 14,14 "
             "--table sin-cos",
             "rope-grid --height 6 --width 5 --d 16 --spectrum linear --freqs 0.5,20 "
             "--freq-scale 30 --coords cells --prefix-tokens 5",
             "rope-grid --height 5 --width 6 --d 24 --spectrum strided --freq-scale 100 "
             "--coords linspace",
             "rope-grid --height 10 --width 14 --d 12 --base 1000 --freq-scale 100 --coords cells "
             "--normalize min --layout axis-half --merge 2 --window 4 --suffix-tokens 1",
         }) {
        check_proposed(command);
    }
    check_proposed(
        "rope-grid --height 14 --width 11 --d 24 --base 100 --freq-scale 100 "
        "--start 0.5 --layout axis-half",
        DType::float64);
    check_proposed(
        "rope-grid --height 5 --width 7 --d 24 --freq-scale 100 --coords cells "
        "--table matrices",
        DType::bfloat16);
    check_proposed(
        "rope-grid --height 3 --width 8 --d 24 --spectrum linear --freqs 3.14,31.4 "
        "--start 0.5 --step 2",
        DType::bfloat16);
}

TEST_CASE("rope-grid recognition: windows of frames are found") {
    check_proposed("rope-grid --depth 3 --height 14 --width 11 --d 12 --window 4");
}

TEST_CASE(
    "rope-grid recognition: an unusual factor of frequencies beyond half a turn is no other") {
    // 100.4321 differs from 0.0988 by 16 turns.
    const Table table =
        table_of("rope-grid --height 6 --width 9 --d 8 --base 123.45 --freq-scale 100.4321");
    CHECK(find_recognized("rope-grid", table).empty());
}

TEST_CASE("rope-grid recognition: tables of frequencies are found") {
    for (const char* command : {
             "rope-grid --d 24 --table inv-freq",
             "rope-grid --d 24 --table wavelengths",
             "rope-grid --d 24 --spectrum strided --base 100 --freq-scale 2*pi --table inv-freq",
             "rope-grid --d 24 --split 8,16 --base 321 --table wavelengths",
             "rope-grid --d 36 --depth 2 --spectrum linear --freqs 1,50 --table inv-freq",
         }) {
        check_proposed(command);
    }
    check_proposed("rope-grid --d 32 --base 100 --table inv-freq", DType::bfloat16);
}

TEST_CASE("rope-grid recognition: one spectrum of frequencies is left to rope") {
    CHECK(find_recognized("rope-grid", table_of("rope --d 32 --table inv-freq")).empty());
}

TEST_CASE("rope-grid recognition: a sequence is no grid") {
    CHECK(find_recognized("rope-grid", table_of("rope --d 32 --len 64")).empty());
    CHECK(find_recognized("rope-grid", table_of("rope --d 32 --len 64 --table sin")).empty());
}

TEST_CASE("rope-grid recognition: arrays of one value have no proposal") {
    const Table table = table_of("rope-grid --height 4 --width 6 --d 16");
    const std::size_t size = all_values(table).size();
    for (const double value : {0.0, 1.0, 0.5, std::numeric_limits<double>::quiet_NaN()}) {
        CAPTURE(value);
        CHECK(find_recognized("rope-grid", sample_of(table, std::vector(size, value))).empty());
    }
}
