#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "program.h"

TEST_CASE("signatures: the words of other code make the tables of this program's words") {
    const std::pair<const char*, const char*> same[]{
        {"mae --grid-size 6 --d 8", "mae --height 6 --width 6 --d 8"},
        {"mae --grid_size=6x4 --d 8", "mae --height 6 --width 4 --d 8"},
        {"jepa-3d --grid-size 2,6,4 --d 16", "jepa-3d --depth 2 --height 6 --width 4 --d 16"},
        {"mae --img-size 224 --patch-size 16 --d 8", "mae --height 14 --width 14 --d 8"},
        {"mae --d 8 --patch_size 16 --img_size 64,32", "mae --height 4 --width 2 --d 8"},
        {"jepa-3d --image-size 4x64x32 --patch-size 2x16x16 --d 16",
         "jepa-3d --depth 2 --height 4 --width 2 --d 16"},
        {"mae --grid-size 6 --height 4 --d 8", "mae --height 4 --width 6 --d 8"},
        {"mae --height 4 --grid-size 6 --d 8", "mae --height 6 --width 6 --d 8"},
        {"swin --window-size 7", "swin --height 7 --width 7"},
        {"nerf --num-freqs 4", "nerf --freqs pow2:4"},
        {"nerf --L 4", "nerf --freqs pow2:4"},
        {"alibi --causal --len 5", "alibi --mask causal --len 5"},
        {"learned --std 0.02 --len 3 --d 4", "learned --init normal:0,0.02 --len 3 --d 4"},
        {"timm-vit --std 0.5 --len 3 --d 4",
         "timm-vit --init trunc-normal:0,0.5,-2,2 --len 3 --d 4"},
        {"learned --num-embeddings 3 --embedding-dim 4", "learned --len 3 --d 4"},
        {"sinusoid --max-seq-len 3 --D-Model 4 --layout Halves",
         "sinusoid --len 3 --d 4 --layout halves"},
        {"SINUSOID --len 3 --d 4 --Denom-Shift 1", "sinusoid --len 3 --d 4 --denom-shift 1"},
        {"GPT2 --len 3 --d 4", "gpt2 --len 3 --d 4"},
        {"sinusoid --len 3 --d 4 --dtype fp16", "sinusoid --len 3 --d 4 --dtype f16"},
    };
    for (const auto& same_table : same) {
        const std::string theirs = same_table.first, ours = same_table.second;
        CAPTURE(theirs);
        const ProgramRun run = run_program(theirs + " --csv -");
        CHECK(run.status == 0);
        CHECK(run.errors.empty());
        CHECK(run.output == run_program(ours + " --csv -").output);
    }
}

TEST_CASE("signatures: what they do not say is refused") {
    const std::pair<const char*, const char*> refusals[]{
        {"mae --img-size 224", "--img-size 224: needs --patch-size, the pixels of a patch"},
        {"mae --patch-size 16", "--patch-size 16: needs --img-size, the pixels of an image"},
        {"mae --img-size 224 --patch-size 15",
         "--img-size 224: must be a multiple of --patch-size 15"},
        {"mae --img-size 224 --patch-size 0",
         "--patch-size 0: must be one size from 1, as in 14, or height and width, 14x10, or depth "
         "too, 8x14x10"},
        {"mae --grid-size x",
         "--grid-size x: must be one size from 1, as in 14, or height and width, 14x10, or depth "
         "too, 8x14x10"},
        {"mae --grid-size", "--grid-size: needs a value"},
        {"nerf --num-freqs --csv -", "--num-freqs: needs a value"},
        {"nerf --num-freqs ten", "--num-freqs ten: not an integer"},
        {"alibi --causal=false", "--causal false: takes no value"},
        // The mask of an image is a file.
        {"detr --causal", "--causal: unknown option of detr; segments and t5 have it"},
        {"sinusoid --grid-size 4", "--grid-size: unknown option; see pe-gen sinusoid --help"},
        // Perceiver's bands are even steps, up to a resolution.
        {"perceiver --num-freqs 4", "--num-freqs: unknown option; see pe-gen perceiver --help"},
        {"sinusoid --causal", "--causal: unknown option of sinusoid; segments and t5 have it"},
    };
    for (const auto& [arguments, message] : refusals) {
        CHECK(run_program(arguments).errors == "pe-gen: " + std::string(message) + "\n");
    }
}
