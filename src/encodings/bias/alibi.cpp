#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/range.h"
#include "core/to_size.h"
#include "encodings/bias/bias_plan.h"
#include "encodings/parameters/checks.h"
#include "encodings/parameters/window.h"
#include "encodings/preset.h"
#include "numerics/angles.h"
#include "rows/arranged.h"
#include "rows/by_distance.h"

namespace pegen::encodings {
namespace {

using numerics::Frequencies;
using numerics::Real;

constexpr std::array parameters{
    heads_parameter,
    queries_parameter,
    keys_parameter,
    ParameterSpec{.name = "image",
                  .type = ParameterType::text,
                  .summary = "ROWSxCOLUMNS or N: the queries and keys are the tokens of an image"},
    ParameterSpec{.name = "form",
                  .type = ParameterType::word,
                  .default_value = "signed",
                  .choices = "signed symmetric causal key last-key euclidean",
                  .summary = "what the slope multiplies: key - query, -|key - query|, "
                             "min(key - query, 0), key, key - last key, or the negative distance "
                             "of two tokens of an image"},
    ParameterSpec{.name = "slopes",
                  .type = ParameterType::word,
                  .default_value = "nearest-power",
                  .choices = "nearest-power geometric",
                  .summary = "how slopes are chosen if the number of heads is not a power of 2: "
                             "from the powers around it, or by the paper's formula"},
    ParameterSpec{.name = "max-bias",
                  .aliases = "alibi-bias-max",
                  .default_value = "8",
                  .range = positive,
                  .summary = "the last head's slope is 2^-X"},
    mask_parameter,
};

/// Returns 2^(-max_bias k / n) for `count` values k = first, first + stride, ...
Frequencies powers_of_two(double max_bias, std::int64_t n, std::int64_t first, std::int64_t count,
                          std::int64_t stride = 1) {
    const Frequencies all({.base = 2,
                           .step = max_bias,
                           .width = n,
                           .shift = 0,
                           .scale = 1,
                           .count = first + count * stride});
    return slice(all, first, count, stride);
}

Frequencies slopes_of(const Parameters& p) {
    const std::int64_t heads = p.integer("heads");
    const double max_bias = p.real("max-bias");
    if (p.word("slopes") == "geometric") return powers_of_two(max_bias, heads, 1, heads);
    const auto n = static_cast<std::int64_t>(std::bit_floor(to_size(heads)));
    return concatenated(powers_of_two(max_bias, n, 1, n),
                        powers_of_two(max_bias, 2 * n, 1, heads - n, 2));
}

/// Returns the slope of a head with its formula.
Term slope_term(const Parameters& p, std::int64_t head) {
    const std::int64_t heads = p.integer("heads");
    const auto power = static_cast<std::int64_t>(std::bit_floor(to_size(heads)));
    std::int64_t numerator = head + 1, n = heads;
    if (p.word("slopes") != "geometric") {
        n = power;
        if (head >= power) {
            numerator = 2 * (head - power) + 1;
            n = 2 * power;
        }
    }
    const double max_bias = p.real("max-bias");
    return {[=] {
                return pow(
                    2, Real(-max_bias) * static_cast<double>(numerator) / static_cast<double>(n));
            },
            fmt::format("2^(-{} * {}/{})", shortest(max_bias), numerator, n)};
}

/// Returns the factor of the slope for a query and a key at these positions: the signed distance or
/// the key's position, by `form`.
std::int64_t distance_of(std::string_view form, std::int64_t query, std::int64_t key,
                         std::int64_t keys) {
    if (form == "key") return key;
    if (form == "last-key") return key - (keys - 1);
    const std::int64_t distance = key - query;
    if (form == "symmetric") return -std::abs(distance);
    return form == "causal" ? std::min<std::int64_t>(distance, 0) : distance;
}

Cell bias_cell(const Term& slope, std::int64_t distance) {
    const auto factor = static_cast<double>(distance);
    return {.value = {[=] { return slope.value() * factor; },
                      fmt::format("{} * {}", distance, slope.text)}};
}

/// Returns a table (slopes, positions) of the products of each slope with the positions in `first`,
/// then in `second`.
Rows lines(const Frequencies& slopes, const Positions& first, const Positions& second,
           DType dtype) {
    std::vector<Rows> columns;
    for (std::int64_t head = 0; head < slopes.size(); ++head) {
        const Frequencies slope = slice(slopes, head, 1);
        columns.push_back(numerics::angle_rows(first, slope, dtype));
        columns.push_back(numerics::angle_rows(second, slope, dtype));
    }
    return rows::reshaped(rows::concatenated(columns), first.size() + second.size());
}

/// Returns the difference of the factor of the slope, see distance_of(), between neighbouring keys
/// after the query.
double step_after_query(std::string_view form) {
    if (form == "signed") return 1;
    return form == "symmetric" ? -1 : 0;
}

Rows bias_rows(const Frequencies& slopes, std::string_view form, rows::AttentionSize size,
               DType dtype) {
    const Positions none(0, 0, 0), up_to_0(static_cast<double>(1 - size.keys), 1, size.keys);
    if (form == "key" || form == "last-key") {
        const Positions keys = form == "key" ? Positions(0, 1, size.keys) : up_to_0;
        return rows::by_key(lines(slopes, keys, none, dtype), size);
    }
    const double step = step_after_query(form);
    const Positions after_query(step, step, size.queries - 1);
    return rows::by_distance(lines(slopes, up_to_0, after_query, dtype), size);
}

/// Returns the image that --image describes. Throws: UsageError.
Window image_of(const Parameters& p) {
    const std::string& text = p.word("image");
    const std::vector<std::string_view> extents = fields(text, 'x');
    std::vector<std::int64_t> sizes;
    for (const std::string_view extent : extents) {
        sizes.push_back(parse_integer(extent, "--image"));
        if (!any_window.contains_whole(sizes.back())) {
            refuse("image", text, fmt::format("{} {}", extent, describe(any_window)));
        }
    }
    if (sizes.size() > 2) refuse("image", text, "must be ROWSxCOLUMNS, as in 14x10, or N");
    return {.height = sizes.front(), .width = sizes.back(), .is_absolute = true};
}

/// Fills in --form for an image, and clears --len and --key-len. Throws: UsageError if a length is
/// given, or another form.
Parameters resolve_image(Parameters p) {
    if (!p.has("image")) {
        if (p.word("form") != "euclidean") return p;
        throw UsageError("--form euclidean: needs --image ROWSxCOLUMNS");
    }
    if (p.given("form") && p.word("form") != "euclidean") {
        throw UsageError(
            fmt::format("--form {}: tokens of an image have --form euclidean", p.word("form")));
    }
    for (const char* name : {"len", "key-len"}) {
        if (!p.given(name)) continue;
        throw UsageError(fmt::format("--{} {}: is the number of tokens of the image; leave it out",
                                     name, p.integer(name)));
    }
    p.resolve("form", std::string("euclidean"));
    p.resolve("len", {});
    return p;
}

/// Returns the rows (head, query, key) of the tokens of an image.
Rows image_rows(const Frequencies& slopes, const Window& image, DType dtype) {
    std::vector<double> weights;
    for (std::int64_t offset = 0; offset < image.offsets(); ++offset) {
        const auto dy = static_cast<double>(offset / image.width);
        const auto dx = static_cast<double>(offset % image.width);
        const Real distance = sqrt(Real(dy * dy + dx * dx));
        for (const Real& slope : slopes.reals()) {
            weights.push_back(offset == 0 ? 0
                                          : numerics::for_rounding_to(dtype, -slope * distance));
        }
    }
    return rounded(
        rows::gathered_by_head(offset_indices(image),
                               std::make_shared<const std::vector<double>>(std::move(weights)),
                               slopes.size()),
        dtype);
}

/// Returns the cell of a pair of tokens `dy` rows and `dx` columns apart.
Cell image_cell(const Term& slope, std::int64_t dy, std::int64_t dx) {
    const auto square = static_cast<double>(dy * dy + dx * dx);
    return {
        .value = {[=] { return square == 0 ? Real(0) : -slope.value() * sqrt(Real(square)); },
                  fmt::format("-sqrt({}^2 + {}^2) * {}", std::abs(dy), std::abs(dx), slope.text)}};
}

/// Plans the bias of the tokens of an image, or the row of the last one.
Plan image_plan(const Parameters& p, bool is_row) {
    const Window image = image_of(p);
    constexpr std::int64_t most_values = 1 << 26;
    const Frequencies slopes = slopes_of(p);
    if (image.offsets() > most_values / slopes.size()) {
        throw UsageError("--image: at most 2^26 values of all heads");
    }
    Plan plan = bias_plan(
        p, {image.queries(), image.keys()},
        [=](DType dtype) {
            check_holds(
                dtype,
                std::hypot(static_cast<double>(image.height), static_cast<double>(image.width)) *
                    slopes.largest(),
                "the largest bias");
            return image_rows(slopes, image, dtype);
        },
        [=](std::int64_t head, std::int64_t query, std::int64_t key) {
            return image_cell(slope_term(p, head), query / image.width - key / image.width,
                              query % image.width - key % image.width);
        });
    plan.is_before_mask = false;
    plan.axes[1] = window_axis(AxisKind::query, image);
    plan.axes[2] = window_axis(AxisKind::key, image);
    if (!is_row) return plan;
    const std::int64_t last = image.queries() - 1;
    plan.shape = {slopes.size(), 1, image.keys()};
    plan.axes[1] = query_axis({1, image.keys()});
    plan.make_rows = [=, all = plan.make_rows](DType dtype) {
        std::vector<std::int64_t> chosen;
        for (std::int64_t head = 0; head < slopes.size(); ++head) {
            chosen.push_back(head * image.queries() + last);
        }
        return rows::chosen_rows(all(dtype), chosen);
    };
    plan.cell = [last, all = plan.cell](std::span<const std::int64_t> index) {
        return all(std::array{index[0], last, index[2]});
    };
    return plan;
}

Plan slopes_plan(const Parameters& p) {
    const Frequencies slopes = slopes_of(p);
    return {.parameters = p,
            .shape = {slopes.size()},
            .axes = {head_axis()},
            .make_rows = [slopes](DType dtype) { return numerics::frequency_rows(slopes, dtype); },
            .cell =
                [p](std::span<const std::int64_t> index) {
                    return Cell{.value = slope_term(p, index[0])};
                }};
}

Plan plan(Parameters p, std::string_view table) {
    p = resolve_image(std::move(p));
    if (!p.has("image")) p = resolve_keys(std::move(p));
    if (table == "slopes") return slopes_plan(p);
    if (p.has("image")) return image_plan(p, table == "row");
    rows::AttentionSize size = attention_size(p);
    if (table == "row") size = {1, size.keys};
    const Frequencies slopes = slopes_of(p);
    const std::string form = p.word("form");
    const auto rows = [=](DType dtype) {
        check_holds(dtype, static_cast<double>(size.keys - 1) * slopes.largest(),
                    "the largest bias");
        return bias_rows(slopes, form, size, dtype);
    };
    Plan plan =
        bias_plan(p, size, rows, [=](std::int64_t head, std::int64_t query, std::int64_t key) {
            const std::int64_t position = size.seen_by(query) - 1;
            return bias_cell(slope_term(p, head), distance_of(form, position, key, size.keys));
        });
    if (form == "symmetric") plan.is_before_mask = false;
    return plan;
}

constexpr std::array tables{
    TableSpec{.name = "bias",
              .summary = "the bias added to the scores, (heads, len, key-len)",
              .title = "ALiBi (heads={heads}, form={form})",
              .value_label = "Bias",
              .promises = "relative"},
    TableSpec{.name = "row",
              .summary = "the bias of the last query, (heads, 1, key-len)",
              .title = "ALiBi, the Last Query (heads={heads}, form={form})",
              .value_label = "Bias"},
    TableSpec{.name = "slopes",
              .summary = "the slope of each head, (heads)",
              .title = "ALiBi's Slopes (heads={heads}, slopes={slopes})",
              .value_label = "Slope"},
};

constexpr std::array alibi_presets{
    PresetSpec{.name = "attention-gym",
               .aliases = "alibi-paper",
               .settings = "--slopes geometric",
               .summary = "ALiBi by the paper's formula for any number of heads, as attention-gym",
               .source = "meta-pytorch/attention-gym, attn_gym/mods/alibi.py",
               .note = "Positive above the diagonal: only a causal mask makes it a penalty. Where "
                       "heads is not a power of 2, the slopes are not those of trained models."},
    PresetSpec{.name = "baichuan",
               .settings = "--heads 40 --form key --mask causal",
               .summary = "Baichuan-13B: the position of the key times the slope, and the mask",
               .source = "baichuan-inc/Baichuan-13B-Chat, modeling_baichuan.py, _gen_alibi_mask",
               .note = "40 heads: 32 slopes, then 8 of those in between. Its 7B model is rotary."},
    PresetSpec{.name = "bloom",
               .settings = "--heads 112 --form key",
               .summary = "BLOOM: the position of the key times the slope",
               .source = "huggingface/transformers, src/transformers/models/bloom/"
                         "modeling_bloom.py, build_alibi_tensor",
               .note =
                   "Its tensor is --table row, for each sequence of a batch; padded keys do "
                   "not count, and its slopes are rounded: the last digit may differ. bloom-560m "
                   "has --heads 16, bloom-7b1 --heads 32."},
    PresetSpec{.name = "falcon",
               .settings = "--heads 32 --form key",
               .summary = "Falcon-RW: BLOOM's bias before its rounding to bfloat16",
               .source = "huggingface/transformers, src/transformers/models/falcon/"
                         "modeling_falcon.py, build_alibi_tensor",
               .note =
                   "Falcon rounds the slopes to bfloat16 and the product again, which is off by "
                   "up to 1.6 at 300 keys; this table is not. Falcon-7B and 40B are rotary."},
    PresetSpec{
        .name = "gpt-neox-alibi",
        .settings = "--form causal",
        .summary = "GPT-NeoX with pos_emb alibi: 0 above the diagonal",
        .source = "EleutherAI/gpt-neox, megatron/model/positional_embeddings.py, AliBi",
        .note = "Its class defaults to mp_rank 1 of 1, which has no slopes: pass mp_rank=0."},
    PresetSpec{.name = "mpt",
               .settings = "--heads 32 --form last-key",
               .summary = "MPT: the key's distance from the last key times the slope",
               .source = "huggingface/transformers, src/transformers/models/mpt/modeling_mpt.py, "
                         "build_mpt_alibi_tensor",
               .note = "Its tensor is --table row. --max-bias is alibi_bias_max. mpt-30b has "
                       "--heads 64. With alibi_full it is x-transformers-alibi."},
    PresetSpec{.name = "press",
               .aliases = "ofirpress",
               .settings = "--form key",
               .summary = "ALiBi's own code: the position of the key times the slope",
               .source = "ofirpress/attention_with_linear_biases, fairseq/models/transformer.py",
               .note = "Its tensor is --table row. All queries have the same row: softmax does not "
                       "see what a whole row is shifted by."},
    PresetSpec{.name = "x-transformers-alibi",
               .aliases = "flash-attn-alibi mpt-full opennmt-alibi",
               .settings = "--form symmetric",
               .summary = "ALiBi in both directions, as x-transformers, FlashAttention and OpenNMT",
               .source = "lucidrains/x-transformers, x_transformers/x_transformers.py, "
                         "AlibiPositionalBias",
               .note = "The bias of a key and a query does not tell which comes first."},
};

}  // namespace

/// Attention with linear biases: a penalty proportional to the distance, steeper for some heads
/// than for others. Key k is at position k; the queries are at the last of the keys' positions;
/// heads count from 0. With --image they are the tokens of an image, row by row. If the number of
/// heads is not a power of 2, --slopes nearest-power takes the slopes for the next lower power of
/// 2, and then every other slope for the next higher power of 2.
///
/// Tables: bias (heads, len, key-len), axes (head, query, key); row (heads, 1, key-len), the last
/// query of bias; slopes (heads), axis (head).
/// Correctly rounded: slopes are exact powers until the product with the distance is rounded.
/// Kept in memory: a line of len + key-len - 1 values for each head.
extern constinit const Encoding alibi{
    .name = "alibi",
    .summary = "a bias that falls linearly with the distance, with a slope per head: ALiBi",
    .formula =
        "bias[h, q, k] = slope[h] * distance\n"
        "distance = k - q, -|k - q|, min(k - q, 0), k, or k - last k: --form\n"
        "--form euclidean: distance = -sqrt(dy^2 + dx^2), in rows and columns of an image\n"
        "slope[h] = 2^(-max_bias * (h + 1) / n), n the power of 2 at or below heads; from h = n "
        "on\n"
        "slope[h] = 2^(-max_bias * (2 (h - n) + 1) / (2 n))\n"
        "--slopes geometric: slope[h] = 2^(-max_bias * (h + 1) / heads)",
    .source =
        "Press et al. 2022, Train Short, Test Long, arXiv:2108.12409, section 3; images: Fuller et "
        "al. 2023, CROMA, arXiv:2311.00566, antofuller/CROMA, get_2dalibi",
    .examples =
        "alibi --heads 8 --len 1024\n"
        "alibi --heads 12 --table slopes\n"
        "alibi --heads 4 --len 32 --form symmetric --png alibi.png",
    .parameters = parameters,
    .tables = tables,
    .presets = alibi_presets,
    .plan = plan};

}  // namespace pegen::encodings
