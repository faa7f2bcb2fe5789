#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/parameters.h"
#include "core/table.h"
#include "numerics/interpolation.h"

namespace pegen::rows {

// How code bases bring tables of positions to another size, and the options that describe it.

/// A value of --kernel.
struct ResizingKernel {
    std::string_view name;
    numerics::Kernel kernel;
    std::string_view options = "";  ///< options that only some kernels have
};

inline constexpr std::array resizing_kernels{
    ResizingKernel{"bicubic", numerics::Kernel::cubic,
                   "antialias align-corners cubic scale offset"},
    ResizingKernel{"bilinear", numerics::Kernel::linear, "antialias align-corners scale offset"},
    ResizingKernel{"linear", numerics::Kernel::linear, "antialias align-corners scale offset"},
    ResizingKernel{"nearest", numerics::Kernel::nearest, "scale offset"},
    ResizingKernel{"nearest-exact", numerics::Kernel::nearest_exact, "scale offset"},
    ResizingKernel{"area", numerics::Kernel::area},
    ResizingKernel{"geometric", numerics::Kernel::geometric_cubic},
    ResizingKernel{"geometric-linear", numerics::Kernel::geometric_linear},
    ResizingKernel{"crop", numerics::Kernel::crop},
    ResizingKernel{"repeat", numerics::Kernel::repeat},
};

/// How a code base resizes its tables.
struct ResizingCodeBase {
    std::string_view name;
    std::string_view settings;  ///< the options one would type
    std::string_view source;
};

inline constexpr std::array resizing_code_bases{
    ResizingCodeBase{"vit", "--axes tokens --kernel bicubic --prefix 1",
                     "transformers, interpolate_pos_encoding of ViT, CLIP, BLIP and now DINOv2"},
    ResizingCodeBase{"deit", "--axes tokens --kernel bicubic --prefix 2",
                     "transformers, interpolate_pos_encoding of DeiT, with a distillation token"},
    ResizingCodeBase{"timm", "--axes tokens --kernel bicubic --antialias --prefix 1",
                     "timm/layers/pos_embed.py, resample_abs_pos_embed"},
    ResizingCodeBase{"timm-nhwc", "--axes hwd --kernel bicubic --antialias",
                     "timm/layers/pos_embed.py, resample_abs_pos_embed_nhwc, of SAM"},
    ResizingCodeBase{
        "mae", "--axes tokens --kernel bicubic --prefix 1",
        "facebookresearch/mae, util/pos_embed.py, interpolate_pos_embed; DeiT, BEiT and EVA "
        "have it, too"},
    ResizingCodeBase{
        "dinov2", "--axes tokens --kernel bicubic --offset 0.1 --prefix 1",
        "facebookresearch/dinov2, interpolate_pos_encoding; DINO; early versions of transformers"},
    ResizingCodeBase{
        "dinov2-reg", "--axes tokens --kernel bicubic --antialias --prefix 1",
        "facebookresearch/dinov2 with registers, which have no positions; transformers, "
        "dinov2_with_registers"},
    ResizingCodeBase{"open-clip", "--axes tokens --kernel bicubic --antialias --prefix 1",
                     "mlfoundations/open_clip, resize_pos_embed"},
    ResizingCodeBase{"open-clip-aligned",
                     "--axes tokens --kernel bicubic --align-corners --prefix 1",
                     "the same in early versions, which aligned corners"},
    ResizingCodeBase{"open-clip-text", "--axes sequence --kernel linear",
                     "mlfoundations/open_clip, resize_text_pos_embed"},
    ResizingCodeBase{"siglip", "--axes tokens --kernel bicubic",
                     "transformers, interpolate_pos_encoding of SigLIP; Swin's absolute_pos_embed"},
    ResizingCodeBase{"siglip2", "--axes tokens --kernel bilinear --antialias",
                     "transformers, resize_positional_embeddings of SigLIP 2"},
    ResizingCodeBase{"dpt", "--axes tokens --kernel bilinear --prefix 1",
                     "transformers, _resize_pos_embed of DPT"},
    ResizingCodeBase{"qwen-vl", "--axes tokens --kernel bicubic",
                     "Qwen-VL, visual.py, get_abs_pos"},
    ResizingCodeBase{
        "qwen3-vl", "--axes tokens --kernel bilinear --align-corners",
        "transformers, fast_pos_embed_interpolate of Qwen3-VL, before its rows are put in the "
        "order of merged patches"},
    ResizingCodeBase{"vit-jax", "--axes tokens --kernel bilinear --align-corners --prefix 1",
                     "google-research/vision_transformer, checkpoint.py, with scipy.ndimage.zoom"},
    ResizingCodeBase{"sam2", "--axes dhw --kernel bicubic",
                     "facebookresearch/sam2, pos_embed of Hiera"},
    ResizingCodeBase{"swin", "--axes tokens --window --kernel bicubic",
                     "microsoft/Swin-Transformer, utils.py, load_pretrained"},
    ResizingCodeBase{"simmim", "--axes tokens --window --kernel geometric",
                     "microsoft/Swin-Transformer, utils_simmim.py"},
    ResizingCodeBase{"beit", "--axes tokens --window --kernel geometric --suffix 3",
                     "microsoft/unilm, beit/run_class_finetuning.py; EVA; timm with "
                     "TIMM_USE_SCIPY_INTERP"},
    ResizingCodeBase{"timm-beit", "--axes tokens --window --kernel geometric-linear --suffix 3",
                     "timm/layers/pos_embed_rel.py, resize_rel_pos_bias_table"},
    ResizingCodeBase{"timm-swin", "--axes tokens --window --kernel geometric-linear",
                     "the same for Swin's tables, which have no class token"},
    ResizingCodeBase{"hf-beit", "--axes tokens --window --kernel bilinear --suffix 3",
                     "transformers, BeitRelativePositionBias; MiDaS"},
    ResizingCodeBase{
        "sam", "--axes sequence --window --kernel linear",
        "facebookresearch/segment-anything, get_rel_pos, of rel_pos_h and rel_pos_w; MViTv2"},
    ResizingCodeBase{"nanogpt", "--axes sequence --kernel crop",
                     "karpathy/nanoGPT, crop_block_size"},
    ResizingCodeBase{"longformer", "--axes sequence --kernel repeat --prefix 2",
                     "allenai/longformer, create_long_model, from RoBERTa"},
};

namespace detail {

/// The names in a list of rows, separated by spaces.
struct Words {
    std::array<char, 400> letters{};
    std::size_t size = 0;

    constexpr std::string_view text() const { return {letters.data(), size}; }
};

template <class Rows>
constexpr Words names_of(const Rows& rows) {
    Words words;
    for (const auto& row : rows) {
        if (words.size > 0) words.letters[words.size++] = ' ';
        for (const char letter : row.name) words.letters[words.size++] = letter;
    }
    return words;
}

inline constexpr Words kernel_names = names_of(resizing_kernels),
                       code_base_names = names_of(resizing_code_bases);

}  // namespace detail

/// The options that say how a table is resized.
inline constexpr std::array resizing_parameters{
    ParameterSpec{.name = "to",
                  .aliases = "new-size size",
                  .type = ParameterType::text,
                  .summary = "HxW or N: rows and columns of the new grid, or positions of a "
                             "sequence"},
    ParameterSpec{.name = "from",
                  .aliases = "old-size",
                  .type = ParameterType::text,
                  .summary = "HxW or N: size of the table's grid [a square]"},
    ParameterSpec{.name = "as",
                  .type = ParameterType::word,
                  .choices = detail::code_base_names.text(),
                  .summary = "the code base; it sets the options below"},
    ParameterSpec{.name = "kernel",
                  .aliases = "interpolation mode",
                  .type = ParameterType::word,
                  .choices = detail::kernel_names.text(),
                  .summary = "how values between the old ones are made"},
    ParameterSpec{
        .name = "antialias",
        .type = ParameterType::flag,
        .summary = "widen the kernel to make a table smaller; for any size, its a is -0.5"},
    ParameterSpec{.name = "align-corners",
                  .type = ParameterType::flag,
                  .summary = "keep the places of the first and the last value"},
    ParameterSpec{.name = "cubic",
                  .type = ParameterType::real,
                  .range = {.lowest = -4, .highest = 4},
                  .summary = "a of the bicubic kernel [-0.75; with --antialias -0.5]"},
    ParameterSpec{.name = "scale",
                  .aliases = "scale-factor",
                  .type = ParameterType::reals,
                  .range = {.lowest = 1e-6, .highest = 1e6},
                  .summary = "new values for each old one, by which places are computed, or one "
                             "number for rows and one for columns [--to / --from]"},
    ParameterSpec{.name = "offset",
                  .aliases = "interpolate-offset",
                  .type = ParameterType::real,
                  .default_value = "0",
                  .range = {.lowest = 0, .highest = 1},
                  .summary = "the scale is (--to + offset) / --from, as DINOv2 computes it"},
    ParameterSpec{.name = "prefix",
                  .aliases = "num-prefix-tokens cls",
                  .type = ParameterType::integer,
                  .range = any_index,
                  .summary = "rows before the grid, of class tokens, that are kept"},
    ParameterSpec{.name = "suffix",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = any_index,
                  .summary = "rows behind the grid that are kept"},
    ParameterSpec{.name = "window",
                  .type = ParameterType::flag,
                  .summary = "sizes are those of windows: a table has 2 N - 1 values for N"},
    ParameterSpec{.name = "axes",
                  .type = ParameterType::word,
                  .choices = "tokens sequence hwd dhw",
                  .summary = "axes of the table: the grid's points as rows, (H W, d); a sequence, "
                             "(N, d); (H, W, d); (d, H, W) [tokens for --to HxW, sequence for "
                             "--to N]"}};

/// Returns the options that the code base stands for.
Parameters parameters_of(const ResizingCodeBase& code_base);

/// Returns the kernel that --kernel names.
const ResizingKernel& kernel_of(const Parameters& p);

/// Returns how an axis of a grid, 0 for rows and 1 for columns, is resized by the kernel of `p`.
/// Throws: UsageError if the kernel cannot do it.
numerics::Interpolation interpolation_of(const Parameters& p, std::size_t axis, std::int64_t from,
                                         std::int64_t to);

/// Returns a row for each point of the resized grid: the sum of the rows of `x` weighted by the
/// weights of both axes, see numerics::weights_of(), rounded once to `dtype`. `x` has a row for
/// each point of a grid (axes[0].from, axes[1].from), in C order. A value that is a single input is
/// copied. Where an input with a weight is not finite, the sum is that of doubles. The weights are
/// computed now, by all threads; `x` is kept if it has at most 2^25 values.
/// Precondition: as weights_of(); `x` and `dtype` are floating.
Rows resized(const Rows& x, const std::array<numerics::Interpolation, 2>& axes, DType dtype);

}  // namespace pegen::rows
