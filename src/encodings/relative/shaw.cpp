#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "encodings/encoding.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/weights.h"
#include "encodings/relative/by_offset.h"

namespace pegen::encodings {
namespace {

constexpr Range any_reach{.lowest = 0, .highest = 1 << 26};

constexpr std::array parameters{
    queries_parameter,
    keys_parameter,
    with_default(d_parameter, "64"),
    ParameterSpec{.name = "max-distance",
                  .aliases = "max-relative-position max-relative-positions",
                  .type = ParameterType::integer,
                  .default_value = "16",
                  .range = any_reach,
                  .summary = "k, the largest distance with its own row"},
    ParameterSpec{.name = "left",
                  .aliases = "max-left-rel-pos",
                  .type = ParameterType::integer,
                  .range = any_reach,
                  .summary = "the same for negative distances [--max-distance]"},
    ParameterSpec{.name = "right",
                  .aliases = "max-right-rel-pos",
                  .type = ParameterType::integer,
                  .range = any_reach,
                  .summary = "the same for positive distances [--max-distance]"},
    ParameterSpec{
        .name = "outside",
        .type = ParameterType::word,
        .default_value = "clip",
        .choices = "clip zero error",
        .summary = "what larger distances get: the last row, none (index -1), or an error"},
    ParameterSpec{.name = "sign",
                  .type = ParameterType::word,
                  .default_value = "key-query",
                  .choices = "key-query query-key",
                  .summary = "how distances are counted"},
    ParameterSpec{
        .name = "shift",
        .type = ParameterType::integer,
        .default_value = "0",
        .range = any_reach,
        .summary = "rows of the tables before those of distances, such as one for padding",
        .is_rare = true},
    ParameterSpec{.name = "key-table",
                  .type = ParameterType::path,
                  .summary = "NPY file: floats (shift + left + right + 1, d), of the keys"},
    ParameterSpec{.name = "value-table",
                  .type = ParameterType::path,
                  .summary = "NPY file: floats (shift + left + right + 1, d), of the values"},
    init_parameter,
    seed_parameter,
    rng_parameter,
};

/// The distances that have rows, as given by the parameters.
struct Reach {
    std::int64_t left;
    std::int64_t right;
    bool is_clipped;
    std::int64_t sign;   ///< 1: the distance is key - query; -1: query - key
    std::int64_t shift;  ///< rows before those of distances

    std::int64_t rows() const { return shift + left + right + 1; }
};

Reach reach_of(const Parameters& p) {
    return {.left = p.integer("left"),
            .right = p.integer("right"),
            .is_clipped = p.word("outside") == "clip",
            .sign = p.word("sign") == "key-query" ? 1 : -1,
            .shift = p.integer("shift")};
}

/// Returns the row for the offset key - query; -1 if it has no row.
std::int64_t row_of(const Reach& reach, std::int64_t offset) {
    const std::int64_t distance = reach.sign * offset;
    const std::int64_t clipped = std::clamp(distance, -reach.left, reach.right);
    return clipped == distance || reach.is_clipped ? clipped + reach.left + reach.shift : -1;
}

/// Returns the formula of row_of().
std::string formula_of(const Reach& reach, std::int64_t offset) {
    if (row_of(reach, offset) < 0) return "-1, no row";
    return fmt::format("clip({}, {}, {}) + {}", reach.sign * offset, -reach.left, reach.right,
                       reach.left + reach.shift);
}

Parameters resolve_reach(Parameters p) {
    if (p.has("left") && p.has("right")) {
        if (p.given("max-distance")) {
            throw UsageError(
                fmt::format("--max-distance {}: --left {} and --right {} say it all; "
                            "leave --max-distance out",
                            p.integer("max-distance"), p.integer("left"), p.integer("right")));
        }
        p.resolve("max-distance", {});
        return p;
    }
    for (const char* name : {"left", "right"}) {
        if (!p.has(name)) p.resolve(name, p.integer("max-distance"));
    }
    return p;
}

void check_outside(const Parameters& p) {
    if (p.word("outside") != "error") return;
    const rows::AttentionSize size = attention_size(p);
    const Reach reach = reach_of(p);
    for (const std::int64_t offset : {size.smallest_distance(), size.queries - 1}) {
        if (row_of(reach, offset) >= 0) continue;
        throw UsageError(
            fmt::format("--outside error: distance {} has no row, they are {} to {}; "
                        "use a shorter --len or a larger --max-distance",
                        reach.sign * offset, -reach.left, reach.right));
    }
}

Weights weights_of(const Parameters& p, bool is_of_values) {
    return open_weights(p, {.file_parameter = is_of_values ? "value-table" : "key-table",
                            .extents = reach_of(p).shift > 0 ? "(shift + left + right + 1, d)"
                                                             : "(left + right + 1, d)",
                            .rows = reach_of(p).rows(),
                            .columns = p.integer("d"),
                            .drawn_before = is_of_values ? 1 : 0});
}

Plan weight_plan(Parameters p, bool is_of_values) {
    const Weights weights = weights_of(p, is_of_values);
    const Reach reach = reach_of(p);
    const Positions distances(static_cast<double>(-reach.left), 1, weights.rows - reach.shift);
    return {.parameters = std::move(p),
            .shape = {weights.rows, weights.columns},
            .axes = {{.kind = AxisKind::position,
                      .name = "distance",
                      .label = "Relative Position",
                      .rows_before = reach.shift,
                      .positions = distances},
                     channel_axis()},
            .make_rows = [weights](DType dtype) { return weight_rows(weights, dtype); }};
}

RealRows gathered_rows(const Reach& reach, rows::AttentionSize size, rows::KeptRows weights,
                       std::int64_t d) {
    return {[=, weights = std::move(weights)](RowRange range, std::span<double> out) {
                for (std::int64_t i = 0; i < range.count; ++i) {
                    const std::int64_t query = (range.first + i) / size.keys;
                    const std::int64_t key = (range.first + i) % size.keys;
                    const std::int64_t row = row_of(reach, key - query - size.before);
                    const auto place = out.begin() + i * d;
                    if (row < 0) {
                        std::fill_n(place, d, 0.0);
                    } else {
                        std::copy_n(weights->begin() + row * d, d, place);
                    }
                }
            },
            size.queries * size.keys, d};
}

Plan gathered_plan(Parameters p, bool is_of_values) {
    const Weights weights = weights_of(p, is_of_values);
    const Reach reach = reach_of(p);
    const rows::AttentionSize size = attention_size(p);
    return {.parameters = std::move(p),
            .shape = {size.queries, size.keys, weights.columns},
            .axes = {query_axis(size), key_axis(size), channel_axis()},
            .make_rows = [=](DType dtype) {
                return rounded(
                    gathered_rows(reach, size, read_weights(weights, dtype), weights.columns),
                    dtype);
            }};
}

Plan plan(Parameters given, std::string_view table) {
    Parameters p = resolve_reach(resolve_keys(std::move(given)));
    p = without_idle_initializer(std::move(p), {"key-table", "value-table"});
    for (const char* file : {"key-table", "value-table"}) {
        p = with_extent_of(std::move(p), file, 1, "d");
    }
    check_outside(p);
    if (table == "index") {
        const Reach reach = reach_of(p);
        const rows::AttentionSize size = attention_size(p);
        return plan_by_offset(
            std::move(p), size, [=](std::int64_t offset) { return row_of(reach, offset); },
            [=](std::int64_t offset) { return formula_of(reach, offset); });
    }
    const bool is_of_values = table.starts_with("value");
    return table.ends_with("gathered") ? gathered_plan(std::move(p), is_of_values)
                                       : weight_plan(std::move(p), is_of_values);
}

constexpr std::array tables{
    TableSpec{.name = "index",
              .summary = "the row of each pair, (len, key-len), whole numbers",
              .title = "Relative Index (left={left}, right={right})",
              .value_label = "Row of the Table",
              .dtype = DType::int64,
              .idle_parameters = "key-table value-table init seed rng",
              .promises = "relative"},
    TableSpec{.name = "key",
              .summary = "the vectors of the keys, (shift + left + right + 1, d)",
              .title = "Relative Key Vectors (left={left}, right={right}, d={d})",
              .value_label = "Weights",
              .is_initial = true},
    TableSpec{.name = "value",
              .summary = "the vectors of the values, (shift + left + right + 1, d)",
              .title = "Relative Value Vectors (left={left}, right={right}, d={d})",
              .value_label = "Weights",
              .is_initial = true},
    TableSpec{.name = "key-gathered",
              .summary = "the key vector of each pair, (len, key-len, d)",
              .title = "Relative Key Vectors (left={left}, right={right}, d={d})",
              .value_label = "Weights",
              .is_initial = true,
              .promises = "relative"},
    TableSpec{.name = "value-gathered",
              .summary = "the value vector of each pair, (len, key-len, d)",
              .title = "Relative Value Vectors (left={left}, right={right}, d={d})",
              .value_label = "Weights",
              .is_initial = true,
              .promises = "relative"},
};

constexpr std::array shaw_presets{
    PresetSpec{.name = "shaw-fairseq2",
               .settings = "--left 64 --right 8 --init xavier-uniform",
               .summary = "fairseq2's relative positions: 64 to the left, 8 to the right",
               .source = "facebookresearch/fairseq2, src/fairseq2/models/transformer/sdpa/shaw.py, "
                         "ShawRelativePositionSDPA",
               .note = "73 rows; keys only, unless it has use_rel_pos_values."},
    PresetSpec{
        .name = "shaw-hf-bert",
        .aliases = "hf-relative-key",
        .settings = "--max-distance 511 --sign query-key --outside error --init normal:0,0.02",
        .summary = "relative_key of Hugging Face's BERT: query - key, 1023 rows, never clipped",
        .source = "huggingface/transformers, src/transformers/models/bert/modeling_bert.py",
        .note = "Keys only. --max-distance is max_position_embeddings - 1; a longer text fails. "
                "Row 0 is the key farthest ahead, not the one farthest behind."},
    PresetSpec{.name = "shaw-speecht5",
               .settings = "--left 160 --right 159 --sign query-key",
               .summary = "SpeechT5's relative positions: query - key, 320 rows, not symmetric",
               .source = "huggingface/transformers, "
                         "src/transformers/models/speecht5/modeling_speecht5.py",
               .note = "Clipped to -160 ... 159, an even number of rows; keys only."},
    PresetSpec{
        .name = "shaw-t2t",
        .aliases = "shaw-opennmt",
        .settings = "--max-distance 20",
        .summary = "relative positions of Tensor2Tensor and OpenNMT: the paper's, 2 k + 1 rows",
        .source = "tensorflow/tensor2tensor, tensor2tensor/layers/common_attention.py, "
                  "_generate_relative_positions_matrix",
        .note =
            "--max-distance is max_relative_position: 20 in Tensor2Tensor's transformer_relative. "
            "OpenNMT-py has one table for keys and values: --value-table and --key-table are "
            "the same file there."},
    PresetSpec{
        .name = "shaw-t2t-v2",
        .settings = "--max-distance 511 --outside zero",
        .summary = "Tensor2Tensor's relative_v2 without a mask: 2 k - 1 rows, nothing beyond",
        .source = "tensorflow/tensor2tensor, tensor2tensor/layers/common_attention.py, "
                  "dot_product_unmasked_self_attention_relative_v2",
        .note = "--max-distance is max_relative_position - 1. Pairs beyond have no vector at all "
                "instead of the last one's. The masked version keeps distances 0 to k - 1 alone, "
                "in reversed rows. Unless heads_share_relative_embedding, each head has a table of "
                "its own; this is one."},
    PresetSpec{.name = "shaw-wenet",
               .aliases = "wav2vec2-bert",
               .settings = "--left 64 --right 8",
               .summary = "64 to the left, 8 to the right: WeNet, wav2vec2-BERT",
               .source = "wenet-e2e/wenet, wenet/models/transformer/attention.py, "
                         "ShawRelPositionMultiHeadedAttention",
               .note = "73 rows; keys only."},
};

}  // namespace

/// L is --left and R is --right. Both are --max-distance by default, the paper's k, which gives 2 k
/// + 1 rows. Row 0 is distance -L; with --shift S, row S. Distances beyond the limits have the
/// nearest row, or with
/// --outside zero no row: index -1 and a vector of zeros. If there are fewer queries than keys, the
/// queries are at the last positions.
///
/// Tables: index (len, key-len), axes (query, key), integers; key, value (S + L + R + 1, d), axes
/// (distance, channel); key-gathered, value-gathered (len, key-len, d), axes (query, key, channel).
/// The weights are read from --key-table and --value-table, each rounded once, or are tensors that
/// PyTorch draws by --init right after seeding, the tensor of the keys first. Keeps all weights in
/// memory, up to 2^26; the table index keeps len + key-len values.
extern constinit const Encoding shaw{
    .name = "shaw",
    .summary = "a vector for each clipped distance, for keys and values: Shaw et al.",
    .formula =
        "index[q, k] = clip(k - q, -L, R) + L\n"
        "key_gathered[q, k] = key[index[q, k]],  value_gathered[q, k] = value[index[q, k]]\n"
        "--sign query-key: q - k in place of k - q\n"
        "--shift S: index[q, k] = clip(k - q, -L, R) + L + S",
    .source =
        "Shaw et al. 2018, Self-Attention with Relative Position Representations, "
        "arXiv:1803.02155, section 3",
    .examples =
        "shaw --len 7 --max-distance 3\n"
        "shaw --len 64 --max-distance 16 --png index.png\n"
        "shaw --len 10 --d 64 --max-distance 4 --table key-gathered --seed 1 --npy keys.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = shaw_presets,
    .plan = plan};

}  // namespace pegen::encodings
