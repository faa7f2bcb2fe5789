#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"
#include "numerics/oracle.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

/// Returns the elements of a mask drawn with '#' for padding.
std::string mask_bytes(std::string drawing) {
    for (char& pixel : drawing) pixel = pixel == '#' ? '\1' : '\0';
    return drawing;
}

/// Returns the values of `command` with --mask, whose file has these bytes.
std::vector<double> values_with_mask(const std::string& command, const std::string& file) {
    const TemporaryFolder folder;
    put(folder.path("mask.npy"), file);
    return values_of(fmt::format("{} --mask {}", command, folder.path("mask.npy")));
}

/// Returns the part of the message about the mask after the file name.
std::string refusal_of_mask(const std::string& options, const std::string& file) {
    const TemporaryFolder folder;
    put(folder.path("mask.npy"), file);
    const std::string command = fmt::format("detr {} --mask {}", options, folder.path("mask.npy"));
    try {
        return refusal_of(command);
    } catch (const FormatError& error) {
        const std::string message = error.what();
        return message.substr(message.find("mask.npy: ") + 10);
    }
}

/// Returns the values of the table at [image, channel, y, 0 ... width - 1].
std::vector<double> row_of(const Table& table, std::int64_t image, std::int64_t channel,
                           std::int64_t y) {
    const std::int64_t row = (image * table.shape[1] + channel) * table.shape[2] + y;
    return read_rows(table, {row, 1});
}

/// Returns {sin(a), sin(b)}, in float.
std::vector<double> sines(std::initializer_list<double> positions) {
    std::vector<double> values;
    for (const double position : positions) {
        values.push_back(oracle::sin_float(position, 10000, 0, 1));
    }
    return values;
}

}  // namespace

TEST_CASE("detr: y comes first, then x, sin before cos, counted from 1") {
    const Table table = table_of("detr --num-pos-feats 2 --height 2 --width 3");
    CHECK(table.shape == Shape{1, 4, 2, 3});
    CHECK(row_of(table, 0, 0, 0) == sines({1, 1, 1}));
    CHECK(row_of(table, 0, 0, 1) == sines({2, 2, 2}));
    CHECK(row_of(table, 0, 1, 1)[0] == oracle::cos_float(2, 10000, 0, 1));
    CHECK(row_of(table, 0, 2, 0) == sines({1, 2, 3}));
    CHECK(row_of(table, 0, 2, 1) == sines({1, 2, 3}));
    CHECK(row_of(table, 0, 3, 0)[2] == oracle::cos_float(3, 10000, 0, 1));
}

TEST_CASE("detr: every value is the exact one in all dtypes, with a temperature for y and for x") {
    const char* const command =
        "detr --num-pos-feats 6 --temperature 20,500 --height 3 --width 5 --batch 2";
    for (const DType dtype : {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
        const Table table = table_of(command, dtype);
        const int bits = dtype == DType::float64   ? 53
                         : dtype == DType::float32 ? 24
                         : dtype == DType::float16 ? 11
                                                   : 8;
        for (std::int64_t row = 0; row < table.shape.rows(); ++row) {
            const std::int64_t y = row % 3;
            const std::int64_t channel = row / 3 % 12;
            const std::vector<double> values = read_rows(table, {row, 1});
            for (std::int64_t x = 0; x < 5; ++x) {
                const double position = static_cast<double>(channel < 6 ? y + 1 : x + 1);
                const double base = channel < 6 ? 20 : 500;
                const auto over = static_cast<double>(channel % 6 / 2 * 2);
                const auto wave = channel % 2 == 0 ? oracle::sin_of_bits : oracle::cos_of_bits;
                CAPTURE(row);
                CHECK(values[static_cast<std::size_t>(x)] == wave(bits, position, base, over, 6));
            }
        }
    }
}

TEST_CASE("detr: the axis of x is a sinusoid that starts at 1, far out too") {
    const Table wide = table_of("detr --num-pos-feats 8 --height 1 --width 100000", DType::float16);
    const Table tall = table_of("detr --num-pos-feats 8 --height 100000 --width 1", DType::float16);
    const Table line = table_of("sinusoid --d 8 --start 1 --len 100000", DType::float16);
    for (const std::int64_t position : {0, 77777, 99999}) {
        const std::vector<double> expected = read_rows(line, {position, 1});
        for (std::int64_t channel = 0; channel < 8; ++channel) {
            const auto c = static_cast<std::size_t>(channel);
            CHECK(row_of(wide, 0, 8 + channel, 0)[static_cast<std::size_t>(position)] ==
                  expected[c]);
            CHECK(row_of(tall, 0, channel, position)[0] == expected[c]);
        }
    }
}

TEST_CASE("detr: normalized positions are divided, then multiplied, in double") {
    const Table table = table_of(
        "detr --num-pos-feats 2 --height 3 --width 7 --normalize --scale 1.1 --offset 0.3 --eps "
        "0.1",
        DType::float64);
    for (int y = 0; y < 3; ++y) {
        CHECK(row_of(table, 0, 0, y)[4] ==
              oracle::sin_double((y + 1 + 0.3) / (3 + 0.1) * 1.1, 1, 0, 1));
    }
    for (int x = 0; x < 7; ++x) {
        CHECK(row_of(table, 0, 2, 1)[static_cast<std::size_t>(x)] ==
              oracle::sin_double((x + 1 + 0.3) / (7 + 0.1) * 1.1, 1, 0, 1));
    }
    CHECK(values_of("detr --normalize --height 2 --width 2") ==
          values_of("detr --normalize --height 2 --width 2 --scale 6.283185307179586 --offset 0 "
                    "--eps 1e-6"));
}

TEST_CASE("detr: beside the valid part the count of the line stays, beyond it is none") {
    const Table table = table_of("detr --num-pos-feats 2 --height 3 --width 4 --valid 3x4,2x3,0x0");
    CHECK(table.shape == Shape{3, 4, 3, 4});
    CHECK(row_of(table, 0, 0, 2) == sines({3, 3, 3, 3}));
    CHECK(row_of(table, 1, 0, 0) == sines({1, 1, 1, 0}));
    CHECK(row_of(table, 1, 0, 2) == sines({2, 2, 2, 0}));
    CHECK(row_of(table, 1, 2, 1) == sines({1, 2, 3, 3}));
    CHECK(row_of(table, 1, 2, 2) == sines({0, 0, 0, 0}));
    CHECK(row_of(table, 2, 0, 2) == sines({0, 0, 0, 0}));
    CHECK(row_of(table, 2, 3, 0) == std::vector<double>{1, 1, 1, 1});
}

TEST_CASE("detr: a mask file says the same as --valid, in either order of its elements") {
    const std::string drawing =
        "....|....|...."
        "...#|...#|####"
        "####|####|####";
    std::string rows = drawing;
    std::erase(rows, '|');
    std::string columns;
    for (std::size_t x = 0; x < 4; ++x) {
        for (std::size_t y = 0; y < 3; ++y) {
            for (std::size_t image = 0; image < 3; ++image) {
                columns += rows[(image * 3 + y) * 4 + x];
            }
        }
    }
    for (const std::string options : {"", " --normalize", " --normalize --offset -0.5"}) {
        CAPTURE(options);
        const std::vector<double> expected =
            values_of("detr --num-pos-feats 4 --height 3 --width 4 --valid 3x4,2x3,0x0" + options);
        const std::string command = "detr --num-pos-feats 4" + options;
        CHECK(values_with_mask(command, npy_file("|b1", "False", "(3, 3, 4)", mask_bytes(rows))) ==
              expected);
        CHECK(values_with_mask(
                  command, npy_file("|b1", "True", "(3, 3, 4)", mask_bytes(columns))) == expected);
    }
}

TEST_CASE("detr: padding between valid pixels does not count") {
    const TemporaryFolder folder;
    put(folder.path("m"), npy_file("|b1", "False", "(1, 3, 4)", mask_bytes(".#..#...####")));
    const std::string options = "--num-pos-feats 2 --mask " + folder.path("m");
    const Table plain = table_of("detr " + options);
    CHECK(row_of(plain, 0, 2, 0) == sines({1, 1, 2, 3}));
    CHECK(row_of(plain, 0, 2, 1) == sines({0, 1, 2, 3}));
    CHECK(row_of(plain, 0, 0, 0) == sines({1, 0, 1, 1}));
    CHECK(row_of(plain, 0, 0, 2) == sines({1, 1, 2, 2}));
    // The first two columns end at 1, the last two at 2.
    const Table normalized = table_of("detr --normalize --scale 3 --eps 1 " + options);
    CHECK(row_of(normalized, 0, 0, 0) == sines({1 / 2.0 * 3, 0, 1 / 3.0 * 3, 1 / 3.0 * 3}));
    CHECK(row_of(normalized, 0, 0, 1) ==
          sines({1 / 2.0 * 3, 1 / 2.0 * 3, 2 / 3.0 * 3, 2 / 3.0 * 3}));
    CHECK(row_of(normalized, 0, 2, 2) == sines({0, 0, 0, 0}));
}

TEST_CASE("detr: an image that is all padding has numbers, exact ones with an offset too") {
    const std::string mask = npy_file("|b1", "False", "(1, 2, 2)", mask_bytes("####"));
    std::vector<double> values = values_with_mask("detr --num-pos-feats 2 --normalize", mask);
    CHECK(values == std::vector<double>{0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1});
    values = values_with_mask("deformable-detr --num-pos-feats 2", mask);
    const double position = (0 - 0.5) / (0 + 1e-6) * (2 * std::numbers::pi);
    CHECK(values[3] == oracle::sin_float(position, 10000, 0, 1));
    CHECK(values[12] == oracle::cos_float(position, 10000, 0, 1));
}

TEST_CASE("detr: any cut of the table gives the same rows") {
    const Table table =
        table_of("detr --num-pos-feats 4 --height 3 --width 4 --valid 3x4,2x3 --normalize");
    const std::vector<double> all = all_values(table);
    for (std::int64_t first = 0; first < table.shape.rows(); first += 5) {
        const std::int64_t count = std::min<std::int64_t>(5, table.shape.rows() - first);
        const std::vector<double> some = read_rows(table, {first, count});
        CHECK(std::equal(some.begin(), some.end(), all.begin() + first * 4));
    }
}

TEST_CASE("detr: the channels of time count the frames in which a pixel is valid") {
    // Two frames of one row; the second pixel is padding in the first.
    const std::string mask = npy_file("|b1", "False", "(1, 2, 1, 2)", mask_bytes(".#.."));
    const auto values = values_with_mask("detr --num-pos-feats 2", mask);
    REQUIRE(values.size() == 2 * 6 * 2);
    const auto row = [&](std::size_t frame, std::size_t channel) {
        const std::size_t first = (frame * 6 + channel) * 2;
        return std::vector(values.begin() + static_cast<std::ptrdiff_t>(first),
                           values.begin() + static_cast<std::ptrdiff_t>(first + 2));
    };
    CHECK(row(0, 0) == sines({1, 0}));
    CHECK(row(1, 0) == sines({2, 1}));
    CHECK(row(0, 2) == sines({1, 0}));
    CHECK(row(0, 4) == sines({1, 1}));
    CHECK(row(1, 4) == sines({1, 2}));
}

TEST_CASE("detr: a mask of images, and --valid, hold for every frame") {
    const std::string own =
        npy_file("|b1", "False", "(2, 2, 2, 2)", mask_bytes(".#.#.#.#..##..##"));
    const std::string shared = npy_file("|b1", "False", "(2, 2, 2)", mask_bytes(".#.#..##"));
    const std::string command = "detr --num-pos-feats 4 --normalize";
    const auto expected = values_with_mask(command, own);
    CHECK(values_with_mask(command + " --frames 2", shared) == expected);
    CHECK(values_of(command + " --frames 2 --height 2 --width 2 --valid 2x1,1x2") == expected);
}

TEST_CASE("detr: axes and layouts are other orders of the same channels") {
    const std::string size = " --num-pos-feats 4 --height 2 --width 3";
    const auto usual = table_of("detr" + size);
    const auto x_first = table_of("detr --axes xy" + size);
    const auto halves = table_of("detr --layout halves" + size);
    for (std::int64_t c = 0; c < 8; ++c) {
        const std::int64_t of_axis = c % 4, axis = c - of_axis;
        CHECK(row_of(x_first, 0, c, 1) == row_of(usual, 0, (c + 4) % 8, 1));
        CHECK(row_of(halves, 0, c, 1) == row_of(usual, 0, axis + of_axis % 2 * 2 + of_axis / 2, 1));
    }
}

TEST_CASE("detr: what is no mask is refused") {
    const std::string mask = npy_file("|b1", "False", "(1, 2, 2)", mask_bytes("...#"));
    CHECK(refusal_of_mask("--batch 1 --height 2 --width 2", mask) == "accepted");
    CHECK(refusal_of_mask("--height 3", mask) ==
          "--height 3: must be 2, by the mask of shape (1, 2, 2); leave --height out");
    CHECK(refusal_of_mask("--valid 1x1", mask) ==
          "--valid: --mask already says which pixels are valid; give one or the other");
    CHECK(
        refusal_of_mask("", npy_file("<f4", "False", "(1, 1, 1)", "abcd")) ==
        "dtype float32: a mask must be bool, true where there is padding; save mask == 1, or mask "
        "== 0 where 1 marks valid pixels, as in Hugging Face's");
    CHECK(refusal_of_mask("", npy_file("|b1", "False", "(2, 2)", mask_bytes("...#"))) ==
          "shape (2, 2): a mask must be (batch, height, width) or (batch, frames, height, width)");
    CHECK(refusal_of_mask("", npy_file("|b1", "False", "(1, 0, 2)", "")) ==
          "shape (1, 0, 2): a mask must have at least one pixel");
    CHECK_THROWS_AS(refusal_of("detr --mask /nowhere/mask.npy"), FileError);
}

TEST_CASE("presets: DETR's descendants differ where they should") {
    const std::string size = " --num-pos-feats 8 --height 4 --width 5";
    CHECK(values_of("sam2" + size) == values_of("detr --normalize" + size));
    CHECK(values_of("mask2former" + size) == values_of("mmdet" + size));
    CHECK(values_of("mmdet --offset -0.5" + size) == values_of("deformable-detr" + size));
    CHECK(values_of("mmdet --temperature 20" + size) == values_of("dino" + size));
    CHECK(values_of("dab-detr" + size) == values_of("dino" + size));
    CHECK(values_of("deformable-detr" + size) != values_of("sam2" + size));
    CHECK(table_of("note0").shape == Shape{1, 128, 20, 20});
    CHECK(values_of("note0") == values_of("detr --temperature 10"));
}
