#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/dtype.h"
#include "core/error.h"
#include "core/number.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/window.h"
#include "numerics/ziv_loop.h"

namespace pegen::encodings {
namespace {

using numerics::Real;

constexpr std::array parameters{
    with_default(window_height_parameter, "14"),
    with_default(window_width_parameter, "14"),
    with_default(heads_parameter, "4"),
    ParameterSpec{.name = "locality-strength",
                  .default_value = "1",
                  .range = positive,
                  .summary = "factor of all scores"},
};

/// Returns the centre of a head's attention, in half tokens along x and y from the query.
std::array<std::int64_t, 2> centre_of(std::int64_t head, std::int64_t side) {
    return {2 * (head / side) - (side - 1), 2 * (head % side) - (side - 1)};
}

/// Returns the rows (query, key, coordinate) of dx, dy and dx^2 + dy^2.
Rows offset_rows(const Window& window, DType dtype) {
    const auto fill = [=](RowRange range, std::span<std::byte> out) {
        with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
            T* place = reinterpret_cast<T*>(out.data());
            const std::int64_t end = range.first + range.count;
            for (std::int64_t pair = range.first, next = 0; pair < end; pair = next) {
                const std::int64_t query = pair / window.keys(), key = pair % window.keys();
                const std::int64_t dy = key / window.width - query / window.width;
                const std::int64_t first = key % window.width - query % window.width;
                next = std::min(end, pair + window.width - key % window.width);
                for (std::int64_t dx = first; dx < first + next - pair; ++dx) {
                    for (const std::int64_t number : {dx, dy, dx * dx + dy * dy}) {
                        *place++ = round_to<T>(static_cast<double>(number));
                    }
                }
            }
        });
    };
    return {fill, window.queries() * window.keys(), 3, dtype};
}

/// Returns the score of a pair, by the factor of --locality-strength.
std::int64_t score_of(std::array<std::int64_t, 2> centre, std::int64_t dx, std::int64_t dy) {
    return centre[0] * dx + centre[1] * dy - dx * dx - dy * dy;
}

Plan scores_plan(Parameters p, const Window& window) {
    const std::int64_t heads = p.integer("heads");
    const auto side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(heads)));
    if (side * side != heads) {
        throw UsageError(
            fmt::format("--heads {}: must be a square, as 4, 9 or 16: the heads look "
                        "at a square around the query",
                        heads));
    }
    constexpr std::int64_t most_values = 1 << 26;
    if (window.offsets() > most_values / heads) {
        throw UsageError("--height, --width: at most 2^26 offsets of all heads");
    }
    const double strength = p.real("locality-strength");
    const auto times_strength = [=](std::int64_t score) {
        return Real(static_cast<double>(score)) * strength;
    };
    const auto score_at = [=](std::int64_t head, std::int64_t offset) {
        const std::int64_t columns = 2 * window.width - 1;
        return score_of(centre_of(head, side), window.width - 1 - offset % columns,
                        window.height - 1 - offset / columns);
    };
    const auto rows = [=](DType dtype) {
        std::int64_t largest = 0;
        for (std::int64_t head = 0; head < heads; ++head) {
            for (std::int64_t offset = 0; offset < window.offsets(); ++offset) {
                largest = std::max(largest, std::abs(score_at(head, offset)));
            }
        }
        check_holds(dtype, numerics::for_rounding_to(dtype, times_strength(largest)),
                    "the largest score");
        return by_offset(numerics::real_rows(
                             [=](std::int64_t head, std::int64_t offset) {
                                 return times_strength(score_at(head, offset));
                             },
                             [=](std::int64_t head, std::int64_t offset) {
                                 return static_cast<double>(score_at(head, offset)) * strength;
                             },
                             heads, window.offsets(), dtype),
                         window);
    };
    return {.parameters = std::move(p),
            .shape = {heads, window.queries(), window.keys()},
            .axes = {head_axis(), window_axis(AxisKind::query, window),
                     window_axis(AxisKind::key, window)},
            .make_rows = rows,
            .cell = [=](std::span<const std::int64_t> index) -> Cell {
                const std::int64_t dx = index[2] % window.width - index[1] % window.width,
                                   dy = index[2] / window.width - index[1] / window.width;
                const auto [x, y] = centre_of(index[0], side);
                return {.value = {[=, centre = centre_of(index[0], side)] {
                                      return times_strength(score_of(centre, dx, dy));
                                  },
                                  fmt::format("{} * ({} * {} + {} * {} - ({})^2 - ({})^2)",
                                              shortest(strength), x, dx, y, dy, dx, dy)}};
            }};
}

Plan plan(Parameters p, std::string_view table) {
    const Window window{p.integer("height"), p.integer("width")};
    if (table == "scores") return scores_plan(std::move(p), window);
    return {.parameters = std::move(p),
            .shape = {window.queries(), window.keys(), 3},
            .axes = {window_axis(AxisKind::query, window),
                     window_axis(AxisKind::key, window),
                     {.kind = AxisKind::channel,
                      .name = "coordinate",
                      .label = "Coordinate",
                      .index_names = {"dx", "dy", "dx^2 + dy^2"}}},
            .make_rows = [=](DType dtype) { return offset_rows(window, dtype); }};
}

constexpr std::array tables{
    TableSpec{.name = "scores",
              .summary = "the scores before training, (heads, tokens, tokens)",
              .title = "GPSA Scores (heads={heads}, strength={locality-strength})",
              .value_label = "Score",
              .is_initial = true,
              .promises = "relative"},
    TableSpec{.name = "offsets",
              .summary = "dx, dy and dx^2 + dy^2 of each pair, (tokens, tokens, 3)",
              .title = "GPSA Offsets (image {height} \u00d7 {width})",
              .value_label = "Offset",
              .dtype = DType::int64,
              .idle_parameters = "heads locality-strength",
              .promises = "relative"},
};

constexpr std::array gpsa_presets{
    PresetSpec{.name = "convit",
               .settings = "",
               .summary = "ConViT-Ti: 14 x 14 patches, 4 heads",
               .source = "facebookresearch/convit, convit.py, GPSA.get_rel_indices, local_init",
               .note = "ConViT-S has --heads 9, ConViT-B 16. Its softmax of these scores and the "
                       "softmax of q.k are mixed by a gate for each head. Images must be square "
                       "there."},
};

}  // namespace

/// Gated positional self-attention: scores from the offset of two tokens alone, which start as a
/// convolution: head h looks at one of heads tokens around the query. Tokens are numbered row by
/// row; dx and dy are key - query.
///
/// Tables: scores (heads, tokens, tokens), axes (head, query, key), the output of pos_proj;
/// offsets (tokens, tokens, 3), axes (query, key, coordinate), integers. Correctly rounded.
/// Kept in memory: the scores of all offsets and heads.
extern constinit const Encoding gpsa{
    .name = "gpsa",
    .summary = "offsets, and scores that begin as a convolution: ConViT",
    .formula =
        "offsets[q, k] = (dx, dy, dx^2 + dy^2),  (dy, dx) = k - q\n"
        "scores[h, q, k] = strength (2 a dx + 2 b dy - dx^2 - dy^2)\n"
        "a = floor(h / s) - (s - 1) / 2,  b = h mod s - (s - 1) / 2,  s = sqrt(heads)",
    .source =
        "d'Ascoli et al. 2021, ConViT: Improving Vision Transformers with Soft Convolutional "
        "Inductive Biases, arXiv:2103.10697, section 3",
    .examples =
        "gpsa --height 4 --width 4 --table offsets\n"
        "gpsa --heads 9 --locality-strength 0.5 --npy scores.npy\n"
        "gpsa --height 5 --width 5 --png gpsa.png",
    .parameters = parameters,
    .tables = tables,
    .presets = gpsa_presets,
    .plan = plan};

}  // namespace pegen::encodings
