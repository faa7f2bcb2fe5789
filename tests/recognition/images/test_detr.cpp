#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "encodings/npy_file.h"
#include "encodings/table_of.h"
#include "files/temporary_folder.h"
#include "recognition/evidence/sample_of.h"
#include "recognition/proposed.h"
#include "recognition/recognized.h"

using namespace pegen;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

/// True if the table of the settings is recognized as such.
bool is_recognized(const std::string& settings, DType dtype = DType::float32) {
    const std::string command = "detr " + settings;
    const auto proposals = find_recognized("detr", sample_of(table_of(command, dtype)));
    check_stored(proposals, command, dtype);
    std::string expected = settings;
    const std::size_t flag = expected.find("--normalize");
    if (flag != expected.npos) expected.insert(flag + std::string("--normalize").size(), " true");
    return is_proposed(expected, proposals);
}

/// True if the table with padding at these places of a mask is recognized, with the whole mask.
bool is_recognized_by_mask(Shape shape, const std::vector<std::size_t>& padded) {
    std::string padding(static_cast<std::size_t>(shape.size()), '\0');
    for (const std::size_t place : padded) padding[place] = '\1';
    const TemporaryFolder folder;
    put(folder.path("mask.npy"), npy_file("|b1", "False", to_string(shape), padding));
    const evidence::Sample sample =
        sample_of(table_of("detr --num-pos-feats 8 --mask " + folder.path("mask.npy")));
    const auto proposals = find_recognized("detr", sample);
    if (proposals.empty() || proposals[0].data.size() != 1) return false;
    const evidence::DataFile& mask = proposals[0].data[0];
    return proposed(proposals)[0] == "--num-pos-feats 8" && mask.parameter == "mask" &&
           mask.table.shape == shape &&
           all_values(mask.table) == std::vector<double>(padding.begin(), padding.end());
}

}  // namespace

TEST_CASE("detr recognition: counts and temperatures") {
    CHECK(is_recognized("--num-pos-feats 16 --height 6 --width 9"));
    CHECK(is_recognized("--num-pos-feats 16 --height 6 --width 9 --temperature 10"));
    CHECK(is_recognized("--num-pos-feats 16 --height 6 --width 9 --temperature 20,30"));
    CHECK(is_recognized("--num-pos-feats 16 --height 6 --width 9 --batch 2"));
}

TEST_CASE("detr recognition: normalization") {
    CHECK(is_recognized("--num-pos-feats 16 --height 6 --width 9 --normalize"));
    CHECK(is_recognized("--num-pos-feats 16 --height 6 --width 9 --normalize --offset -0.5"));
    CHECK(is_recognized("--num-pos-feats 16 --height 6 --width 9 --normalize --scale 1"));
    CHECK(
        is_recognized("--num-pos-feats 16 --height 6 --width 9 --normalize --scale 1 --eps 1e-05"));
    CHECK(is_recognized("--num-pos-feats 16 --height 6 --width 9 --normalize --eps 1e-05",
                        DType::bfloat16));
    CHECK(is_recognized("--num-pos-feats 4 --height 10 --width 7 --normalize --scale 6.28",
                        DType::bfloat16));
}

TEST_CASE("detr recognition: padding at the right and the bottom") {
    CHECK(is_recognized("--num-pos-feats 8 --height 6 --width 9 --valid 6x9,4x5"));
    CHECK(is_recognized(
        "--num-pos-feats 8 --height 6 --width 9 --valid 6x9,4x5 --normalize --offset -0.5"));
    CHECK(
        is_recognized("--num-pos-feats 64 --height 20 --width 30 --valid 15x30", DType::bfloat16));
}

TEST_CASE("detr recognition: padding anywhere is a mask") {
    CHECK(is_recognized_by_mask({2, 5, 6}, {8, 9, 40}));
    // Each frame of a video has its own.
    CHECK(is_recognized_by_mask({1, 3, 5, 6}, {8, 9, 40, 80}));
}

TEST_CASE("detr recognition: angles allow for positions of lines without valid pixels") {
    const evidence::Sample sample = sample_of(table_of(
        "detr --num-pos-feats 4 --height 6 --width 9 --valid 6x5 --normalize --offset -0.5"));
    const auto proposals = find_recognized("detr", sample);
    REQUIRE(!proposals.empty());
    // Channel 0 belongs to y. The pixel (0, 8) is in a column of padding: -0.5 / 1e-6 * 2 pi.
    CHECK(proposals[0].angle(0, 8) == doctest::Approx(3141592.65));
    CHECK(proposals[0].angle(0, 0) < 1);
}

TEST_CASE("detr recognition: orders of axes and layouts") {
    const std::string image = "--num-pos-feats 16 --height 6 --width 9 ";
    CHECK(is_recognized(image + "--normalize --axes xy"));
    CHECK(is_recognized(image + "--temperature 20,30 --axes xy"));
    CHECK(is_recognized(image + "--normalize --layout halves"));
    const std::string video = "--num-pos-feats 16 --frames 4 --height 6 --width 9 ";
    for (const std::string order : {"txy", "ytx", "yxt", "xty", "xyt"}) {
        CAPTURE(order);
        CHECK(is_recognized(video + "--normalize --axes " + order));
        CHECK(is_recognized(video + "--temperature 100,20,30 --axes " + order));
    }
    CHECK(is_recognized(video + "--normalize --axes xyt --layout halves"));
}

TEST_CASE("detr recognition: videos") {
    const std::string video = "--num-pos-feats 16 --frames 4 --height 6 --width 9";
    CHECK(is_recognized(video));
    CHECK(is_recognized(video + " --batch 2"));
    CHECK(is_recognized(video + " --temperature 100,20,30"));
    CHECK(is_recognized(video + " --normalize --offset -0.5"));
    CHECK(is_recognized(video + " --valid 4x5"));
    CHECK(is_recognized(video + " --valid 6x9,4x5 --normalize"));
    CHECK(is_recognized(video + " --batch 3 --normalize --eps 1e-05", DType::bfloat16));
    // Only the channels show the axis of a single frame.
    CHECK(is_recognized("--num-pos-feats 16 --frames 1 --height 6 --width 9 --normalize"));
    CHECK(is_recognized("--num-pos-feats 16 --frames 1 --height 6 --width 9 --batch 2"));
}
