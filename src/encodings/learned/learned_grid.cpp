#include <fmt/format.h>

#include <array>
#include <vector>

#include "core/error.h"
#include "core/to_size.h"
#include "encodings/encoding.h"
#include "encodings/learned/learned_grid_presets.h"
#include "encodings/learned/learned_grid_recognition.h"
#include "encodings/parameters/initializer.h"

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
                  .summary = "channels for the row, and as many for the column",
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
                  .summary = "number of rows and columns that are learned"},
    ParameterSpec{.name = "combine",
                  .type = ParameterType::word,
                  .default_value = "concat",
                  .choices = "concat sum",
                  .summary = "concatenate the channels of column and row, or sum them"},
    seed_parameter,
    rng_parameter,
};

void check_sizes(const Parameters& p) {
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
}

/// Returns elements 0 ... count - 1 of a tensor.
std::vector<float> first_elements(const TensorFill& tensor, std::int64_t count) {
    std::vector<float> elements;
    tensor(0, count, [&](std::span<const float> values) {
        elements.insert(elements.end(), values.begin(), values.end());
    });
    return elements;
}

/// What the parameters say of the two tensors and their image.
struct LearnedGrid {
    std::int64_t height;
    std::int64_t width;
    std::int64_t feats;     ///< of the row and of the column each
    std::int64_t max_size;  ///< rows, and columns, that are learned
    bool is_sum;
    std::int64_t seed;
    torch::CodePath path;

    std::int64_t channels() const { return is_sum ? feats : 2 * feats; }
};

LearnedGrid grid_of(const Parameters& p) {
    return {.height = p.integer("height"),
            .width = p.integer("width"),
            .feats = p.integer("num-pos-feats"),
            .max_size = p.integer("max-size"),
            .is_sum = p.word("combine") == "sum",
            .seed = p.integer("seed"),
            .path = code_path(p)};
}

struct Tensors {
    std::vector<float> col;  ///< (width, feats)
    std::vector<float> row;  ///< (height, feats)
};

Tensors drawn(const LearnedGrid& grid) {
    const std::int64_t size = grid.max_size * grid.feats;
    const auto draws = std::make_shared<torch::Draws>(grid.seed);
    // The two nn.Embedding fill themselves with normals before DETR fills them anew.
    const std::int64_t first = torch::draws_of_normal_fills(2, size);
    const TensorFill row = torch::uniform_fill(draws, first, 0, 1, grid.path);
    const TensorFill col = torch::uniform_fill(draws, first + size, 0, 1, grid.path);
    return {first_elements(col, grid.width * grid.feats),
            first_elements(row, grid.height * grid.feats)};
}

RealRowSource grid_rows(const LearnedGrid& grid) {
    return [grid, tensors = drawn(grid)](RowRange range, std::span<double> out) {
        auto place = out.begin();
        for (std::int64_t at = range.first; at < range.first + range.count; ++at) {
            const std::int64_t channel = at / grid.height;
            const bool is_row = channel >= grid.feats;
            const float* row = &tensors.row[to_size(at % grid.height * grid.feats)];
            for (std::int64_t x = 0; x < grid.width; ++x) {
                const float* col = &tensors.col[to_size(x * grid.feats)];
                *place++ = is_row        ? row[channel - grid.feats]
                           : grid.is_sum ? col[channel] + row[channel]
                                         : col[channel];
            }
        }
    };
}

Plan plan(Parameters p, std::string_view) {
    check_sizes(p);
    const LearnedGrid grid = grid_of(p);
    return {.parameters = std::move(p),
            .shape = {1, grid.channels(), grid.height, grid.width},
            .axes = {{.kind = AxisKind::batch, .name = "batch", .label = "Image"},
                     {.kind = AxisKind::channel,
                      .name = "channel",
                      .label = "Embedding Dimension (d_model)"},
                     {.kind = AxisKind::pixel, .name = "height", .label = "Row"},
                     {.kind = AxisKind::pixel, .name = "width", .label = "Column"}},
            .make_rows = [grid](DType dtype, const Progress&) {
                return rounded(grid_rows(grid), grid.width, dtype);
            }};
}

constexpr std::array tables{
    TableSpec{.name = "encoding",
              .summary = "(1, 2 num-pos-feats, height, width), or half the channels with a sum",
              .title = "Learned Grid (num_pos_feats={num-pos-feats})",
              .value_label = "Initial Values"}};

}  // namespace

/// DETR's learned positions of an image before training: a table of max-size rows for the column x,
/// and one for the row y. x comes first, unlike in DETR's sines. Values are uniform in [0, 1),
/// drawn as PyTorch does after torch.manual_seed(seed): normals for row and col, which are thrown
/// away, then row, then col.
///
/// Table: encoding (1, 2 N, height, width), or (1, N, height, width) with --combine sum; axes
/// (batch, channel, height, width).
/// float32 has the very bits, float64 the same values, the narrower types those values rounded.
extern constinit const Encoding learned_grid{
    .name = "learned-grid",
    .summary = "learned embeddings of rows and columns of an image, as initialized: DETR",
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
    .presets = learned_grid_presets,
    .plan = plan,
    .recognize = recognize_learned_grid};

}  // namespace pegen::encodings
