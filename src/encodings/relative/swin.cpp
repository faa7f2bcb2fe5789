#include <array>
#include <utility>

#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/window.h"
#include "encodings/parameters/with_default.h"
#include "encodings/preset.h"
#include "encodings/relative/weights.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    window_height_parameter,
    window_width_parameter,
    ParameterSpec{.name = "depth",
                  .type = ParameterType::integer,
                  .range = any_window,
                  .summary = "frames of a window, for video or volumes",
                  .role = Role::extent},
    heads_parameter,
    ParameterSpec{.name = "offsets",
                  .type = ParameterType::word,
                  .default_value = "signed",
                  .choices = "signed absolute",
                  .summary = "absolute: an offset and its opposite have one row of the table"},
    ParameterSpec{.name = "query-stride",
                  .aliases = "stride",
                  .type = ParameterType::integer,
                  .default_value = "1",
                  .range = any_window,
                  .summary = "queries are every Nth row and column of the window"},
    ParameterSpec{.name = "prefix",
                  .type = ParameterType::word,
                  .default_value = "none",
                  .choices = "none cls",
                  .summary = "cls adds a class token in front, with three rows of the table"},
    ParameterSpec{.name = "bias-table",
                  .type = ParameterType::path,
                  .summary = "NPY file: floats (rows, heads), the bias of each offset"},
    with_default(init_parameter, "trunc-normal:0,0.02,-2,2"),
    seed_parameter,
    rng_parameter,
};

/// Throws: UsageError if there are more than 2^40 offsets.
Window window_of(const Parameters& p) {
    const Window window{.height = p.integer("height"),
                        .width = p.integer("width"),
                        .has_class_token = p.word("prefix") == "cls",
                        .depth = p.has("depth") ? p.integer("depth") : 1,
                        .query_stride = p.integer("query-stride"),
                        .is_absolute = p.word("offsets") == "absolute"};
    constexpr double most = 1099511627776;
    if (static_cast<double>(window.depth) * static_cast<double>(window.height) *
            static_cast<double>(window.width) >
        most / 8) {
        throw UsageError("--depth, --height, --width: a window has at most 2^37 tokens");
    }
    return window;
}

Weights weights_of(const Parameters& p) {
    return open_weights(p, {.file_parameter = "bias-table",
                            .extents = "(rows, heads)",
                            .rows = window_of(p).offsets(),
                            .columns = p.integer("heads")});
}

Plan bias_plan(Parameters p) {
    const Weights weights = weights_of(p);
    const Window window = window_of(p);
    return {.parameters = std::move(p),
            .shape = {weights.columns, window.queries(), window.keys()},
            .axes = {head_axis(), window_axis(AxisKind::query, window),
                     window_axis(AxisKind::key, window)},
            .make_rows = [=](DType dtype) {
                return rounded(
                    rows::gathered_by_head(offset_indices(window), read_weights(weights, dtype),
                                           weights.columns),
                    dtype);
            }};
}

Plan table_plan(Parameters p) {
    const Weights weights = weights_of(p);
    return {.parameters = std::move(p),
            .shape = {weights.rows, weights.columns},
            .axes = {{.kind = AxisKind::point, .name = "offset", .label = "Offset"}, head_axis()},
            .make_rows = [weights](DType dtype) { return weight_rows(weights, dtype); }};
}

Plan plan(Parameters given, std::string_view table) {
    Parameters p = without_idle_initializer(std::move(given), {"bias-table"});
    if (table == "index") {
        const Window window = window_of(p);
        return plan_offset_indices(std::move(p), window);
    }
    return table == "bias" ? bias_plan(std::move(p)) : table_plan(std::move(p));
}

constexpr std::array tables{
    TableSpec{.name = "index",
              .summary = "the row of each pair of tokens, (queries, keys), whole numbers",
              .title = "Relative Position Index (window {height} \u00d7 {width})",
              .value_label = "Row of the Table",
              .dtype = DType::int64,
              .idle_parameters = "bias-table init seed rng",
              .promises = "relative"},
    TableSpec{.name = "bias",
              .summary = "the bias of each pair, (heads, queries, keys)",
              .title = "Relative Position Bias (window {height} \u00d7 {width})",
              .value_label = "Bias",
              .is_initial = true,
              .promises = "relative"},
    TableSpec{.name = "table",
              .summary = "the bias of each offset, (rows, heads)",
              .title = "Relative Position Bias Table (window {height} \u00d7 {width})",
              .value_label = "Bias",
              .is_initial = true},
};

constexpr std::array swin_presets{
    PresetSpec{.name = "beit",
               .settings = "--height 14 --width 14 --heads 12 --prefix cls --init constant:0",
               .summary = "BEiT: the whole image is one window, with a class token",
               .source = "microsoft/unilm, beit/modeling_finetune.py, RelativePositionBias",
               .note =
                   "735 rows; zeros before training. Hugging Face's code takes height for width "
                   "when it resizes the table, and it always does: its bias of an image that is "
                   "not square is another one."},
    PresetSpec{.name = "levit",
               .aliases = "tinyvit mobilesam efficientformer",
               .settings = "--height 14 --width 14 --heads 4 --offsets absolute --init constant:0",
               .summary = "LeViT: one row for an offset and its opposite, zeros before training",
               .source = "facebookresearch/LeViT, levit.py, Attention.attention_bias_idxs",
               .note = "Its attention_biases are --table table turned over, (heads, rows). Layers "
                       "that shrink the image have --query-stride 2. TinyViT and MobileSAM have "
                       "windows of 7 x 7, 14 x 14 and 7 x 7."},
    PresetSpec{.name = "video-swin",
               .aliases = "swin-unetr nnformer vt-unet",
               .settings = "--depth 8 --height 7 --width 7 --heads 3",
               .summary = "Video Swin: windows of 8 frames",
               .source = "SwinTransformer/Video-Swin-Transformer, mmaction/models/backbones/"
                         "swin_transformer.py, WindowAttention3D",
               .note = "Shorter clips take the upper left of the index, index[:n, :n]. MONAI's "
                       "SwinUNETR has --depth 7."},
};

}  // namespace

/// A token is a position (y, x) in a window of h x w, or (t, y, x) with --depth, counted from 0 row
/// by row; dt, dy and dx are query - key. With --query-stride s, queries are the positions whose y
/// and x are multiples of s. With --prefix cls, token 0 is the class token and has no position, and
/// the table has three rows for it after the rows of the offsets.
///
/// Tables: index (queries, keys), axes (query, key), integers; bias (heads, queries, keys), axes
/// (head, query, key); table (rows, heads), axes (offset, head).
/// The weights are read from --bias-table and rounded once, or are the tensor (rows, heads) that
/// PyTorch draws by --init right after seeding. Keeps all weights in memory, up to 2^26.
extern constinit const Encoding swin{
    .name = "swin",
    .summary =
        "a learned bias for each offset between two tokens in a window: Swin Transformer, BEiT",
    .formula =
        "index[q, k] = (dy + h - 1) (2w - 1) + dx + w - 1,  (dy, dx) = q - k\n"
        "--depth D: index[q, k] = ((dt + D - 1) (2h - 1) + dy + h - 1) (2w - 1) + dx + w - 1\n"
        "--offsets absolute: index[q, k] = (|dt| h + |dy|) w + |dx|\n"
        "bias[head, q, k] = table[index[q, k], head]\n"
        "--prefix cls, R = the rows before: index[0, k] = R, index[q, 0] = R + 1,\n"
        "index[0, 0] = R + 2",
    .source = "Liu et al. 2021, Swin Transformer, arXiv:2103.14030, section 3.2",
    .examples =
        "swin --height 2 --width 3\n"
        "swin --png index.png\n"
        "swin --table bias --heads 4 --seed 1 --npy bias.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = swin_presets,
    .plan = plan};

}  // namespace pegen::encodings
