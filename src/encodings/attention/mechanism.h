#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "encodings/attention/inputs.h"
#include "encodings/encoding.h"
#include "numerics/matrix_product.h"

namespace pegen::encodings::attention {

// Builds the tables of a mechanism from its terms. Computes everything in double, a block of
// queries of one head at a time, so that neither (queries, keys) nor (queries, keys, channels) is
// kept.

/// A run of consecutive queries of one head.
struct Block {
    std::int64_t head;
    RowRange queries;
};

/// Fills `out`, of shape (queries of the block, keys).
using Scores = std::function<void(const Block& block, std::span<double> out)>;

/// Fills `out`, of shape (queries of the block, channels of a head), from the block's weights
/// `alpha`, of shape (queries of the block, keys).
using Mixture =
    std::function<void(const Block& block, std::span<const double> alpha, std::span<double> out)>;

/// A term of the scores, which is also a table.
struct Term {
    std::string_view table;
    /// The divisor of every value of the term.
    double divisor;
    /// Reads and projects the inputs of the term.
    std::function<Scores()> make;
};

/// A further table (heads, rows, d-head), whose values are kept in memory.
struct Intermediate {
    std::string_view table;
    std::function<HeadArray()> make;
};

/// A mechanism with its inputs.
struct Attention {
    Inputs inputs;
    std::vector<Term> terms;          ///< the scores are the sum of the terms
    double divisor = 1;               ///< divides the sum of the terms
    bool is_causal = false;           ///< keys after the query are masked
    bool are_scores_float32 = false;  ///< the scores are rounded to float32 before the softmax
    std::vector<Intermediate> intermediates{};
    /// Computes what the weights add to z besides the values, the table z-position. Null if they
    /// add nothing.
    std::function<Mixture()> position_values = nullptr;
};

/// Plans the table of this name:
///   each term            (heads, queries, keys)
///   terms                (heads, terms, queries, keys): all of them
///   the scores           (heads, queries, keys): sum of the terms / divisor; minus infinity for a
///                        masked key
///   alpha                (heads, queries, keys): softmax of the scores over the keys
///   z-content            (heads, queries, d-head): sum over keys of alpha * v
///   z-position           (heads, queries, d-head): what position_values adds
///   z                    (heads, queries, d-head): z-content + z-position
///   q, k, v              (heads, queries or keys, d-head): projections
///   each intermediate    (heads, rows, d-head)
/// `parameters` are the parameters of a mechanism; the plan has their extents filled in.
Plan plan_attention(Parameters parameters, const Attention& attention, std::string_view table);

/// Returns the divisor of the scores: the square root of the number of channels of a head, or 1
/// with --no-scale.
double scale_of(const Parameters& parameters, const Inputs& inputs);

/// Returns the term q . k for every pair of a query and a key.
Term content_term(std::string_view table, const Inputs& inputs, double divisor);

/// Returns the rows of `q`, (heads, queries, d-head), for the queries of the block.
std::span<const double> queries_of(const HeadArray& q, const Block& block);

/// Returns a shared pointer to `values`, so that copies of a function that captures it share them.
template <class T>
std::shared_ptr<const T> shared(T values) {
    return std::make_shared<const T>(std::move(values));
}

/// A right factor of a matrix product for each head.
using FactorsByHead = std::shared_ptr<const std::vector<numerics::Factor>>;

/// Returns the transposed matrix (d-head, rows) of each head.
FactorsByHead transposed_by_head(const HeadArray& array);

/// Returns q . k for every pair of a query and a key, from these projections.
Scores products(HeadArray q, const HeadArray& k);

// The building blocks of attention mechanisms. A mechanism is an Encoding named "attention NAME".
// It has the parameters of the encoding whose positions it uses, and computes with the tables of
// that encoding.

inline constexpr ParameterSpec causal_parameter{
    .name = "causal",
    .aliases = "is-decoder",
    .type = ParameterType::flag,
    .summary = "mask keys after the query: their score is minus infinity"};

inline constexpr ParameterSpec no_scale_parameter{
    .name = "no-scale",
    .type = ParameterType::flag,
    .summary = "do not divide the scores by sqrt(d-head)"};

inline constexpr ParameterSpec memory_length_parameter{
    .name = "mem-len",
    .aliases = "memory-len",
    .type = ParameterType::integer,
    .range = any_index,
    .summary = "number of tokens in the memory [of a file, else 0]",
    .role = Role::extent};

inline constexpr InputSpec memory_input = input_spec(
    "mems", "NPY file: the memory (mem-len, d), tokens that precede --x", InputKind::memory, 1);

// Tables that every mechanism has, or several of them.
constexpr TableSpec attention_table(std::string_view name, std::string_view summary,
                                    std::string_view title, std::string_view value_label) {
    return {.name = name,
            .summary = summary,
            .title = title,
            .value_label = value_label,
            .dtype = DType::float64};
}

constexpr TableSpec scores_table(std::string_view name, std::string_view summary,
                                 std::string_view title) {
    return attention_table(name, summary, title, "Score");
}

/// Returns `table`, marked as scores that depend only on the distance between query and key.
constexpr TableSpec relative(TableSpec table) {
    table.promises = "relative";
    return table;
}

constexpr TableSpec vectors_table(std::string_view name, std::string_view summary,
                                  std::string_view title) {
    return attention_table(name, summary, title, "Value");
}

inline constexpr TableSpec alpha_table = [] {
    TableSpec spec = attention_table(
        "alpha", "the weights, softmax over the keys of the scores, (heads, tokens, keys)",
        "Attention Weights", "Weight");
    spec.has_shares = true;
    return spec;
}();

constexpr TableSpec terms_table(std::string_view title) {
    return scores_table("terms", "the terms of the scores, (heads, terms, tokens, keys)", title);
}

inline constexpr TableSpec z_table =
    vectors_table("z", "the output for each query, (heads, tokens, d-head)", "Attention Output");
inline constexpr TableSpec q_table =
    vectors_table("q", "the queries, (heads, tokens, d-head)", "Queries");
inline constexpr TableSpec k_table = vectors_table("k", "the keys, (heads, keys, d-head)", "Keys");
inline constexpr TableSpec v_table =
    vectors_table("v", "the values, (heads, keys, d-head)", "Values");

/// An encoding, all of whose parameters a mechanism takes over except `left_out`, names separated
/// by spaces.
struct Borrowed {
    std::string_view encoding;
    std::string_view left_out;
};

/// Returns the parameters of a mechanism: the sizes, its inputs, `own`, then the borrowed
/// parameters.
std::vector<ParameterSpec> mechanism_parameters(std::span<const InputSpec> more_inputs,
                                                std::initializer_list<ParameterSpec> own,
                                                const Borrowed& borrowed);

/// Returns the inputs of every mechanism, followed by `more`.
std::vector<InputSpec> with_common_inputs(std::initializer_list<InputSpec> more);

/// Returns the inputs of every mechanism, followed by the memory.
const std::vector<InputSpec>& inputs_with_memory();

/// A value of a parameter, as a user would type it. A model's configuration may override it unless
/// its origin is the user.
struct Setting {
    std::string_view name;
    std::string text;
    Origin origin = Origin::specification;
};

/// Returns the parameters of the borrowed encoding, with the values from `parameters` and
/// `settings`.
Parameters lent_parameters(const Parameters& parameters, const Borrowed& borrowed,
                           const std::vector<Setting>& settings);

/// Returns `parameters` with the values that the borrowed encoding has filled in.
Parameters with_lent(Parameters parameters, const Borrowed& borrowed, const Parameters& lent);

/// Returns --len and --key-len for an encoding over the queries and keys of `inputs`.
std::vector<Setting> settings_of(const Inputs& inputs);

/// Returns the setting of --seed with which position tables are drawn.
Setting table_seed(const Parameters& parameters);

}  // namespace pegen::encodings::attention
