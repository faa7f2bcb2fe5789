#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/number.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/weights.h"
#include "encodings/relative/by_offset.h"
#include "numerics/geometric_scale.h"
#include "numerics/real.h"

namespace pegen::encodings {
namespace {

constexpr std::array parameters{
    queries_parameter,
    keys_parameter,
    heads_parameter,
    ParameterSpec{
        .name = "num-buckets",
        .aliases = "relative-attention-num-buckets",
        .type = ParameterType::integer,
        .default_value = "32",
        .range = {.lowest = 2, .highest = 1 << 16},
        .summary = "number of buckets, half of them for keys after the query unless --causal"},
    ParameterSpec{
        .name = "max-distance",
        .aliases = "relative-attention-max-distance",
        .type = ParameterType::integer,
        .default_value = "128",
        .range = any_count,
        .summary =
            "distance at which the last bucket ends by the formula; all beyond are in it, too"},
    ParameterSpec{
        .name = "causal",
        .aliases = "is-decoder",
        .type = ParameterType::flag,
        .summary = "use all buckets for the past; keys after the query count as distance 0"},
    ParameterSpec{.name = "positions-file",
                  .aliases = "position-ids",
                  .type = ParameterType::path,
                  .summary = "file of whole numbers: the position of each token, queries and keys "
                             "alike; as of --positions-file of rope [0, 1, 2 ...]",
                  .role = Role::tokens},
    ParameterSpec{.name = "bias-table",
                  .type = ParameterType::path,
                  .summary = "NPY file: floats (num-buckets, heads), the bias of each bucket"},
    ParameterSpec{.name = "out-scale",
                  .default_value = "1",
                  .range = positive,
                  .summary = "factor of all biases",
                  .is_rare = true},
    mask_parameter,
    init_parameter,
    seed_parameter,
    rng_parameter,
};

/// The buckets, as given by the parameters.
struct Buckets {
    std::int64_t in_all;
    bool is_causal;
    std::int64_t max_distance;

    /// Returns the number of buckets on one side of the query. exact() is the number of these
    /// buckets that hold a single distance.
    std::int64_t on_a_side() const { return is_causal ? in_all : in_all / 2; }
    std::int64_t exact() const { return on_a_side() / 2; }
};

Buckets buckets_of(const Parameters& p) {
    const Buckets buckets{p.integer("num-buckets"), p.flag("causal"), p.integer("max-distance")};
    if (buckets.exact() == 0) {
        throw UsageError(
            fmt::format("--num-buckets {}: must be at least 4, two on either side of "
                        "the query; or 2 with --causal",
                        buckets.in_all));
    }
    if (buckets.max_distance <= buckets.exact()) {
        throw UsageError(
            fmt::format("--max-distance {}: must be greater than {}, the number of "
                        "distances with a bucket of their own; or use fewer "
                        "--num-buckets",
                        buckets.max_distance, buckets.exact()));
    }
    return buckets;
}

/// Returns the bucket of the offset key - query.
std::int64_t bucket_of(const Buckets& buckets, std::int64_t offset) {
    const bool is_after = offset > 0;
    const std::int64_t first = is_after && !buckets.is_causal ? buckets.on_a_side() : 0;
    const std::int64_t distance = is_after && buckets.is_causal ? 0 : std::abs(offset);
    const std::int64_t exact = buckets.exact(), shared = buckets.on_a_side() - exact;
    if (distance < exact) return first + distance;
    if (distance >= buckets.max_distance) return first + exact + shared - 1;
    return first + exact +
           numerics::steps_around({exact, buckets.max_distance, shared}, distance).before;
}

/// Returns the formula of bucket_of().
std::string formula_of(const Buckets& buckets, std::int64_t offset) {
    const bool is_after = offset > 0;
    const std::int64_t distance = is_after && buckets.is_causal ? 0 : std::abs(offset);
    const std::int64_t exact = buckets.exact(), all = buckets.on_a_side();
    std::string text = fmt::format("{}", distance);
    if (distance >= exact) {
        text = fmt::format("min({0} + floor({1} * ln({2} / {0}) / ln({3} / {0})), {4})", exact,
                           all - exact, distance, buckets.max_distance, all - 1);
    }
    return is_after && !buckets.is_causal ? fmt::format("{} + {}", text, all) : text;
}

/// Returns the function bucket_of() for these buckets.
NumberOfOffset numbers_of(const Buckets& buckets) {
    return [=](std::int64_t offset) { return bucket_of(buckets, offset); };
}

/// The biases (num-buckets, heads).
struct Biases {
    std::int64_t heads;
    double scale;
    /// Reads or draws them, each a double whose rounding to the dtype is the exact one's.
    std::function<rows::KeptRows(DType dtype)> values;
};

/// Throws: as open_weights().
Biases open_bias(const Parameters& p, const Buckets& buckets) {
    const Weights weights = open_weights(p, {.file_parameter = "bias-table",
                                             .extents = "(num-buckets, heads)",
                                             .rows = buckets.in_all,
                                             .columns = p.integer("heads")});
    const double scale = p.real("out-scale");
    const auto values = [=](DType dtype) {
        const rows::KeptRows kept = read_weights(weights, dtype);
        if (scale == 1) return kept;
        const auto size = [](double weight) { return std::fabs(weight); };
        check_holds(dtype, scale * size(std::ranges::max(*kept, {}, size)), "the largest bias");
        std::vector<double> scaled;
        for (const double weight : *kept) {
            scaled.push_back(numerics::for_rounding_to(dtype, numerics::Real(weight) * scale));
        }
        return rows::KeptRows(std::make_shared<const std::vector<double>>(std::move(scaled)));
    };
    return {weights.columns, scale, values};
}

/// Returns the cell of the bias of a head for this offset.
Cell bias_cell(const Buckets& buckets, const Biases& biases, std::int64_t head,
               std::int64_t offset) {
    const std::int64_t bucket = bucket_of(buckets, offset);
    Cell cell = cell_at_offset(offset, bucket, "");
    cell.note += fmt::format(" Its bucket is {} = {}.", formula_of(buckets, offset), bucket);
    cell.value = {.text = fmt::format("weights[{}, {}]", bucket, head)};
    if (biases.scale != 1) cell.value.text.insert(0, fmt::format("{} * ", shortest(biases.scale)));
    cell.held = [=](DType dtype) { return (*biases.values(dtype))[bucket * biases.heads + head]; };
    return cell;
}

Plan plan_by_distance(Parameters p) {
    const Buckets buckets = buckets_of(p);
    const rows::AttentionSize size = attention_size(p);
    const Biases biases = open_bias(p, buckets);
    return bias_plan(
        std::move(p), size,
        [=](DType dtype) {
            const RealRows buckets_of_offsets =
                rows::kept_rows(line_of(numbers_of(buckets), size), size.distances());
            const RealRows line =
                rows::gathered_by_head(buckets_of_offsets, biases.values(dtype), biases.heads);
            return rows::by_distance(rounded(line, dtype), size);
        },
        [=](std::int64_t head, std::int64_t query, std::int64_t key) {
            return bias_cell(buckets, biases, head, key - query - size.before);
        });
}

/// Opens the positions of --positions-file, and fills in --len and --key-len. Throws: FileError;
/// FormatError; UsageError if the user gave another number of tokens.
Positions open_tokens(Parameters& p) {
    const Positions positions = open_ids(p.word("positions-file"));
    for (const char* name : {"len", "key-len"}) {
        if (p.given(name) && p.integer(name) != positions.size()) {
            throw UsageError(fmt::format(
                "--{} {}: --positions-file {} has {} positions; leave --{} "
                "out",
                name, p.integer(name), p.word("positions-file"), positions.size(), name));
        }
        p.resolve(name, positions.size());
    }
    return positions;
}

/// Returns the bucket of each pair of tokens at these positions, (tokens, tokens).
RealRows listed_buckets(const Buckets& buckets, const Positions& positions) {
    // All offsets of this distance or more share a bucket.
    const std::int64_t last = buckets.max_distance;
    if (last > 1 << 22) {
        throw UsageError(
            fmt::format("--max-distance {}: must be at most 2^22 with --positions-file", last));
    }
    std::vector<double> of_offsets;
    for (std::int64_t offset = -last; offset <= last; ++offset) {
        of_offsets.push_back(static_cast<double>(bucket_of(buckets, offset)));
    }
    const std::int64_t tokens = positions.size();
    const auto most = static_cast<double>(last);
    return {[=, line = std::make_shared<std::vector<double>>(std::move(of_offsets))](
                RowRange range, std::span<double> out) {
                for (std::int64_t i = 0; i < std::ssize(out); ++i) {
                    const double offset =
                        positions[i % tokens] - positions[range.first + i / tokens];
                    const double place = std::clamp(offset, -most, most) + most;
                    out[i] = (*line)[static_cast<std::size_t>(place)];
                }
            },
            tokens, tokens};
}

/// Plans the tables of tokens at these positions.
Plan listed_plan(Parameters p, const Positions& positions, std::string_view table) {
    const Buckets buckets = buckets_of(p);
    const std::int64_t tokens = positions.size();
    const rows::AttentionSize size{tokens, tokens};
    const RealRows index = listed_buckets(buckets, positions);
    const auto offset_of = [=](std::int64_t query, std::int64_t key) {
        return static_cast<std::int64_t>(positions[key] - positions[query]);
    };
    if (table == "bucket") {
        return {.parameters = std::move(p),
                .shape = {tokens, tokens},
                .axes = {query_axis(size), key_axis(size)},
                .make_rows =
                    [=](DType dtype) {
                        check_holds(dtype, static_cast<double>(buckets.in_all - 1),
                                    "the last bucket");
                        return rounded(index, dtype);
                    },
                .cell =
                    [=](std::span<const std::int64_t> at) {
                        const std::int64_t offset = offset_of(at[0], at[1]);
                        return cell_at_offset(offset, bucket_of(buckets, offset),
                                              formula_of(buckets, offset));
                    }};
    }
    const Biases biases = open_bias(p, buckets);
    Plan plan = bias_plan(
        std::move(p), size,
        [=](DType dtype) {
            return rounded(rows::gathered_by_head(index, biases.values(dtype), biases.heads),
                           dtype);
        },
        [=](std::int64_t head, std::int64_t query, std::int64_t key) {
            return bias_cell(buckets, biases, head, offset_of(query, key));
        });
    plan.is_before_mask = false;  // positions in any order may be of pairs that no model masks
    return plan;
}

Plan plan(Parameters given, std::string_view table) {
    Parameters p = without_idle_initializer(std::move(given), {"bias-table"});
    p = with_extent_of(std::move(p), "bias-table", 1, "heads");
    if (p.has("positions-file")) {
        const Positions positions = open_tokens(p);
        return listed_plan(std::move(p), positions, table);
    }
    p = resolve_keys(std::move(p));
    const Buckets buckets = buckets_of(p);
    const rows::AttentionSize size = attention_size(p);
    const bool is_masked = table == "bias" && p.word("mask") == "causal";
    Plan plan =
        table == "bias"
            ? plan_by_distance(std::move(p))
            : plan_by_offset(std::move(p), size, numbers_of(buckets),
                             [=](std::int64_t offset) { return formula_of(buckets, offset); });
    plan.is_before_mask = buckets.is_causal && !is_masked && size.seen_by(0) < size.keys;
    return plan;
}

constexpr std::array tables{
    TableSpec{.name = "bucket",
              .summary = "the bucket of each pair, (len, key-len), whole numbers",
              .title = "T5 Buckets (num_buckets={num-buckets}, max_distance={max-distance})",
              .value_label = "Bucket",
              .dtype = DType::int64,
              .idle_parameters = "bias-table out-scale mask init seed rng",
              .promises = "relative"},
    TableSpec{.name = "bias",
              .summary = "the bias of each pair's bucket, (heads, len, key-len)",
              .title = "T5 Bias (num_buckets={num-buckets}, max_distance={max-distance})",
              .value_label = "Bias",
              .is_initial = true,
              .promises = "relative"},
};

constexpr std::array t5_presets{
    PresetSpec{
        .name = "t5-decoder",
        .settings = "--causal",
        .summary = "the buckets of T5's decoder: 32 for the past, none for the future",
        .source = "huggingface/transformers, src/transformers/models/t5/modeling_t5.py",
        .note =
            "All keys after the query share bucket 0 with the query itself; the causal "
            "mask hides them. Cross attention has no position bias. Hugging Face draws the bias "
            "with a standard deviation of 1 / sqrt(d_model), --init normal:0,0.0442 for "
            "t5-small."},
    PresetSpec{.name = "wavlm",
               .settings = "--num-buckets 320 --max-distance 800 --heads 12 --init normal:0,0.02",
               .summary = "WavLM's buckets: 320, up to a distance of 800 frames",
               .source = "microsoft/unilm, wavlm/modules.py, MultiheadAttention",
               .note = "The code multiplies the bias by a gate that depends on the query; this is "
                       "the bias before. Large models have 16 heads."},
};

}  // namespace

/// Distances are in tokens, or between the positions of --positions-file. If there are fewer
/// queries than keys, the queries are at the last positions. Without --causal each side of the
/// query has half of num-buckets; if num-buckets is odd, the last bucket stays empty. The bias is
/// added to scores that T5 does not divide by sqrt(d).
///
/// Tables: bucket (len, key-len), axes (query, key), integers counted from 0, exact at the limits
/// of the buckets; bias (heads, len, key-len), axes (head, query, key), with weights rounded once.
/// The weights are read from --bias-table, or are the tensor (num-buckets, heads) that PyTorch
/// draws by --init right after seeding; --mask causal hides the keys after each query, by their
/// places in the table. Keeps heads * (len + key-len) values in memory.
extern constinit const Encoding t5{
    .name = "t5",
    .summary = "distances in buckets, exact when near and logarithmic when far, and their bias: T5",
    .formula =
        "bucket[q, k] = r                                                    if r < m\n"
        "bucket[q, k] = min(m + floor((n - m) ln(r / m) / ln(M / m)), n - 1) otherwise\n"
        "               and + n if k > q, without --causal\n"
        "r = |k - q|, n = num-buckets / 2;  --causal: r = max(q - k, 0), n = num-buckets\n"
        "m = floor(n / 2), M = max-distance\n"
        "bias[h, q, k] = out-scale weights[bucket[q, k], h]",
    .source = "Raffel et al. 2020, T5, arXiv:1910.10683, section 2.1",
    .examples =
        "t5 --len 12\n"
        "t5 --len 256 --png buckets.png\n"
        "t5 --len 40 --table bias --heads 4 --seed 1 --png bias.png",
    .parameters = parameters,
    .tables = tables,
    .presets = t5_presets,
    .plan = plan};

}  // namespace pegen::encodings
