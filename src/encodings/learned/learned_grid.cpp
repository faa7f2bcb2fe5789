#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/tensor_fill.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/shared.h"
#include "rows/grid_rows.h"

namespace pegen::encodings {
namespace {

constexpr Range extent{.lowest = 1, .highest = 1 << 16};

/// The largest number of values of the tables, which are kept in memory.
constexpr std::int64_t most_numbers = 1 << 26;

constexpr std::array parameters{
    ParameterSpec{.name = "num-pos-feats",
                  .type = ParameterType::integer,
                  .default_value = "256",
                  .range = extent,
                  .summary = "channels of each axis",
                  .role = Role::extent},
    ParameterSpec{.name = "height",
                  .type = ParameterType::integer,
                  .default_value = "20",
                  .range = extent,
                  .summary = "rows of the image",
                  .role = Role::extent},
    ParameterSpec{.name = "width",
                  .type = ParameterType::integer,
                  .default_value = "20",
                  .range = extent,
                  .summary = "columns of the image",
                  .role = Role::extent},
    ParameterSpec{.name = "depth",
                  .aliases = "frames",
                  .type = ParameterType::integer,
                  .range = extent,
                  .summary = "extent of a third axis, t [none]",
                  .role = Role::extent,
                  .is_rare = true},
    ParameterSpec{.name = "max-size",
                  .type = ParameterType::integer,
                  .default_value = "50",
                  .range = extent,
                  .summary = "number of rows and columns that are learned"},
    ParameterSpec{.name = "max-sizes",
                  .type = ParameterType::integers,
                  .range = extent,
                  .summary = "a number of its own for each axis: y,x or t,y,x",
                  .is_rare = true},
    ParameterSpec{.name = "combine",
                  .type = ParameterType::word,
                  .default_value = "concat",
                  .choices = "concat sum",
                  .summary = "concatenate the channels of column and row, or sum them"},
    seed_parameter,
    rng_parameter,
    ParameterSpec{.name = "init",
                  .type = ParameterType::text,
                  .default_value = "uniform:0,1",
                  .summary = "distribution, as of learned",
                  .is_rare = true},
    ParameterSpec{.name = "init-order",
                  .type = ParameterType::word,
                  .default_value = "after-all",
                  .choices = "after-all each",
                  .summary = "initialize the tables after all nn.Embedding are made, or each one "
                             "before the next is made",
                  .is_rare = true},
    ParameterSpec{.name = "view",
                  .type = ParameterType::word,
                  .default_value = "channels-first",
                  .choices = "channels-first tokens",
                  .summary = "(1, channels, ..., width), or (pixels, channels), x fastest",
                  .is_rare = true},
    keep_channels_parameter,
};

/// An axis of the image with its table.
struct LearnedAxis {
    std::string_view name;  ///< the name of its extent
    std::int64_t extent;
    std::int64_t max_size;  ///< number of learned positions
};

/// The tables and their image, as given by the parameters.
struct LearnedGrid {
    std::vector<LearnedAxis> axes;  ///< t, y, x: the order in which the tables are drawn
    std::int64_t feats;             ///< channels of each axis
    bool is_sum;
    bool is_tokens;
    bool is_each;  ///< each table is initialized before the next is made
    Initializer initializer;
    std::int64_t seed;
    torch::CodePath path;

    std::int64_t channels() const { return is_sum ? feats : std::ssize(axes) * feats; }
};

LearnedGrid grid_of(const Parameters& p) {
    LearnedGrid grid{.axes = {},
                     .feats = p.integer("num-pos-feats"),
                     .is_sum = p.word("combine") == "sum",
                     .is_tokens = p.word("view") == "tokens",
                     .is_each = p.word("init-order") == "each",
                     .initializer = parse_initializer(p.word("init"), p.integer("num-pos-feats")),
                     .seed = p.integer("seed"),
                     .path = code_path(p)};
    for (const std::string_view name : {"depth", "height", "width"}) {
        if (p.has(name)) grid.axes.push_back({name, p.integer(name), p.integer("max-size")});
    }
    if (!p.has("max-sizes")) return grid;
    const std::vector<std::int64_t>& sizes = p.integers("max-sizes");
    if (sizes.size() != grid.axes.size()) {
        throw UsageError(fmt::format("--max-sizes {}: needs {} numbers, one for each axis",
                                     to_string(p.value("max-sizes")), grid.axes.size()));
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) grid.axes[i].max_size = sizes[i];
    return grid;
}

void check_sizes(const LearnedGrid& grid) {
    std::int64_t places = 0;
    for (const LearnedAxis& axis : grid.axes) {
        places += axis.extent;
        if (axis.extent <= axis.max_size) continue;
        throw UsageError(
            fmt::format("--{0} {1}: only {2} are learned; use a --{0} of at most {2} or --max-size "
                        "{1}",
                        axis.name, axis.extent, axis.max_size));
    }
    if (grid.feats * places > most_numbers) {
        throw UsageError(fmt::format("--num-pos-feats {}: with this size at most {}", grid.feats,
                                     most_numbers / places));
    }
}

/// Checks that no table shares a pair of normals with the next: PyTorch draws fewer than 16 normals
/// in pairs, and half a pair may be left for the next table. Throws: UsageError.
void check_pairs(const LearnedGrid& grid) {
    constexpr std::int64_t fewest = 16;
    const auto is_small = [&](const LearnedAxis& axis) {
        return axis.max_size * grid.feats < fewest;
    };
    const auto differs = [&](const LearnedAxis& axis) {
        return axis.max_size != grid.axes.front().max_size;
    };
    const bool is_usual = !grid.is_each && grid.initializer.kind != Initializer::Kind::normal &&
                          std::ranges::none_of(grid.axes, differs);
    if (is_usual || std::ranges::none_of(grid.axes, is_small)) return;
    throw UsageError(fmt::format(
        "--max-size: each table must have {} numbers or more for these draws; use a larger one",
        fewest));
}

/// Returns the total number of draws for the normals with which PyTorch first fills the
/// nn.Embedding tables. Small tables, which share pairs, have the same size: see check_pairs().
std::int64_t draws_of_all(const LearnedGrid& grid) {
    const std::int64_t size = grid.axes.front().max_size * grid.feats;
    const auto has_size = [&](const LearnedAxis& axis) {
        return axis.max_size * grid.feats == size;
    };
    if (std::ranges::all_of(grid.axes, has_size)) {
        return torch::draws_of_normal_fills(std::ssize(grid.axes), size);
    }
    std::int64_t draws = 0;
    for (const LearnedAxis& axis : grid.axes) {
        draws += torch::draws_of_normal_fills(1, axis.max_size * grid.feats);
    }
    return draws;
}

/// Returns the drawn table (extent, feats) of each axis.
std::vector<std::vector<float>> drawn(const LearnedGrid& grid) {
    std::int64_t draw = grid.is_each ? 0 : draws_of_all(grid);
    std::vector<std::vector<float>> tables;
    for (const LearnedAxis& axis : grid.axes) {
        if (grid.is_each) draw += torch::draws_of_normal_fills(1, axis.max_size * grid.feats);
        tables.push_back(
            elements_of<float>(tensor_from_draw(grid.initializer, axis.max_size, grid.feats,
                                                grid.seed, draw, grid.path),
                               0, axis.extent * grid.feats));
        draw += draws_of(grid.initializer, axis.max_size, grid.feats);
    }
    return tables;
}

/// The drawn tables of the axes, of which an image's table takes the sums.
struct DrawnGrid {
    LearnedGrid grid;
    std::vector<std::vector<float>> tables;

    /// Returns the row of the axis's table for a pixel. Pixels are numbered along x fastest.
    std::span<const float> features(std::int64_t pixel, std::size_t axis) const {
        for (std::size_t a = grid.axes.size() - 1; a > axis; --a) pixel /= grid.axes[a].extent;
        const std::int64_t place = pixel % grid.axes[axis].extent;
        return std::span(tables[axis]).subspan(place * grid.feats, grid.feats);
    }

    /// Fills in all channels of a pixel.
    void fill_token(std::int64_t pixel, std::span<double> out) const {
        std::vector<std::span<const float>> of_axes;
        for (std::size_t axis = 0; axis < tables.size(); ++axis) {
            of_axes.push_back(features(pixel, axis));
        }
        for (std::size_t c = 0; c < out.size(); ++c) {
            float sum = 0;
            for (const std::span<const float> own : of_axes) sum += own[c];
            out[c] = sum;
        }
    }

    /// Fills in one channel for a line of pixels along x, beginning with `pixel`.
    void fill_line(std::int64_t channel, std::int64_t pixel, std::span<double> out) const {
        const std::size_t last = tables.size() - 1;
        float sum = 0;
        for (std::size_t axis = 0; axis < last; ++axis) sum += features(pixel, axis)[channel];
        const float* of_x = &tables[last][channel];
        for (double& value : out) {
            value = sum + *of_x;
            of_x += grid.feats;
        }
    }
};

/// Returns the sums of the drawn tables, computed in float32, t and y first.
RealRows sum_rows(const LearnedGrid& grid, const Shape& shape) {
    return {[drawn = DrawnGrid{grid, drawn(grid)}, columns = shape.columns()](
                RowRange range, std::span<double> out) {
                std::int64_t lines = 1;
                for (const LearnedAxis& axis : drawn.grid.axes) lines *= axis.extent;
                lines /= drawn.grid.axes.back().extent;
                for (std::int64_t row = range.first; row < range.first + range.count; ++row) {
                    const auto values = out.first(columns);
                    out = out.subspan(columns);
                    if (drawn.grid.is_tokens) {
                        drawn.fill_token(row, values);
                    } else {
                        drawn.fill_line(row / lines, row % lines * columns, values);
                    }
                }
            },
            shape.rows(), shape.columns()};
}

/// Returns the drawn tables side by side, the channels of x first.
Rows joined_rows(const LearnedGrid& grid, DType dtype) {
    std::vector<Rows> axes;
    for (std::vector<float>& table : drawn(grid)) {
        const std::int64_t places = std::ssize(table) / grid.feats;
        const std::int64_t first = grid.channels() - (std::ssize(axes) + 1) * grid.feats;
        axes.push_back(
            rounded({[=, table = std::move(table), feats = grid.feats, channels = grid.channels()](
                         RowRange range, std::span<double> out) {
                         std::ranges::fill(out, 0);
                         for (std::int64_t i = 0; i < range.count; ++i) {
                             std::copy_n(table.begin() + (range.first + i) * feats, feats,
                                         out.begin() + i * channels + first);
                         }
                     },
                     places, grid.channels()},
                    dtype));
    }
    return grid.is_tokens ? rows::point_rows(axes) : rows::channel_rows(axes);
}

Plan plan(Parameters p, std::string_view) {
    const LearnedGrid grid = grid_of(p);
    check_sizes(grid);
    check_pairs(grid);
    const Axis channels{
        .kind = AxisKind::channel, .name = "channel", .label = "Embedding Dimension(d_model)"};
    std::vector<std::int64_t> extents{1, grid.channels()}, pixels;
    std::vector<Axis> axes{{.kind = AxisKind::batch, .name = "batch", .label = "Image"}, channels};
    for (const LearnedAxis& axis : grid.axes) {
        pixels.push_back(axis.extent);
        extents.push_back(axis.extent);
        axes.push_back({.kind = AxisKind::pixel,
                        .name = std::string(axis.name),
                        .label = axis.name == "depth"    ? "Frame"
                                 : axis.name == "height" ? "Row"
                                                         : "Column"});
    }
    if (grid.is_tokens) {
        extents = {Shape(pixels).size(), grid.channels()};
        axes = {{.kind = AxisKind::point,
                 .name = "pixel",
                 .label = "Pixel",
                 .extents = std::move(pixels)},
                channels};
    }
    const Shape shape(std::move(extents));
    return {.parameters = std::move(p),
            .shape = shape,
            .axes = std::move(axes),
            .make_rows = [grid, shape](DType dtype) {
                const double summands = grid.is_sum ? static_cast<double>(grid.axes.size()) : 1;
                check_holds(dtype, summands * largest_value(grid.initializer),
                            "the largest value --init can give");
                return grid.is_sum ? rounded(sum_rows(grid, shape), dtype)
                                   : joined_rows(grid, dtype);
            }};
}

constexpr std::array tables{
    TableSpec{.name = "encoding",
              .summary = "(1, 2 num-pos-feats, height, width), or half the channels with a sum",
              .title = "Learned Grid (num_pos_feats={num-pos-feats})",
              .value_label = "Values",
              .is_initial = true}};

constexpr std::array learned_grid_presets{
    PresetSpec{
        .name = "detr-learned",
        .settings = "",
        .summary = "DETR's learned positions of an image, as initialized",
        .source = "facebookresearch/detr, models/position_encoding.py, PositionEmbeddingLearned",
        .note = "x comes first, unlike in DETR's sines. DETR's own models have hidden_dim / 2 = "
                "128 for --num-pos-feats."},
};

}  // namespace

/// Learned positions of an image before training: a table for each axis, from which a pixel takes
/// one row each. The channels of x come first, unlike in DETR's sine encoding. Values are drawn as
/// by PyTorch after torch.manual_seed(seed): first normals for the tables of t, y and x, drawn when
/// their nn.Embedding are made and then overwritten, then --init for t, y and x. With --init-order
/// each, both draws are made for one axis after the other.
///
/// Table: encoding (1, A N, height, width) for A axes, or (1, N, height, width) with --combine sum;
/// axes (batch, channel, height, width), with --depth (batch, channel, depth, height, width); with
/// --view tokens (pixels, channels), x fastest.
/// float32 has the same bits as PyTorch, float64 the same values, narrower dtypes its values
/// rounded.
extern constinit const Encoding learned_grid{
    .name = "learned-grid",
    .summary = "learned embeddings of rows and columns of an image, as initialized: DETR",
    .formula =
        "PE[0, c, y, x]     = col[x, c]\n"
        "PE[0, N + c, y, x] = row[y, c], c = 0 ... N - 1, N = num-pos-feats\n"
        "with --depth: PE[0, 2N + c, t, y, x] = frame[t, c]\n"
        "with --combine sum: PE[0, c, y, x] = col[x, c] + row[y, c]",
    .source = "Carion et al. 2020, DETR, arXiv:2005.12872; its PositionEmbeddingLearned",
    .examples =
        "learned-grid --num-pos-feats 8 --height 5 --width 7\n"
        "learned-grid --num-pos-feats 128 --height 25 --width 34 --npy grid.npy\n"
        "learned-grid --num-pos-feats 16 --combine sum --seed 1 --png grid.png",
    .parameters = parameters,
    .tables = tables,
    .presets = learned_grid_presets,
    .plan = plan};

}  // namespace pegen::encodings
