#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/axis.h"
#include "core/error.h"
#include "core/number.h"
#include "encodings/encoding.h"
#include "encodings/images/grid_layout.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/grid_axes.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"
#include "rows/arranged.h"
#include "rows/grid_rows.h"

namespace pegen::encodings {
namespace {

using numerics::ChannelLayout;
using numerics::Frequencies;
using numerics::Function;
using numerics::GeometricProgression;

constexpr std::array parameters{
    height_parameter,
    width_parameter,
    depth_parameter,
    d_parameter,
    base_of_axes_parameter,
    order_parameter,
    axes_parameter,
    first_parameter,
    keep_channels_parameter,
    ParameterSpec{
        .name = "denom-shift",
        .default_value = "0",
        .summary = "subtracted from an axis's channels in the exponent's denominator: 0 or 2"},
    ParameterSpec{.name = "odd",
                  .type = ParameterType::word,
                  .default_value = "error",
                  .choices = "error zero-pad round-up",
                  .summary = "what to do with an odd number of channels for an axis"},
    start_of_axes_parameter,
    step_of_axes_parameter,
    ParameterSpec{.name = "split",
                  .type = ParameterType::text,
                  .default_value = "equal",
                  .summary = "channels per axis: equal, or numbers such as 32,16,16, or parts of d "
                             "such as 1/2,1/4,1/4, of which one may be the rest: rest,1/3,1/3"},
    ParameterSpec{.name = "tokens",
                  .type = ParameterType::word,
                  .default_value = "row",
                  .choices = "row column",
                  .summary = "the order of tokens: along rows, or down columns"},
    ParameterSpec{
        .name = "view",
        .type = ParameterType::word,
        .default_value = "tokens",
        .choices = "tokens grid channels-first",
        .summary = "shape of the table: (tokens, d), (height, width, d) or (d, height, width)"},
    prefix_rows_parameter,
    freq_scale_parameter,
    ParameterSpec{.name = "out-scale",
                  .default_value = "1",
                  .summary = "factor for all values",
                  .role = Role::scale},
    rare_arith_parameter("the exact formula, or float32 arithmetic: 1 / base^(2k / d_a)"),
};

/// Returns the number of channels of each axis, in the order of axes_of().
std::vector<std::int64_t> channels_by_axis(const Parameters& p) {
    return channels_of_axes(
        {p.word("split"), p.word("odd"), p.integer("d"), std::ssize(axes_of(p))});
}

GeometricProgression frequencies_of(const Parameters& p, char axis, std::int64_t channels) {
    return {.base = of_axis(p, "base", axis),
            .step = 2,
            .width = channels,
            .shift = p.real("denom-shift"),
            .scale = p.real("freq-scale"),
            .count = channels / 2};
}

/// Returns the nesting of the channels. `channels` has the number for each axis in the order of
/// axes_of().
GridNesting nesting_of(const Parameters& p, const std::vector<std::int64_t>& channels) {
    std::vector<std::int64_t> by_block;
    for (const char axis : p.word("axes")) by_block.push_back(channels[axes_of(p).find(axis)]);
    return {.order = p.word("order"),
            .axes = p.word("axes"),
            .channels = std::move(by_block),
            .d = p.integer("d"),
            .first = p.word("first") == "sin" ? Function::sin : Function::cos};
}

void check_channels(const Parameters& p) {
    const std::vector<std::int64_t> channels = channels_by_axis(p);
    const bool are_equal =
        std::ranges::adjacent_find(channels, std::not_equal_to()) == channels.end();
    if (p.word("order").front() != 'a' && !are_equal) {
        throw UsageError(
            fmt::format("--order {}: needs as many channels for each axis; use an order that "
                        "begins with a, or --split equal",
                        p.word("order")));
    }
    const double shift = p.real("denom-shift");
    for (const std::int64_t count : channels) {
        if (count <= 2 || static_cast<double>(count) > shift) continue;
        throw UsageError(
            fmt::format("--denom-shift {}: must be less than {}, the channels of an axis",
                        shortest(shift), count));
    }
}

void check_view(const Parameters& p) {
    const std::string& view = p.word("view");
    if (view == "tokens") return;
    if (p.word("tokens") == "column") {
        throw UsageError(fmt::format(
            "--tokens column: --view {} has no order of tokens; use --tokens row", view));
    }
    if (p.integer("prefix-rows") > 0) {
        throw UsageError(fmt::format("--prefix-rows {}: --view {} has no rows in front; use 0",
                                     p.integer("prefix-rows"), view));
    }
    // These views compute each channel along a whole axis.
    constexpr std::int64_t longest = 1 << 20;
    for (const char axis : axes_of(p)) {
        if (view == "grid" || extent(p, axis) <= longest) continue;
        throw UsageError(
            fmt::format("--{} {}: must be at most {} with --view channels-first; use --view grid",
                        extent_name(axis), extent(p, axis), longest));
    }
}

void check_extents(const Parameters& p) {
    for (const char axis : axes_of(p)) {
        check_last_position(extent_name(axis), of_axis(p, "start", axis), of_axis(p, "step", axis),
                            extent(p, axis));
    }
}

Parameters resolved(Parameters p) {
    p = resolve_axes(std::move(p));
    for (const char* name : {"base", "start", "step"}) check_of_axes(p, name);
    check_channels(p);
    check_view(p);
    check_extents(p);
    return p;
}

/// The waves of an axis of the grid, as given by the parameters.
struct AxisWaves {
    char name;    ///< t, y or x
    Waves waves;  ///< a row for each index, with all channels; the channels of other axes are 0
};

/// The grid, as given by the parameters.
struct Grid {
    std::vector<AxisWaves> axes;  ///< slowest first, as in an image
    std::int64_t d;
    std::string view;
    bool is_by_columns;
    std::int64_t prefix_rows;

    bool is_tokens() const { return view == "tokens"; }
};

Waves waves_of(const Parameters& p, char axis, std::int64_t channels, const GridNesting& nesting) {
    const Positions positions(of_axis(p, "start", axis), of_axis(p, "step", axis), extent(p, axis));
    Waves waves = geometric_waves(p, positions, layout_of(nesting, axis),
                                  frequencies_of(p, axis, channels), "--base, --freq-scale");
    waves.scale = p.real("out-scale");
    waves.scale_name = "out-scale";
    return waves;
}

Grid grid_of(const Parameters& p) {
    const std::vector<std::int64_t> channels = channels_by_axis(p);
    const GridNesting nesting = nesting_of(p, channels);
    std::vector<AxisWaves> axes;
    for (const char axis : axes_of(p)) {
        axes.push_back({axis, waves_of(p, axis, channels[axes.size()], nesting)});
    }
    return {.axes = std::move(axes),
            .d = p.integer("d"),
            .view = p.word("view"),
            .is_by_columns = p.word("tokens") == "column",
            .prefix_rows = p.integer("prefix-rows")};
}

Rows rows_of(const Grid& grid, DType dtype) {
    std::vector<Rows> axes;
    for (const AxisWaves& axis : grid.axes) axes.push_back(wave_rows(axis.waves, dtype));
    if (grid.view == "channels-first") return rows::channel_rows(axes);
    if (grid.is_by_columns) std::swap(axes.back(), *(axes.end() - 2));
    return rows::with_zero_rows_before(rows::point_rows(axes), grid.prefix_rows);
}

std::vector<ChannelPair> pairs_of(const Grid& grid) {
    std::vector<ChannelPair> pairs;
    for (const AxisWaves& axis : grid.axes) {
        std::ranges::copy(numerics::pairs_of(axis.waves.layout), std::back_inserter(pairs));
    }
    return pairs;
}

std::vector<std::int64_t> extents_of(const Grid& grid) {
    std::vector<std::int64_t> extents;
    for (const AxisWaves& axis : grid.axes) extents.push_back(axis.waves.positions.size());
    return extents;
}

Shape shape_of(const Grid& grid, std::int64_t points) {
    if (grid.is_tokens()) return {grid.prefix_rows + points, grid.d};
    std::vector<std::int64_t> extents = extents_of(grid);
    extents.insert(grid.view == "grid" ? extents.end() : extents.begin(), grid.d);
    return Shape(std::move(extents));
}

std::vector<Axis> table_axes(const Grid& grid) {
    if (grid.is_tokens()) {
        return {{.kind = AxisKind::point,
                 .name = "token",
                 .label = "Token",
                 .rows_before = grid.prefix_rows,
                 .extents = extents_of(grid),
                 .is_by_columns = grid.is_by_columns},
                channel_axis()};
    }
    constexpr std::array<std::pair<const char*, const char*>, 3> names{
        {{"depth", "Depth"}, {"height", "Height"}, {"width", "Width"}}};
    std::vector<Axis> axes;
    for (const AxisWaves& axis : grid.axes) {
        const auto [name, label] = names[names.size() - grid.axes.size() + axes.size()];
        axes.push_back({.kind = AxisKind::pixel,
                        .name = name,
                        .label = label,
                        .positions = axis.waves.positions});
    }
    axes.insert(grid.view == "grid" ? axes.end() : axes.begin(), channel_axis());
    return axes;
}

/// The place of a value in the table.
struct Place {
    std::vector<std::int64_t> point;  ///< index on each axis; empty: a row before it
    std::int64_t channel;
};

Place place_of(const Grid& grid, std::span<const std::int64_t> index) {
    if (grid.is_tokens()) return {grid_index(table_axes(grid).front(), index[0]), index[1]};
    const bool is_last = grid.view == "grid";
    const auto point = is_last ? index.first(index.size() - 1) : index.subspan(1);
    return {{point.begin(), point.end()}, is_last ? index.back() : index.front()};
}

Cell cell_of(const Grid& grid, std::span<const std::int64_t> index) {
    const auto [point, channel] = place_of(grid, index);
    if (point.empty()) return zero_cell("The row is one of --prefix-rows, which are zero.");
    for (std::size_t i = 0; i < point.size(); ++i) {
        const AxisWaves& axis = grid.axes[i];
        if (!content_of(axis.waves.layout, channel)) continue;
        Cell cell = cell_of(axis.waves, point[i], channel);
        cell.of = axis.name;
        return cell;
    }
    return zero_cell("The channel is left over by --odd zero-pad, and zero.");
}

Plan plan(Parameters given, std::string_view) {
    const Parameters p = resolved(std::move(given));
    const Grid grid = grid_of(p);
    return {.parameters = p,
            .shape = shape_of(grid, point_count(p)),
            .axes = table_axes(grid),
            .make_rows = [grid](DType dtype) { return rows_of(grid, dtype); },
            .pairs = [grid] { return pairs_of(grid); },
            .cell = [grid](std::span<const std::int64_t> index) { return cell_of(grid, index); }};
}

std::string formula_of(const Parameters& p) {
    const auto number = [&](std::string_view name) {
        const std::string text = to_string(p.value(name));
        return text.find(',') == text.npos ? text : fmt::format("{}_a", name);
    };
    std::string position = progression_text(number("start"), number("step"), "i_a");
    if (position != "i_a") position = fmt::format("({})", position);
    const std::string shares = p.word("split") == "equal"
                                   ? fmt::format("d / {} each", axes_of(p).size())
                                   : fmt::format("{} of {}", p.word("split"), axes_of(p));
    return fmt::format(
        "PE[token, (a, k, f)] = {}, f = {}\n"
        "i_a: the token's index on axis a = {}; d_a: the channels of the axis, {}\n"
        "(a, k, f): nested as {}, slowest first\n",
        wave_text(p, "f", {position, "2k", "d_a"}),
        p.word("first") == "sin" ? "sin, cos" : "cos, sin",
        p.has("axes") ? p.word("axes") : std::string(axes_of(p)), shares, p.word("order"));
}

constexpr std::array tables{
    TableSpec{.name = "encoding",
              .summary = "the encoding, (tokens, d) or as --view says",
              .title = "Grid Positional Encoding (d_model={d}, height={height}, width={width})",
              .value_label = "Positional Encoding Values",
              .promises = "unique bounded rotation offset spacing"}};

constexpr std::array grid_presets{
    PresetSpec{
        .name = "aimv2",
        .aliases = "hf-aimv2",
        .settings = "--order afk --axes xy",
        .summary = "AIMv2 with sines and cosines, in Hugging Face's code",
        .source = "huggingface/transformers, src/transformers/models/aimv2/modeling_aimv2.py",
        .note = "The table of mae, in the dtype of the model. A d that 4 does not divide is "
                "refused here; "
                "the code returns a narrower table."},
    PresetSpec{.name = "big-vision",
               .settings = "--order afk --axes xy --denom-shift 2",
               .summary = "Big Vision's ViT: posemb_sincos_2d",
               .source = "google-research/big_vision, big_vision/models/vit.py",
               .note =
                   "It says it follows MoCo v3, but has d / 2 - 2 in the exponent and x first on "
                   "every grid: it is simple-vit."},
    PresetSpec{.name = "cosmos",
               .settings = "--depth 8 --order afk --axes tyx --split rest,1/3,1/3",
               .summary = "Cosmos' videos: time, y, x, with what does not divide left to time",
               .source = "NVIDIA's Cosmos, position embeddings, SinCosPosEmbAxis",
               .note = "Extrapolation ratios divide positions: --step 1/RATIO, of t, y and x. Its "
                       "RoPE is another table."},
    PresetSpec{.name = "diffusers-2d",
               .settings = "--height 16 --width 16 --order afk --axes xy",
               .summary = "Diffusers' get_2d_sincos_pos_embed for a grid of its base size",
               .source = "huggingface/diffusers, src/diffusers/models/embeddings.py",
               .note =
                   "Positions are scaled to base_size, 16 unless a model says otherwise: for other "
                   "grids give --step base_size/height/interpolation_scale and the same of the "
                   "width as numbers, so 32 x 32 is --step 0.5. extra_tokens are --prefix-rows. "
                   "float64 in its code: --dtype float64."},
    PresetSpec{.name = "diffusers-3d",
               .aliases = "slowfast internvideo",
               .settings = "--depth 8 --order afk --axes txy --split 1/4,3/8,3/8",
               .summary = "Diffusers' get_3d_sincos_pos_embed: CogVideoX",
               .source = "huggingface/diffusers, src/diffusers/models/embeddings.py",
               .note = "The table is (frames, height * width, d) there. Its scales are --step "
                       "1/temporal,1/spatial,1/spatial as numbers, its spatial_size is width and "
                       "height. float64 in its code: --dtype float64."},
    PresetSpec{
        .name = "fairseq2-2d",
        .settings = "--order afk --axes yx --odd round-up --view grid",
        .summary = "fairseq2's Sinusoidal2dPositionEncoder",
        .source = "facebookresearch/fairseq2, src/fairseq2/nn/position_encoder.py",
        .note =
            "fairseq2's encoder of one axis has d - 2 in the exponent, this one has not. An odd d "
            "is an error there."},
    PresetSpec{
        .name = "fairseq2-3d",
        .settings =
            "--depth 8 --order afk --axes tyx --split 1/2,1/4,1/4 --odd round-up --view grid",
        .summary = "fairseq2's Sinusoidal3dPositionEncoder: half of the channels for the depth",
        .source = "facebookresearch/fairseq2, src/fairseq2/nn/position_encoder.py",
        .note = "uniform_power is --split equal. An odd d is an error there."},
    PresetSpec{
        .name = "jepa",
        .aliases = "hf-2d vjepa rosettafold-2d",
        .settings = "--order afk --axes yx",
        .summary = "V-JEPA's get_2d_sincos_pos_embed: y before x",
        .source = "facebookresearch/jepa, src/models/utils/pos_embs.py",
        .note = "A function of the same name as mae's and I-JEPA's, but y comes first. float64 in "
                "its code: --dtype float64. cls_token is --prefix-rows 1."},
    PresetSpec{
        .name = "jepa-3d",
        .settings = "--depth 8 --order afk --axes tyx --split 1/2,1/4,1/4",
        .summary = "V-JEPA's get_3d_sincos_pos_embed: half of the channels for the frames",
        .source = "facebookresearch/jepa, src/models/utils/pos_embs.py",
        .note =
            "This is the function's default. The models V-JEPA trains set uniform_power: --split "
            "equal --odd round-up. float64 in its code: --dtype float64."},
    PresetSpec{.name = "loftr",
               .aliases = "kornia",
               .settings = "--d 256 --order kaf --axes xy --start 1 --view channels-first",
               .summary = "LoFTR: sin x, cos x, sin y, cos y of each frequency, counted from 1",
               .source = "zju3dv/LoFTR, src/loftr/utils/position_encoding.py",
               .note =
                   "This is temp_bug_fix=True. All weights but indoor_ds_new need False, a slip of "
                   "precedence by which the base is e^(d/2): for d 256, --base "
                   "3.887708405994595e55."},
    PresetSpec{.name = "mae",
               .aliases = "dit ijepa climax croco satmae monai scenic cotracker",
               .settings = "--order afk --axes xy",
               .summary = "Masked Autoencoders, I-JEPA, DiT: x before y, sines before cosines",
               .source = "facebookresearch/mae, util/pos_embed.py",
               .note = "The names emb_h and emb_w are swapped in its code: x comes first. float64 "
                       "there: --dtype float64. cls_token is --prefix-rows 1."},
    PresetSpec{.name = "mmgen",
               .aliases = "mmgeneration",
               .settings = "--order afk --axes xy --start 1 --denom-shift 2 --view channels-first",
               .summary = "MMGeneration's grid of SinusoidalPositionalEmbedding, from 1",
               .source = "open-mmlab/mmgeneration, "
                         "mmgen/models/architectures/positional_encoding.py, make_grid2d",
               .note =
                   "--d counts the channels of both axes: twice embedding_dim. Its center_shift "
                   "changes nothing, as positions are counted anew; div_half_dim is "
                   "--denom-shift 0."},
    PresetSpec{.name = "moco-v3",
               .aliases = "mmpretrain",
               .settings = "--order afk --axes xy --tokens column --prefix-rows 1",
               .summary = "MoCo v3: x before y, but tokens go down columns",
               .source = "facebookresearch/moco-v3, vits.py",
               .note =
                   "On a square grid that is jepa with a class token; on others tokens and patches "
                   "do not match."},
    PresetSpec{.name = "monai-3d",
               .settings = "--d 768 --depth 8 --order afk --axes ytx --odd zero-pad",
               .summary = "MONAI's volumes: the channels of the second axis come first",
               .source = "Project-MONAI/MONAI, monai/networks/blocks/pos_embed_utils.py, "
                         "build_sincos_position_embedding",
               .note = "Its h, w, d are --depth, --height, --width: the last runs fastest, and the "
                       "channels are those of w, h, d. In two dimensions it is moco-v3."},
    PresetSpec{.name = "note3",
               .settings = "",
               .summary = "what tutorials show as MAE's: y before x, sin and cos interleaved",
               .source = "tutorials that take the table of one axis for each half of the channels",
               .note = "MAE's own table puts x first, and sines before cosines: that is mae."},
    PresetSpec{.name = "prithvi",
               .aliases = "terratorch",
               .settings = "--depth 3 --order afk --axes xyt --split 1/4,3/8,3/8",
               .summary = "Prithvi's frames of satellite images: x, y, then time",
               .source = "NASA-IMPACT/hls-foundation-os and IBM/terratorch, "
                         "get_3d_sincos_pos_embed",
               .note = "A class token is --prefix-rows 1."},
    PresetSpec{
        .name = "rt-detr",
        .settings = "--order afk --axes xy --tokens column",
        .summary = "RT-DETR's encoder; also Ultralytics",
        .source = "lyuwenyu/RT-DETR, rtdetr_pytorch/src/zoo/rtdetr/hybrid_encoder.py",
        .note = "Tokens go down columns, those of the image along rows: on other than square "
                "grids they do not match. Hugging Face's port has since been mended: it is jepa."},
    PresetSpec{.name = "scenic-3d",
               .settings = "--d 768 --depth 8 --order afk --axes txy --odd zero-pad",
               .summary = "Scenic's fixed positions of videos: time, x, y",
               .source = "google-research/scenic, scenic/model_lib/layers/attention_layers.py, "
                         "get_fixed_sincos_position_embedding",
               .note = "In two dimensions it is big-vision without --denom-shift 2, as mae."},
    PresetSpec{.name = "simple-vit",
               .settings = "--order afk --axes xy --denom-shift 2",
               .summary = "vit-pytorch's SimpleViT: like mae, but the lowest frequency is 1 / base",
               .source = "lucidrains/vit-pytorch, vit_pytorch/simple_vit.py",
               .note = "d 4 gives NaN there; here the exponent of a single frequency is 0."},
    PresetSpec{
        .name = "simple-vit-3d",
        .settings = "--depth 8 --order afk --axes xyt --denom-shift 2 --odd zero-pad",
        .summary = "vit-pytorch's SimpleViT for video",
        .source = "lucidrains/vit-pytorch, vit_pytorch/simple_vit_3d.py",
        .note = "What d leaves over beyond a multiple of 6 is zeros at the end. A single frequency "
                "gives NaN there; here its exponent is 0."},
    PresetSpec{.name = "t2t-nd",
               .aliases = "tensor2tensor-nd",
               .settings = "--order afk --denom-shift 2 --odd zero-pad --view grid",
               .summary = "Tensor2Tensor's add_timing_signal_nd, with two axes or --depth",
               .source = "tensorflow/tensor2tensor, tensor2tensor/layers/common_attention.py",
               .note =
                   "--freq-scale is min_timescale, which multiplies; --base is max_timescale / "
                   "min_timescale. A single frequency gives NaN there; here its exponent is 0."},
    PresetSpec{
        .name = "tatp22",
        .settings = "--odd round-up --view grid",
        .summary = "PositionalEncoding2D and, with --depth, 3D",
        .source = "tatp22/multidim-positional-encoding, positional_encodings/torch_encodings.py",
        .note = "Its x is the first axis of the tensor. Old releases had sines before cosines. "
                "The Permute classes are --view channels-first."},
    PresetSpec{.name = "timm",
               .aliases = "timm-sincos2d",
               .settings = "--order fak --axes yx",
               .summary = "timm's build_sincos2d_pos_embed: all sines before all cosines",
               .source = "huggingface/pytorch-image-models, timm/layers/pos_embed_sincos.py",
               .note =
                   "interleave_sin_cos interleaves no channels, it is --order afk; reverse_coord "
                   "is --axes xy --tokens column."},
    PresetSpec{
        .name = "wzlxjtu",
        .aliases = "demucs-2d",
        .settings = "--order akf --axes xy --view channels-first",
        .summary = "positionalencoding2d, copied from an early gist: x before y, channels first",
        .source = "wzlxjtu/PositionalEncoding2D, positionalembedding2d.py",
        .note = "DETR's on an image without padding has y first and counts from 1. Demucs has "
                "max_period, --base."},
};

}  // namespace

/// i_a counts from 0, k = 0 ... d_a / 2 - 1. The exponent of k = 0 is 0 even if the denominator is
/// not positive. The channels list the axes in the order of --axes and the functions in the order
/// of --first. An --order that does not begin with a needs equal d_a. With --odd zero-pad, d_a is
/// the largest even number up to the share of the axis, and channels of zeros follow at the end.
/// With --odd round-up, d_a is the smallest even number from the share up, and the surplus channels
/// at the end are left out.
///
/// Table: encoding. Its shape depends on --view. tokens: (prefix-rows + tokens, d), axes (token,
/// channel), with x running fastest, or y with --tokens column, and t always slowest. grid:
/// ([depth,] height, width, channel). channels-first: (channel, [depth,] height, width).
/// Correctly rounded, unless --arith float32 rounds at every step. Parameters that are lists have
/// the order depth, height, width.
extern constinit const Encoding grid{
    .name = "grid",
    .summary = "sines and cosines for the rows and columns of an image, and the frames of a video",
    .formula =
        "out-scale * f((start + step * i_a) * freq-scale * base^(-2k / (d_a - denom-shift))),\n"
        "f = sin, cos; i_a: the token's index on axis a; d_a: the channels of the axis, --split;\n"
        "channel: the rank of (a, k, f) in the nesting --order, slowest first",
    .formula_of = formula_of,
    .source = "the sinusoids of Vaswani et al. 2017, arXiv:1706.03762, along each axis of a grid",
    .examples =
        "grid --height 2 --width 3 --d 8\n"
        "grid --height 14 --width 14 --d 64 --png grid.png\n"
        "grid --height 24 --width 32 --d 256 --base 20 --npy grid.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = grid_presets,
    .plan = plan};

}  // namespace pegen::encodings
