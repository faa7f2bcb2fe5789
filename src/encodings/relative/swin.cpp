#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "encodings/cell.h"
#include "encodings/encoding.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/weights.h"
#include "encodings/parameters/window.h"
#include "rows/arranged.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    window_height_parameter,
    window_width_parameter,
    window_depth_parameter,
    ParameterSpec{.name = "key-height",
                  .type = ParameterType::integer,
                  .range = any_window,
                  .summary = "rows of the keys' window, if it is another [height]",
                  .role = Role::extent},
    ParameterSpec{.name = "key-width",
                  .type = ParameterType::integer,
                  .range = any_window,
                  .summary = "tokens per row of the keys' window [width]",
                  .role = Role::extent},
    heads_parameter,
    ParameterSpec{.name = "offsets",
                  .type = ParameterType::word,
                  .default_value = "signed",
                  .choices = "signed absolute",
                  .summary = "absolute: an offset and its opposite have one row of the table"},
    ParameterSpec{.name = "sign",
                  .type = ParameterType::word,
                  .default_value = "query-key",
                  .choices = "query-key key-query",
                  .summary = "how offsets are counted"},
    ParameterSpec{.name = "axes",
                  .type = ParameterType::word,
                  .default_value = "yx",
                  .choices = "yx xy",
                  .summary = "the order of dy and dx in the index"},
    ParameterSpec{.name = "numbering",
                  .type = ParameterType::word,
                  .default_value = "from-0",
                  .choices = "from-0 hat",
                  .summary = "hat: less key extent - 2 along y and x, as in HAT; negative numbers "
                             "are rows from the end",
                  .is_rare = true},
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

/// Returns how much larger the keys' window is along an axis.
std::int64_t more_keys(const Parameters& p, std::string_view keys, std::string_view queries) {
    return p.has(keys) ? p.integer(keys) - p.integer(queries) : 0;
}

/// Throws: UsageError if there are more than 2^40 offsets, or if HAT's numbers are no rows.
Window window_of(const Parameters& p) {
    const Window window{.height = p.integer("height"),
                        .width = p.integer("width"),
                        .has_class_token = p.word("prefix") == "cls",
                        .depth = p.has("depth") ? p.integer("depth") : 1,
                        .query_stride = p.integer("query-stride"),
                        .is_absolute = p.word("offsets") == "absolute",
                        .more_key_rows = more_keys(p, "key-height", "height"),
                        .more_key_columns = more_keys(p, "key-width", "width"),
                        .is_key_minus_query = p.word("sign") == "key-query",
                        .is_x_before_y = p.word("axes") == "xy",
                        .is_numbered_as_hat = p.word("numbering") == "hat"};
    constexpr double most = 1099511627776;
    if (static_cast<double>(window.depth) *
            static_cast<double>(std::max(window.height, window.key_height())) *
            static_cast<double>(std::max(window.width, window.key_width())) >
        most / 8) {
        throw UsageError("--depth, --height, --width: a window has at most 2^37 tokens");
    }
    if (window.is_absolute && window.is_key_minus_query) {
        throw UsageError("--sign key-query: absolute offsets have no sign; leave it out");
    }
    if (!window.is_numbered_as_hat) return window;
    if (window.is_absolute || window.has_class_token ||
        std::min(window.key_height(), window.key_width()) < 2) {
        throw UsageError(
            "--numbering hat: needs signed offsets, no class token, and keys in at least 2 x 2 "
            "places; use --numbering from-0");
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
            .make_rows =
                [=](DType dtype) {
                    return by_offset(rows::transposed(weight_rows(weights, dtype)), window);
                },
            .cell =
                [=](std::span<const std::int64_t> index) {
                    Cell cell = offset_cell(window, index[1], index[2]);
                    cell.value = {.text = fmt::format("table[{}, {}]", cell.value.text, index[0])};
                    return cell;
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
    p = with_extent_of(std::move(p), "bias-table", 1, "heads");
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
    PresetSpec{.name = "hat",
               .aliases = "ocab",
               .settings = "--height 16 --width 16 --key-height 24 --key-width 24 --heads 6 "
                           "--sign key-query --numbering hat",
               .summary = "HAT: overlapping cross attention, keys in a window of 24 x 24",
               .source = "XPixelGroup/HAT, hat/archs/hat_arch.py, calculate_rpi_oca",
               .note = "The offset is key - query, and the shift that should make the smallest "
                       "number 0 makes many negative, which PyTorch takes from the end of the "
                       "table: --numbering from-0 has other rows. With overlap_ratio r, "
                       "--key-height is (1 + r) height. DRCT and HMA have Swin's index."},
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
/// by row; dt, dy and dx are query - key, unless --sign says otherwise. The keys' window, of kh x
/// kw, begins at the same position. With --query-stride s, queries are the positions whose y and x
/// are multiples of s. With --prefix cls, token 0 is the class token and has no position, and the
/// table has three rows for it after the rows of the offsets.
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
        "--offsets absolute: index[q, k] = (|dt| max(h, kh) + |dy|) max(w, kw) + |dx|\n"
        "--axes xy: index[q, k] = (dx + w - 1) (2h - 1) + dy + h - 1\n"
        "--key-height kh, --key-width kw: index[q, k] = (dy + kh - 1) (w + kw - 1) + dx + kw - 1\n"
        "--sign key-query: index[q, k] = (dy + h - 1) (w + kw - 1) + dx + w - 1,  (dy, dx) = k - "
        "q\n"
        "--numbering hat: (kh - 2) (w + kw - 1) + kw - 2 less; --axes xy: (kw - 2) (h + kh - 1) + "
        "kh - 2 less\n"
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
