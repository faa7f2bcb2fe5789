#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "cli/apply/array.h"
#include "cli/apply/operations.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "rows/arithmetic.h"
#include "rows/arranged.h"
#include "rows/resized.h"

namespace pegen::cli {
namespace {

using numerics::Interpolation;
using numerics::Kernel;

struct NamedKernel {
    std::string_view name;
    Kernel kernel;
    std::string_view options = "";  ///< options that only some kernels have
};

constexpr std::array kernels{
    NamedKernel{"bicubic", Kernel::cubic, "antialias align-corners cubic scale offset"},
    NamedKernel{"bilinear", Kernel::linear, "antialias align-corners scale offset"},
    NamedKernel{"linear", Kernel::linear, "antialias align-corners scale offset"},
    NamedKernel{"nearest", Kernel::nearest, "scale offset"},
    NamedKernel{"nearest-exact", Kernel::nearest_exact, "scale offset"},
    NamedKernel{"area", Kernel::area},
    NamedKernel{"geometric", Kernel::geometric_cubic},
    NamedKernel{"geometric-linear", Kernel::geometric_linear},
    NamedKernel{"crop", Kernel::crop},
    NamedKernel{"repeat", Kernel::repeat},
};

/// How a code base resizes its tables: the options one would type.
struct CodeBase {
    std::string_view name;
    std::string_view settings;
    std::string_view source;
};

constexpr std::array code_bases{
    CodeBase{"vit", "--axes tokens --kernel bicubic --prefix 1",
             "transformers, interpolate_pos_encoding of ViT, CLIP, BLIP and now DINOv2"},
    CodeBase{"deit", "--axes tokens --kernel bicubic --prefix 2",
             "transformers, interpolate_pos_encoding of DeiT, with a distillation token"},
    CodeBase{"timm", "--axes tokens --kernel bicubic --antialias --prefix 1",
             "timm/layers/pos_embed.py, resample_abs_pos_embed"},
    CodeBase{"timm-nhwc", "--axes hwd --kernel bicubic --antialias",
             "timm/layers/pos_embed.py, resample_abs_pos_embed_nhwc, of SAM"},
    CodeBase{"mae", "--axes tokens --kernel bicubic --prefix 1",
             "facebookresearch/mae, util/pos_embed.py, interpolate_pos_embed; DeiT, BEiT and EVA "
             "have it, too"},
    CodeBase{
        "dinov2", "--axes tokens --kernel bicubic --offset 0.1 --prefix 1",
        "facebookresearch/dinov2, interpolate_pos_encoding; DINO; early versions of transformers"},
    CodeBase{"dinov2-reg", "--axes tokens --kernel bicubic --antialias --prefix 1",
             "facebookresearch/dinov2 with registers, which have no positions; transformers, "
             "dinov2_with_registers"},
    CodeBase{"open-clip", "--axes tokens --kernel bicubic --antialias --prefix 1",
             "mlfoundations/open_clip, resize_pos_embed"},
    CodeBase{"open-clip-aligned", "--axes tokens --kernel bicubic --align-corners --prefix 1",
             "the same in early versions, which aligned corners"},
    CodeBase{"open-clip-text", "--axes sequence --kernel linear",
             "mlfoundations/open_clip, resize_text_pos_embed"},
    CodeBase{"siglip", "--axes tokens --kernel bicubic",
             "transformers, interpolate_pos_encoding of SigLIP; Swin's absolute_pos_embed"},
    CodeBase{"siglip2", "--axes tokens --kernel bilinear --antialias",
             "transformers, resize_positional_embeddings of SigLIP 2"},
    CodeBase{"dpt", "--axes tokens --kernel bilinear --prefix 1",
             "transformers, _resize_pos_embed of DPT"},
    CodeBase{"qwen-vl", "--axes tokens --kernel bicubic", "Qwen-VL, visual.py, get_abs_pos"},
    CodeBase{"qwen3-vl", "--axes tokens --kernel bilinear --align-corners",
             "transformers, fast_pos_embed_interpolate of Qwen3-VL, before its rows are put in the "
             "order of merged patches"},
    CodeBase{"vit-jax", "--axes tokens --kernel bilinear --align-corners --prefix 1",
             "google-research/vision_transformer, checkpoint.py, with scipy.ndimage.zoom"},
    CodeBase{"sam2", "--axes dhw --kernel bicubic", "facebookresearch/sam2, pos_embed of Hiera"},
    CodeBase{"swin", "--axes tokens --window --kernel bicubic",
             "microsoft/Swin-Transformer, utils.py, load_pretrained"},
    CodeBase{"simmim", "--axes tokens --window --kernel geometric",
             "microsoft/Swin-Transformer, utils_simmim.py"},
    CodeBase{"beit", "--axes tokens --window --kernel geometric --suffix 3",
             "microsoft/unilm, beit/run_class_finetuning.py; EVA; timm with "
             "TIMM_USE_SCIPY_INTERP"},
    CodeBase{"timm-beit", "--axes tokens --window --kernel geometric-linear --suffix 3",
             "timm/layers/pos_embed_rel.py, resize_rel_pos_bias_table"},
    CodeBase{"timm-swin", "--axes tokens --window --kernel geometric-linear",
             "the same for Swin's tables, which have no class token"},
    CodeBase{"hf-beit", "--axes tokens --window --kernel bilinear --suffix 3",
             "transformers, BeitRelativePositionBias; MiDaS"},
    CodeBase{"sam", "--axes sequence --window --kernel linear",
             "facebookresearch/segment-anything, get_rel_pos, of rel_pos_h and rel_pos_w; MViTv2"},
    CodeBase{"nanogpt", "--axes sequence --kernel crop", "karpathy/nanoGPT, crop_block_size"},
    CodeBase{"longformer", "--axes sequence --kernel repeat --prefix 2",
             "allenai/longformer, create_long_model, from RoBERTa"},
};

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

constexpr Words kernel_names = names_of(kernels), code_base_names = names_of(code_bases);

constexpr std::array resize_parameters{
    x_parameter,
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
                  .choices = code_base_names.text(),
                  .summary = "the code base; it sets the options below"},
    ParameterSpec{.name = "kernel",
                  .aliases = "interpolation mode",
                  .type = ParameterType::word,
                  .choices = kernel_names.text(),
                  .summary = "how values between the old ones are made"},
    ParameterSpec{.name = "antialias",
                  .type = ParameterType::flag,
                  .summary = "widen the kernel to make a table smaller"},
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
                             "--to N]"},
    dtype_parameter};

std::vector<Glossary> code_base_glossary() {
    Glossary glossary{"Code bases, for --as", {}};
    for (const CodeBase& row : code_bases) {
        glossary.entries.push_back(
            {std::string(row.name), fmt::format("{}: {}", row.settings, row.source)});
    }
    return {glossary};
}

constexpr std::int64_t most_values = 1 << 20;

/// The extents of a grid; a sequence has one column.
using Extents = std::array<std::int64_t, 2>;

/// The axes of a table, as --axes names them.
struct Axes {
    explicit Axes(const Parameters& p)
        : is_sequence(p.word("axes") == "sequence"),
          are_rows(is_sequence || p.word("axes") == "tokens"),
          are_channels_first(p.word("axes") == "dhw") {}

    bool is_sequence;
    bool are_rows;  ///< the points are one axis
    bool are_channels_first;
};

std::string text_of(const Extents& extents, const Axes& axes) {
    return axes.is_sequence ? fmt::format("{}", extents[0])
                            : fmt::format("{}x{}", extents[0], extents[1]);
}

/// Returns the extents that the option has. Throws: UsageError.
Extents extents_in(std::string_view option, const Parameters& p, const Axes& axes) {
    const std::string& text = p.word(option);
    const std::vector<std::string_view> parts = fields(text, 'x');
    const std::size_t count = axes.is_sequence ? 1 : 2;
    if (parts.size() > count) {
        refuse(option, text, count == 1 ? "must be N positions" : "must be HxW, as in 14x14, or N");
    }
    Extents extents{1, 1};
    for (std::size_t axis = 0; axis < count; ++axis) {
        const std::int64_t size =
            parse_integer(parts[std::min(axis, parts.size() - 1)], fmt::format("--{}", option));
        if (size < 1 || size > most_values) {
            refuse(option, text, fmt::format("sizes must be between 1 and {}", most_values));
        }
        extents[axis] = p.flag("window") ? 2 * size - 1 : size;
    }
    return extents;
}

/// The part of a table that is resized.
struct Source {
    Extents extents;
    std::int64_t prefix = 0;
    std::int64_t suffix = 0;
};

/// Returns the square that as many rows are, or a sequence; zeros if there is none.
Extents shape_of(std::int64_t rows, const Axes& axes) {
    if (axes.is_sequence) return {std::max<std::int64_t>(rows, 0), 1};
    const auto root =
        static_cast<std::int64_t>(std::sqrt(std::max(static_cast<double>(rows), 0.0)));
    return root * root == rows ? Extents{root, root} : Extents{0, 0};
}

/// Finds the grid, or the sequence, in `count` rows. Throws: UsageError, with the remedy, if there
/// is none, or if the number of rows before it cannot be told.
Source source_in_rows(std::int64_t count, const Parameters& p, const Axes& axes,
                      const std::string& what) {
    const std::int64_t suffix = p.integer("suffix");
    // Without --prefix, one row before a grid is that of a class token.
    const std::int64_t least = p.has("prefix") ? p.integer("prefix") : 0;
    const std::int64_t most = p.has("prefix") || axes.is_sequence ? least : 1;
    if (p.has("from")) {
        const Extents from = extents_in("from", p, axes);
        const std::int64_t before = count - suffix - checked_product(from[0], from[1], "--from");
        if (before >= least && before <= most) return {from, before, suffix};
        const std::string rest =
            before < 0 ? fmt::format("{} rows too few", -before)
                       : fmt::format("{0} rows before the grid; --prefix {0} keeps them", before);
        throw UsageError(fmt::format("--from {}: {}, {}", p.word("from"), what, rest));
    }
    for (std::int64_t before = least; before <= most; ++before) {
        const Extents extents = shape_of(count - before - suffix, axes);
        if (extents[0] > 0) return {extents, before, suffix};
    }
    const std::string_view form = axes.is_sequence ? "N" : "HxW";
    std::string remedy = fmt::format("give --from {}", form);
    for (std::int64_t before = 16; before >= 0; --before) {
        const Extents extents = shape_of(count - before - suffix, axes);
        if (extents[0] == 0) continue;
        remedy = fmt::format("--prefix {} leaves {}, --from {} another", before,
                             text_of(extents, axes), form);
    }
    throw UsageError(fmt::format("{}, no {} with --prefix {} and --suffix {}; {}", what,
                                 axes.is_sequence ? "sequence" : "square grid", least, suffix,
                                 remedy));
}

/// Finds the grid in the table's last axes. Throws: UsageError, also if the table has other axes
/// than --axes says.
Source source_in(const Shape& shape, const Parameters& p, const Axes& axes,
                 const std::string& what) {
    const int rank = axes.are_rows ? 2 : 3, leading = shape.rank() - rank;
    std::int64_t tables = leading < 0 ? 0 : 1;
    for (int axis = 0; axis < leading; ++axis) tables *= shape[axis];
    if (tables != 1) {
        throw UsageError(
            fmt::format("--axes {}: {}, needs {} axes, and before them only axes of extent 1; try "
                        "--axes {}",
                        p.word("axes"), what, rank, axes.are_rows ? "hwd or dhw" : "tokens"));
    }
    if (axes.are_rows) return source_in_rows(shape[leading], p, axes, what);
    const int height = leading + (axes.are_channels_first ? 1 : 0);
    without(p, {"from", "prefix", "suffix"}, "the table's axes are the grid's");
    return {{shape[height], shape[height + 1]}};
}

/// Returns how an axis is resized. Throws: UsageError if the kernel cannot do it.
Interpolation axis_of(const Parameters& p, Kernel kernel, std::size_t axis, std::int64_t from,
                      std::int64_t to) {
    const bool is_spline = kernel == Kernel::geometric_cubic;
    const auto refuse_sizes = [&](std::string_view rule) {
        refuse("kernel", p.word("kernel"),
               fmt::format("makes {} of {} values; {}", to, from, rule));
    };
    if ((is_spline || kernel == Kernel::geometric_linear) && (from % 2 == 0 || to % 2 == 0)) {
        refuse_sizes("needs odd numbers; --window takes N for 2 N - 1");
    }
    if (is_spline && from < 4) refuse_sizes("a spline needs 4; use geometric-linear");
    if (kernel == Kernel::crop && to > from) refuse_sizes("cannot make more; use repeat");
    const bool is_antialiased = p.flag("antialias");
    Interpolation how{.kernel = kernel,
                      .from = from,
                      .to = to,
                      .cubic = is_antialiased ? -0.5 : -0.75,
                      .is_antialiased = is_antialiased,
                      .has_aligned_corners = p.flag("align-corners")};
    if (p.has("cubic")) how.cubic = p.real("cubic");
    if (p.has("scale")) {
        const std::vector<double>& scale = p.reals("scale");
        how.scale = scale[std::min(axis, scale.size() - 1)];
    } else if (p.has("offset") && p.real("offset") > 0) {
        how.scale = (static_cast<double>(to) + p.real("offset")) / static_cast<double>(from);
    }
    return how;
}

const NamedKernel& kernel_of(const Parameters& p) {
    return *std::ranges::find(kernels, p.word("kernel"), &NamedKernel::name);
}

/// Returns all options: those of the code base, and the user's. Throws: UsageError if there is no
/// kernel or no new size, or if the user gave an option that the kernel does not have.
Parameters settings_of(const OperationInput& input) {
    Parameters p{std::span(resize_parameters)};
    if (input.own.has("as")) {
        const auto row = std::ranges::find(code_bases, input.own.word("as"), &CodeBase::name);
        p.set_all(row->settings, Origin::preset);
    }
    p = with_options(std::move(p), input.options);
    if (!p.has("kernel") || !p.has("to")) {
        throw UsageError(
            fmt::format("apply resize: needs {}, as in pe-gen apply resize --x "
                        "pos_embed.npy --to 24x24 --as timm",
                        p.has("to") ? "--as CODEBASE or --kernel" : "--to HxW"));
    }
    for (const std::string_view name : words(kernels.front().options)) {
        if (!p.given(name) || has_word(kernel_of(p).options, name)) continue;
        throw UsageError(fmt::format("--{}: --kernel {} does not have it; leave it out", name,
                                     p.word("kernel")));
    }
    if (p.flag("align-corners")) {
        p = without(std::move(p), {"scale", "offset"}, "--align-corners takes no scale");
    }
    if (!p.has("axes")) {
        p.resolve("axes",
                  Value(p.word("to").find('x') == std::string::npos ? "sequence" : "tokens"));
    }
    return p;
}

PlannedTable plan_resize(const OperationInput& input) {
    refuse_dashes(input, "resize");
    const Parameters p = settings_of(input);
    const Axes axes(p);
    if (p.has("scale") && p.reals("scale").size() > (axes.is_sequence ? 1 : 2)) {
        throw UsageError("--scale: needs one number, or for a grid one for rows, one for columns");
    }
    const Extents to = extents_in("to", p, axes);
    const ArrayFile x = open_floats(p.word("x"));
    const Shape& shape = x.table.shape;
    const Source source =
        source_in(shape, p, axes, fmt::format("{} has shape {}", x.path, to_string(shape)));
    const Extents from = source.extents;
    // Code bases return a table of the right size as it is.
    const bool stays = p.has("as") && from == to;
    const Kernel kernel = stays ? Kernel::crop : kernel_of(p).kernel;
    const std::array resized{axis_of(p, kernel, 0, from[0], to[0]),
                             axis_of(p, kernel, 1, from[1], to[1])};
    std::vector<std::int64_t> extents = shape.extents();
    if (axes.are_rows) {
        extents[shape.rank() - 2] = source.prefix + to[0] * to[1] + source.suffix;
    } else {
        std::ranges::copy(to, extents.end() - (axes.are_channels_first ? 2 : 3));
    }
    const DType dtype = result_dtype(p, x);
    Table table = result_of(x, dtype, {}, "resized");
    table.shape = Shape(extents);
    std::vector<std::string> notes{fmt::format("{}: {} to {}, {}", x.path, text_of(from, axes),
                                               text_of(to, axes),
                                               stays ? "unchanged" : p.word("kernel"))};
    if (source.prefix > 0) notes[0] += fmt::format("; first rows kept: {}", source.prefix);
    if (source.suffix > 0) notes[0] += fmt::format("; last rows kept: {}", source.suffix);
    return {std::move(table),
            [=, rows = x.table.rows](const Progress&) {
                const std::int64_t points = from[0] * from[1];
                if (axes.are_channels_first) {
                    const Rows by_point = rows::transposed(rows::reshaped(rows, points));
                    return rows::reshaped(rows::transposed(rows::resized(by_point, resized, dtype)),
                                          to[1]);
                }
                std::vector<Rows> parts;
                const auto keep = [&](std::int64_t first, std::int64_t count) {
                    if (count == 0) return;
                    const Rows kept = rows::slice(rows, {first, count});
                    parts.push_back(dtype == kept.dtype()
                                        ? kept
                                        : rows::rounded(rows::as_float64(kept), dtype));
                };
                keep(0, source.prefix);
                parts.push_back(
                    rows::resized(rows::slice(rows, {source.prefix, points}), resized, dtype));
                keep(source.prefix + points, source.suffix);
                return rows::concatenated(parts);
            },
            std::move(notes)};
}

}  // namespace

constinit const Operation operations::resize{
    .name = "resize",
    .arguments = "--x FILE --to HxW --as CODEBASE [options] [outputs]",
    .summary = "bring a table of positions to another size, as a code base does it",
    .examples =
        "apply resize --x pos_embed.npy --to 24x24 --as timm -o resized.npy\n"
        "apply resize --x model.safetensors:pos_embed --to 32 --as dinov2 --npy resized.npy\n"
        "apply resize --x wpe.npy --to 2048 --kernel linear --align-corners --npy longer.npy",
    .parameters = resize_parameters,
    .glossaries = code_base_glossary,
    .plan = plan_resize};

}  // namespace pegen::cli
