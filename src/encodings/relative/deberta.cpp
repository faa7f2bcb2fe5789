#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/relative/by_offset.h"
#include "numerics/geometric_scale.h"

namespace pegen::encodings {
namespace {

constexpr ParameterSpec own_keys_parameter = [] {
    ParameterSpec spec = keys_parameter;
    spec.summary = "number of keys; the queries are the first of them [--len]";
    return spec;
}();

constexpr std::array parameters{
    queries_parameter,
    own_keys_parameter,
    ParameterSpec{.name = "position-buckets",
                  .aliases = "num-buckets",
                  .type = ParameterType::integer,
                  .default_value = "256",
                  .range = {.lowest = 4, .highest = 1 << 16},
                  .summary = "buckets on each side, half of them for exact distances"},
    ParameterSpec{.name = "max-position",
                  .aliases = "max-relative-positions max-position-embeddings",
                  .type = ParameterType::integer,
                  .default_value = "512",
                  .range = any_count,
                  .summary = "one more than the distance at which the last bucket begins"},
    ParameterSpec{.name = "clamp",
                  .type = ParameterType::flag,
                  .summary = "put all larger distances into the last bucket"},
    ParameterSpec{.name = "sign",
                  .type = ParameterType::word,
                  .default_value = "query-key",
                  .choices = "query-key key-query",
                  .summary = "how distances are counted",
                  .is_rare = true},
    ParameterSpec{.name = "shift",
                  .type = ParameterType::integer,
                  .default_value = "0",
                  .range = {.lowest = -(1 << 16), .highest = 1 << 16},
                  .summary = "number added to the index before it is cut",
                  .is_rare = true},
};

/// The buckets, as given by the parameters.
struct Buckets {
    std::int64_t span;  ///< --position-buckets
    std::int64_t last;  ///< --max-position - 1: the distance with the last bucket
    bool is_clamped;

    std::int64_t middle() const { return span / 2; }
};

Buckets buckets_of(const Parameters& p) {
    const Buckets buckets{p.integer("position-buckets"), p.integer("max-position") - 1,
                          p.flag("clamp")};
    if (buckets.last <= buckets.middle()) {
        throw UsageError(
            fmt::format("--max-position {}: must be greater than {}, half of "
                        "--position-buckets and 1",
                        buckets.last + 1, buckets.middle() + 1));
    }
    return buckets;
}

/// Returns the bucket of the distance r.
std::int64_t bucket_of(const Buckets& buckets, std::int64_t r) {
    const std::int64_t distance =
        buckets.is_clamped ? std::min(std::abs(r), buckets.last) : std::abs(r);
    const std::int64_t middle = buckets.middle();
    if (distance <= middle) return r;
    const std::int64_t bucket =
        middle + numerics::steps_around({middle, buckets.last, middle - 1}, distance).after;
    return r < 0 ? -bucket : bucket;
}

/// Returns the formula of bucket_of().
std::string formula_of(const Buckets& buckets, std::int64_t r) {
    const std::int64_t middle = buckets.middle();
    if (std::abs(r) <= middle) return fmt::format("{}", r);
    return fmt::format("{}({} + ceil({} * ln({} / {}) / ln({} / {})))", r < 0 ? "-" : "", middle,
                       middle - 1,
                       buckets.is_clamped ? std::min(std::abs(r), buckets.last) : std::abs(r),
                       middle, buckets.last, middle);
}

/// Returns the row of the bucket in a table of 2 span rows.
std::int64_t row_of(const Buckets& buckets, std::int64_t bucket, std::int64_t shift) {
    return std::clamp<std::int64_t>(bucket + buckets.span + shift, 0, 2 * buckets.span - 1);
}

Plan plan(Parameters given, std::string_view table) {
    Parameters p = with_keys(std::move(given));
    const Buckets buckets = buckets_of(p);
    rows::AttentionSize size = attention_size(p);
    size.before = 0;
    const std::int64_t sign = p.word("sign") == "key-query" ? 1 : -1, shift = p.integer("shift");
    const bool is_index = table == "index";
    return plan_by_offset(
        std::move(p), size,
        [=](std::int64_t offset) {
            const std::int64_t bucket = bucket_of(buckets, sign * offset);
            return is_index ? row_of(buckets, bucket, shift) : bucket;
        },
        [=](std::int64_t offset) {
            const std::string bucket = formula_of(buckets, sign * offset);
            if (!is_index) return bucket;
            return fmt::format("clip({} + {}, 0, {})", bucket, buckets.span + shift,
                               2 * buckets.span - 1);
        });
}

constexpr std::array tables{
    TableSpec{.name = "bucket",
              .summary = "the bucket of each pair, negative after the query, (len, key-len)",
              .title = "DeBERTa Buckets (buckets={position-buckets}, max={max-position})",
              .value_label = "Bucket",
              .dtype = DType::int64,
              .idle_parameters = "shift",
              .promises = "relative"},
    TableSpec{.name = "index",
              .summary = "the row of each pair in a table of 2 position-buckets, (len, key-len)",
              .title = "DeBERTa Index (buckets={position-buckets}, max={max-position})",
              .value_label = "Row of the Table",
              .dtype = DType::int64,
              .promises = "relative"},
};

constexpr std::array deberta_presets{
    PresetSpec{.name = "deberta-v2",
               .aliases = "deberta-v3",
               .settings = "",
               .summary = "DeBERTa v2 and v3 in Hugging Face's code: 256 buckets, 512 positions",
               .source = "huggingface/transformers, "
                         "src/transformers/models/deberta_v2/modeling_deberta_v2.py",
               .note = "position_buckets 256, and max_relative_positions -1, which stands for 512. "
                       "Buckets go on growing beyond 512; only the index into the table is cut."},
    PresetSpec{.name = "microsoft-deberta",
               .settings = "--clamp",
               .summary = "DeBERTa v2 and v3 in Microsoft's code: distances end at +-511",
               .source = "microsoft/DeBERTa, DeBERTa/deberta/da_utils.py, make_log_bucket_position",
               .note = "Buckets end at 255 on either side; the index is that of deberta-v2, but "
                       "for the distances beyond 511 after the query."},
    PresetSpec{
        .name = "uni-core",
        .settings = "--position-buckets 16 --max-position 128 --clamp --sign key-query "
                    "--shift -1",
        .summary = "Uni-Core's rp_bucket: 15 buckets on either side, positive after the query",
        .source = "dptech-corp/Uni-Core, unicore/modules/transformer_encoder.py, "
                  "relative_position_bucket",
        .note = "Its rp_bucket is --table index, rows of an embedding of 32; it subtracts the "
                "smallest bucket, which is -15 for the usual max_seq_len."},
};

}  // namespace

/// r is query - key, and buckets are positive for keys before the query, unless --sign is
/// key-query. Queries and keys both count from 0, so if there are fewer queries than keys, the
/// queries are at the first positions, as in both code bases.
///
/// Tables: bucket, index (len, key-len), axes (query, key), integers, exact at the limits of the
/// buckets. Keeps len + key-len values in memory.
extern constinit const Encoding deberta{
    .name = "deberta",
    .summary =
        "signed distances in buckets, exact when near and logarithmic when far: DeBERTa v2 and v3",
    .formula =
        "bucket[q, k] = r                                                          if |r| <= m\n"
        "bucket[q, k] = sign(r) (m + ceil((m - 1) ln(|r| / m) / ln((M - 1) / m)))  otherwise\n"
        "r = q - k, m = floor(position-buckets / 2), M = max-position\n"
        "--sign key-query: r = k - q;  --clamp: r is cut to -(M - 1) ... M - 1\n"
        "index[q, k] = max(min(bucket[q, k] + n + shift, 2n - 1), 0), n = position-buckets",
    .source = "He et al. 2021, DeBERTa, arXiv:2006.03654; the code of its version 2",
    .examples =
        "deberta --len 6 --position-buckets 4 --max-position 6\n"
        "deberta --len 600 --png buckets.png\n"
        "deberta --len 512 --table index --npy index.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = deberta_presets,
    .plan = plan};

}  // namespace pegen::encodings
