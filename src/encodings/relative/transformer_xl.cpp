#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/shared.h"
#include "encodings/relative/by_offset.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    queries_parameter,
    ParameterSpec{.name = "mem-len",
                  .aliases = "memory-len",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = any_index,
                  .summary = "number of keys from earlier segments, before those of the queries",
                  .role = Role::extent},
    d_parameter,
    base_parameter,
    wave_layout_parameter,
    ParameterSpec{
        .name = "range",
        .type = ParameterType::word,
        .default_value = "causal",
        .choices = "causal xlnet full",
        .summary = "the distances: keys - 1 to 0, keys to -(len - 1), or keys - 1 to -(len - 1)"},
    ParameterSpec{.name = "clamp",
                  .aliases = "clamp-len",
                  .type = ParameterType::integer,
                  .range = any_count,
                  .summary = "limit distances to -N ... N"},
    keep_channels_parameter,
    view_parameter,
    wave_arith_parameter,
};

Positions distances_of(const Parameters& p) {
    const std::int64_t keys = p.integer("len") + p.integer("mem-len");
    if (static_cast<double>(keys) > two_to_53) {
        throw UsageError(fmt::format("--mem-len {}: with --len {} there are more than 2^53 keys",
                                     p.integer("mem-len"), p.integer("len")));
    }
    const std::int64_t first = p.word("range") == "xlnet" ? keys : keys - 1;
    const std::int64_t last = p.word("range") == "causal" ? 0 : 1 - p.integer("len");
    return {static_cast<double>(first), -1, first - last + 1};
}

/// Returns the limits by --clamp; nothing if they have no effect.
std::optional<DistanceLimits> limits_of(const Parameters& p, const Positions& distances) {
    if (!p.has("clamp")) return std::nullopt;
    const auto clamp = static_cast<double>(p.integer("clamp"));
    if (distances.largest() <= clamp) return std::nullopt;
    return DistanceLimits{-clamp, clamp};
}

Plan plan(Parameters p, std::string_view) {
    const Positions distances = distances_of(p);
    const std::optional<DistanceLimits> limits = limits_of(p, distances);
    return plan_distance_waves(std::move(p), distances, limits);
}

constexpr std::array tables{TableSpec{
    .name = "r",
    .summary = "R, the encoding of distances, largest first, (rows, d)",
    .title = "Encoding of Distances (d_model={d}, {range}, max_len={len}, mem_len={mem-len})",
    .value_label = "Positional Encoding Values",
    .promises = "unique bounded rotation offset spacing"}};

constexpr std::array transformer_xl_presets{
    PresetSpec{
        .name = "conformer",
        .aliases = "espnet-conformer wav2vec2-conformer",
        .settings = "--range full --layout interleaved",
        .summary = "Conformer: distances from len - 1 down to -(len - 1), sin and cos interleaved",
        .source = "facebookresearch/fairseq, fairseq/modules/positional_encoding.py, "
                  "RelPositionalEncoding",
        .note = "ESPnet's legacy class has positive distances alone, and WeNet uses absolute "
                "positions under the same name."},
    PresetSpec{
        .name = "xlnet",
        .settings = "--range xlnet --d 1024",
        .summary = "XLNet: distances of both signs, from key-len down to -(len - 1)",
        .source = "huggingface/transformers, src/transformers/models/xlnet/modeling_xlnet.py, "
                  "relative_positional_encoding",
        .note = "Row 0 is never read. --clamp, clamp_len there, clamps both sides. With attn_type "
                "'uni' the rows end at distance 0: --range causal and one row in front."},
};

}  // namespace

/// The matrix R of Transformer-XL. The distance t is query - key, in tokens, and falls from row to
/// row. There are K = len + mem-len keys; the queries are the last len of them.
///
/// Table: r (rows, d), axes (distance, channel): K rows if causal, K + len for xlnet, K + len - 1
/// for full. Correctly rounded. With --clamp eight bytes are kept for each row, for
/// up to 2^28 rows.
extern constinit const Encoding transformer_xl{
    .name = "transformer-xl",
    .summary = "sines and cosines of the distances between queries and keys, largest first",
    .formula =
        "R[t, i]       = sin(t' / base^(2i / d))\n"
        "R[t, d/2 + i] = cos(t' / base^(2i / d)),  t' = max(min(t, clamp), -clamp)\n"
        "causal: t = K - 1 ... 0;  xlnet: t = K ... -(len - 1);  full: t = K - 1 ... -(len - 1)\n"
        "K = len + mem-len;  --layout interleaved: sin in channel 2i, cos in 2i + 1",
    .source = "Dai et al. 2019, Transformer-XL, arXiv:1901.02860, section 3.3",
    .examples =
        "transformer-xl --len 4 --d 4\n"
        "transformer-xl --len 36 --mem-len 64 --d 64 --png r.png\n"
        "transformer-xl --len 128 --mem-len 1600 --clamp 1000 --d 1024 --npy r.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = transformer_xl_presets,
    .plan = plan};

}  // namespace pegen::encodings
