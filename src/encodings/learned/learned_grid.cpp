#include "encodings/learned/learned_grid.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "core/error.h"
#include "encodings/learned/initializer.h"

namespace pegen::encodings {
namespace {

constexpr Range extent{.lowest = 1, .highest = 1 << 16};

/// Numbers of the two tables that are kept in memory.
constexpr std::int64_t most_numbers = 1 << 26;

constexpr std::array parameters{
    ParameterSpec{.name = "num-pos-feats",
                  .type = ParameterType::integer,
                  .default_value = "256",
                  .range = extent,
                  .summary = "channels of the row and of the column each",
                  .is_extent = true},
    ParameterSpec{.name = "height",
                  .type = ParameterType::integer,
                  .default_value = "20",
                  .range = extent,
                  .summary = "rows of the image",
                  .is_extent = true},
    ParameterSpec{.name = "width",
                  .type = ParameterType::integer,
                  .default_value = "20",
                  .range = extent,
                  .summary = "columns of the image",
                  .is_extent = true},
    ParameterSpec{.name = "max-size",
                  .type = ParameterType::integer,
                  .default_value = "50",
                  .range = extent,
                  .summary = "rows and columns that are learned"},
    ParameterSpec{.name = "combine",
                  .type = ParameterType::word,
                  .default_value = "concat",
                  .choices = "concat sum",
                  .summary = "the column's channels, then the row's, or their sum"},
    seed_parameter,
    rng_parameter,
};

Parameters resolve(Parameters p) {
    for (const char* name : {"height", "width"}) {
        if (p.integer(name) > p.integer("max-size")) {
            throw UsageError(
                fmt::format("--{0} {1}: only {2} are learned; use a --{0} of at most "
                            "{2} or --max-size {1}",
                            name, p.integer(name), p.integer("max-size")));
        }
    }
    const std::int64_t feats = p.integer("num-pos-feats");
    const std::int64_t places = p.integer("height") + p.integer("width");
    if (feats * places > most_numbers) {
        throw UsageError(
            fmt::format("--num-pos-feats {}: with this --height and --width at most {}", feats,
                        most_numbers / places));
    }
    return p;
}

bool is_sum(const Parameters& p) { return p.word("combine") == "sum"; }

Shape shape(const Parameters& p) {
    return {1, (is_sum(p) ? 1 : 2) * p.integer("num-pos-feats"), p.integer("height"),
            p.integer("width")};
}

/// Elements 0 ... count - 1 of a tensor.
std::vector<float> first_elements(const torch::TensorFill& tensor, std::int64_t count) {
    std::vector<float> elements;
    tensor(0, count, [&](std::span<const float> values) {
        elements.insert(elements.end(), values.begin(), values.end());
    });
    return elements;
}

struct Grid {
    std::size_t feats;
    std::vector<float> col;  ///< (width, feats)
    std::vector<float> row;  ///< (height, feats)
};

Grid grid_of(const Parameters& p) {
    const std::int64_t feats = p.integer("num-pos-feats");
    const std::int64_t size = p.integer("max-size") * feats;
    const auto draws = std::make_shared<torch::Draws>(p.integer("seed"));
    // The two nn.Embedding fill themselves with normals before DETR fills them anew.
    const std::int64_t first = torch::draws_of_normal_fills(2, size);
    const torch::TensorFill row = torch::uniform_fill(draws, first, 0, 1, code_path(p));
    const torch::TensorFill col = torch::uniform_fill(draws, first + size, 0, 1, code_path(p));
    return {static_cast<std::size_t>(feats), first_elements(col, p.integer("width") * feats),
            first_elements(row, p.integer("height") * feats)};
}

RowSource rows(const Parameters& p, DType dtype) {
    const std::int64_t height = p.integer("height");
    const auto width = static_cast<std::size_t>(p.integer("width"));
    const bool sum = is_sum(p);
    return rounded(
        [=, grid = grid_of(p)](RowRange range, std::span<double> out) {
            auto place = out.begin();
            for (std::int64_t at = range.first; at < range.first + range.count; ++at) {
                const auto channel = static_cast<std::size_t>(at / height);
                const bool is_row = channel >= grid.feats;
                const float* of_row = &grid.row[static_cast<std::size_t>(at % height) * grid.feats];
                for (std::size_t x = 0; x < width; ++x) {
                    const float* of_col = &grid.col[x * grid.feats];
                    *place++ = is_row ? of_row[channel - grid.feats]
                               : sum  ? of_col[channel] + of_row[channel]
                                      : of_col[channel];
                }
            }
        },
        p.integer("width"), dtype);
}

constexpr std::array axes{AxisSpec{AxisKind::batch, "batch", "Image"},
                          AxisSpec{AxisKind::channel, "channel", "Embedding Dimension"},
                          AxisSpec{AxisKind::pixel, "height", "Row"},
                          AxisSpec{AxisKind::pixel, "width", "Column"}};
constexpr std::array tables{
    TableSpec{.name = "encoding",
              .summary = "(1, 2 num-pos-feats, height, width), or half the channels with a sum",
              .axes = axes,
              .title = "Learned Grid (num_pos_feats={num-pos-feats})",
              .value_label = "Initial Values",
              .shape = shape,
              .rows = rows}};

}  // namespace

constinit const Encoding learned_grid{
    .name = "learned-grid",
    .summary = "learned rows and columns of an image before training: DETR's learned positions",
    .formula =
        "PE[0, c, y, x]     = col[x, c]\n"
        "PE[0, N + c, y, x] = row[y, c], c = 0 ... N - 1, N = num-pos-feats\n"
        "with --combine sum: PE[0, c, y, x] = col[x, c] + row[y, c]",
    .source = "Carion et al. 2020, DETR, arXiv:2005.12872; its PositionEmbeddingLearned",
    .examples =
        "learned-grid --num-pos-feats 8 --height 5 --width 7\n"
        "learned-grid --num-pos-feats 128 --height 25 --width 34 --npy grid.npy\n"
        "learned-grid --num-pos-feats 16 --combine sum --seed 1 --png grid.png",
    .parameters = parameters,
    .tables = tables,
    .resolve = resolve};

}  // namespace pegen::encodings
