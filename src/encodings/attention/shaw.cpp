#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "encodings/attention/mechanism.h"
#include "encodings/registry.h"
#include "files/array_file.h"
#include "numerics/matrix_product.h"
#include "numerics/softmax.h"

namespace pegen::encodings::attention {
namespace {

constexpr Borrowed borrowed{"shaw", "len key-len d seed rng key-table value-table"};

constexpr ParameterSpec table_parameter(std::string_view name, std::string_view aliases,
                                        std::string_view summary) {
    return {.name = name, .aliases = aliases, .type = ParameterType::path, .summary = summary};
}

constexpr ParameterSpec key_table_parameter = table_parameter(
    "table-k", "key-table a-k", "NPY file: a^K, (left + right + 1, d-head) [drawn by --init]");
constexpr ParameterSpec value_table_parameter =
    table_parameter("table-v", "value-table a-v",
                    "NPY file: a^V, likewise [drawn; none if only --table-k is given]");

/// A run of neighbouring keys that share a row of the position tables.
struct Run {
    std::int64_t row;    ///< -1: no row
    std::int64_t first;  ///< index of the first offset key - query, counted from the smallest
    std::int64_t count;
};

/// The row of the position tables for each offset key - query.
struct OffsetRows {
    rows::AttentionSize size;
    std::vector<std::int64_t> rows;  ///< smallest offset first; -1: no row
    std::vector<Run> runs;

    /// Returns the index in `rows` of a query's first key.
    std::int64_t first_of(std::int64_t query) const { return size.queries - 1 - query; }
};

/// Returns the table `name` of the encoding shaw with these parameters.
Table lent_table(const Parameters& lent, std::string_view name, DType dtype) {
    const Encoding& encoding = *find_encoding(borrowed.encoding);
    return make_table(encoding, *find_table(encoding, name), lent, dtype);
}

std::vector<double> read_weights(const Parameters& lent, std::string_view name) {
    const Table table = lent_table(lent, name, DType::float64);
    return read_rows(table, {0, table.shape.rows()});
}

OffsetRows offset_rows(const Parameters& lent, rows::AttentionSize size) {
    const Table index = lent_table(lent, "index", DType::int64);
    OffsetRows result{size, {}, {}};
    const auto append = [&](std::int64_t query, std::int64_t first) {
        const std::vector<double> row = read_rows(index, {query, 1});
        result.rows.insert(result.rows.end(), row.begin() + first, row.end());
    };
    // The last query has the smallest offsets; the first query has all offsets above 0.
    append(size.queries - 1, 0);
    append(0, size.keys - size.queries + 1);
    for (std::int64_t i = 0; i < std::ssize(result.rows); ++i) {
        const std::int64_t row = result.rows[i];
        if (result.runs.empty() || result.runs.back().row != row)
            result.runs.push_back({row, i, 0});
        ++result.runs.back().count;
    }
    return result;
}

/// Returns q . a^K for every pair of a query and a key: multiplies the queries with all rows of the
/// table, then picks for each key the product with its row.
Scores position_scores(HeadArray q, const std::vector<double>& table, OffsetRows offsets) {
    const std::int64_t count_of_rows = std::ssize(table) / q.columns;
    const auto factor = shared(numerics::transposed(table, q.columns, count_of_rows));
    return [=, q = shared(std::move(q)), offsets = shared(std::move(offsets))](
               const Block& block, std::span<double> out) {
        const std::int64_t keys = offsets->size.keys;
        std::vector<double> all(block.queries.count * count_of_rows);
        numerics::multiply(queries_of(*q, block), *factor, all);
        for (std::int64_t i = 0; i < block.queries.count; ++i) {
            const double* const own = all.data() + i * count_of_rows;
            const std::int64_t* const rows =
                offsets->rows.data() + offsets->first_of(block.queries.first + i);
            for (std::int64_t key = 0; key < keys; ++key) {
                out[i * keys + key] = rows[key] < 0 ? 0 : own[rows[key]];
            }
        }
    };
}

/// Returns the sum over the keys of alpha a^V. Adds up the weights of the keys that share a row
/// before multiplying them with the row.
Mixture position_values(const std::vector<double>& table, std::int64_t width, OffsetRows offsets) {
    const std::int64_t count_of_rows = std::ssize(table) / width;
    const auto factor = shared(numerics::Factor(table, count_of_rows, width));
    return [=, offsets = shared(std::move(offsets))](
               const Block& block, std::span<const double> alpha, std::span<double> out) {
        const std::int64_t keys = offsets->size.keys;
        std::vector<double> sums(block.queries.count * count_of_rows);
        for (std::int64_t i = 0; i < block.queries.count; ++i) {
            const std::int64_t first = offsets->first_of(block.queries.first + i);
            for (const Run& run : offsets->runs) {
                const std::int64_t from = std::max<std::int64_t>(run.first - first, 0);
                const std::int64_t to = std::min(run.first + run.count - first, keys);
                if (run.row < 0 || from >= to) continue;
                sums[i * count_of_rows + run.row] +=
                    numerics::sum_of(alpha.subspan(i * keys + from, to - from));
            }
        }
        numerics::multiply(sums, *factor, out);
    };
}

/// Records the extents that the files of position tables give, and returns the settings that
/// follow.
std::vector<Setting> table_settings(const Parameters& p, Extents& extents) {
    std::vector<Setting> settings;
    for (const auto& [name, lent] :
         {std::pair("table-k", "key-table"), std::pair("table-v", "value-table")}) {
        if (!p.has(name)) continue;
        const std::string& path = p.word(name);
        const Shape shape = open_array(path).table.shape;
        if (shape.rank() != 2) {
            throw FormatError(path, fmt::format("shape {}: must be (left + right + 1, d-head)",
                                                to_string(shape)));
        }
        extents.say("d-head", shape[1], "axis 1", path);
        settings.push_back({lent, path});
        const bool is_said = p.given("max-distance") || p.has("left") || p.has("right");
        if (!is_said && shape[0] % 2 == 1) {
            settings.push_back({"max-distance", fmt::format("{}", shape[0] / 2)});
        }
    }
    return settings;
}

Plan plan(Parameters p, std::string_view table) {
    Extents extents;
    std::vector<Setting> settings = table_settings(p, extents);
    const bool has_values = p.has("table-v") || !p.has("table-k");
    const Inputs inputs(p, inputs_with_memory(), std::move(extents));
    std::ranges::copy(settings_of(inputs), std::back_inserter(settings));
    settings.push_back({"d", fmt::format("{}", inputs.head_channels())});
    if (!p.has("table-k")) settings.push_back(table_seed(p));
    const Parameters lent = lent_parameters(p, borrowed, settings);

    const double scale = scale_of(p, inputs);
    Attention attention{.inputs = inputs,
                        .terms = {content_term("e-content", inputs, scale),
                                  {"e-position", scale,
                                   [=] {
                                       return position_scores(inputs.of_tokens("wq", "bq"),
                                                              read_weights(lent, "key"),
                                                              offset_rows(lent, inputs.size()));
                                   }}},
                        .is_causal = p.flag("causal")};
    if (has_values) {
        attention.position_values = [=] {
            return position_values(read_weights(lent, "value"), inputs.head_channels(),
                                   offset_rows(lent, inputs.size()));
        };
    }
    const Encoding& encoding = *find_encoding(borrowed.encoding);
    // Checks the position parameters and the files of the tables.
    plan_of(encoding, lent, "key");
    if (has_values) plan_of(encoding, lent, "value");
    Plan plan = plan_attention(std::move(p), attention, table);
    if (!has_values) plan.notes.emplace_back("without --table-v the values have no positions");
    return plan;
}

constexpr std::array tables{
    alpha_table,
    scores_table("e-content", "x_i W^Q (x_j W^K)^T / sqrt(d-head), (heads, tokens, keys)",
                 "Shaw et al.: Content"),
    scores_table("e-position", "x_i W^Q (a^K_ij)^T / sqrt(d-head), (heads, tokens, keys)",
                 "Shaw et al.: Position"),
    scores_table("e", "their sum, the scores, (heads, tokens, keys)", "Shaw et al.: Scores"),
    terms_table("Shaw et al.: Terms of the Scores"),
    vectors_table("z-content", "sum over j of alpha_ij x_j W^V, (heads, tokens, d-head)",
                  "Shaw et al.: Values"),
    vectors_table("z-position", "sum over j of alpha_ij a^V_ij, (heads, tokens, d-head)",
                  "Shaw et al.: Positions in the Values"),
    z_table,
    q_table,
    k_table,
    v_table,
};

}  // namespace

/// The attention of Shaw et al.: a vector for each clipped distance is added to the keys and to the
/// values. Has the parameters of `shaw`; all heads share a^K and a^V.
const Encoding& shaw() {
    static const std::vector<ParameterSpec> parameters =
        mechanism_parameters(inputs_with_memory(),
                             {memory_length_parameter, key_table_parameter, value_table_parameter,
                              causal_parameter, no_scale_parameter},
                             borrowed);
    static const Encoding encoding{
        .name = "attention shaw",
        .summary =
            "attention with a vector for each distance, added to keys and values: Shaw et al.",
        .formula =
            "e[i, j] = (x_i W^Q) (x_j W^K + a^K_ij)^T / sqrt(d-head)\n"
            "        = e_content[i, j] + e_position[i, j]\n"
            "alpha   = softmax over j of e\n"
            "z[i]    = sum over j of alpha[i, j] (x_j W^V + a^V_ij) = z_content[i] + "
            "z_position[i]\n"
            "a_ij    = a[clip(j - i, -L, R) + L]",
        .source =
            "Shaw et al. 2018, Self-Attention with Relative Position Representations, "
            "arXiv:1803.02155, equations 3 to 5",
        .examples =
            "attention shaw --tokens 6 --d 8 --heads 1\n"
            "attention shaw --tokens 64 --heads 1 --max-distance 8 --table terms --png terms.png\n"
            "attention shaw --x x.npy --wq wq.npy --wk wk.npy --wv wv.npy --table-k a_k.npy "
            "--table-v a_v.npy --table z -o z.npy",
        .parameters = parameters,
        .tables = tables,
        .plan = plan};
    return encoding;
}

}  // namespace pegen::encodings::attention
