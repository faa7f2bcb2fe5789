#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/parameters.h"
#include "core/table.h"
#include "encodings/encoding.h"
#include "files/array_file.h"
#include "numerics/matrix_product.h"
#include "rows/by_distance.h"

namespace pegen::encodings::attention {

/// The extents of the arrays of an attention, collected from options and files. Several sources may
/// give an extent, such as "heads", but must agree on its value.
class Extents {
  public:
    /// Records that `source` gives the extent this value: an option, "--tokens 8", or, if `path` is
    /// not empty, "axis 0" of that file. Throws: UsageError or, for a file, FormatError, if another
    /// source gave another value.
    void say(std::string_view name, std::int64_t value, std::string_view source,
             std::string_view path = "");

    /// Records the value if no source gave one.
    void assume(std::string_view name, std::int64_t value);

    bool has(std::string_view name) const;
    /// Precondition: has(name).
    std::int64_t of(std::string_view name) const;

  private:
    struct Statement {
        std::string_view name;
        std::int64_t value;
        std::string source;
    };

    const Statement* find(std::string_view name) const;

    std::vector<Statement> statements_;
};

// The arrays from which attention is computed: read from files, or drawn at random.

/// The kinds of inputs.
enum class InputKind {
    tokens,   ///< (tokens, d)
    memory,   ///< (mem-len, d): the tokens before the others
    weights,  ///< (heads * d-head, d) as nn.Linear has them, or (heads, d, d-head)
    offsets,  ///< (heads * d-head) or (heads, d-head): the bias of a projection; 0 if not given
    vectors,  ///< (heads, d-head)
    keys,     ///< (keys, d): the tokens of the keys, if they are not the queries'
    values,   ///< (keys, d): the tokens of the values; the keys' if not given
};

/// An input of a mechanism, as data.
struct InputSpec {
    ParameterSpec parameter;  ///< names the file of the input
    InputKind kind;
    std::int64_t seed_after;  ///< added to --seed to draw the input

    constexpr std::string_view name() const { return parameter.name; }
};

constexpr InputSpec input_spec(std::string_view name, std::string_view summary, InputKind kind,
                               std::int64_t seed_after, std::string_view aliases = "") {
    return {{.name = name, .aliases = aliases, .type = ParameterType::path, .summary = summary},
            kind,
            seed_after};
}

/// The inputs of every mechanism.
inline constexpr std::array common_inputs{
    input_spec("x", "NPY file: the tokens (tokens, d)", InputKind::tokens, 0),
    input_spec("wq", "NPY file: W_q, (heads * d-head, d) as nn.Linear, or (heads, d, d-head)",
               InputKind::weights, 2, "w-q"),
    input_spec("wk", "NPY file: W_k, likewise", InputKind::weights, 3, "w-k w-ke"),
    input_spec("wv", "NPY file: W_v, likewise", InputKind::weights, 4, "w-v"),
    input_spec("bq", "NPY file: the bias of the queries, (heads * d-head,) [none]",
               InputKind::offsets, 0),
    input_spec("bk", "NPY file: the bias of the keys, likewise", InputKind::offsets, 0),
    input_spec("bv", "NPY file: the bias of the values, likewise", InputKind::offsets, 0),
};

/// Added to --seed to draw position tables, in encodings that have some.
inline constexpr std::int64_t table_seed_after = 8;

/// Returns the parameters of every mechanism: the sizes and --seed.
std::span<const ParameterSpec> size_parameters();

/// An array (heads, rows, columns), row-major.
struct HeadArray {
    std::int64_t heads;
    std::int64_t rows;
    std::int64_t columns;
    std::vector<double> values;

    std::span<const double> of(std::int64_t head) const;
    std::span<double> of(std::int64_t head);
};

/// The inputs of one attention. The files are open, but nothing has been read or drawn yet. Copies
/// share what has been read.
class Inputs {
  public:
    /// Opens the files that the parameters name. `more` holds further known extents. Throws:
    /// UsageError if options contradict each other; FileError; FormatError if the shape of a file
    /// contradicts the options or an earlier file, or if its values are not floats.
    Inputs(const Parameters& parameters, std::span<const InputSpec> specs, Extents more);

    std::int64_t heads() const { return extents_.of("heads"); }
    std::int64_t channels() const { return extents_.of("d"); }
    std::int64_t head_channels() const { return extents_.of("d-head"); }
    /// Returns the numbers of queries and keys. The queries are the tokens; the keys are the tokens
    /// of the memory, then the tokens, or tokens of their own.
    rows::AttentionSize size() const;

    /// Return the axes of the queries and of the keys, with the words of --words as names.
    Axis queries() const;
    Axis keys() const;

    /// Returns `parameters` with the sizes filled in.
    Parameters resolved(Parameters parameters) const;

    /// Returns a note on the inputs drawn although other inputs come from files, position tables
    /// included: "drawn with --seed 0: wq, wk". Returns "" if no input is drawn or no file is
    /// given.
    std::string note(const Parameters& parameters) const;

    /// Returns the projection (heads, tokens, d-head) of the tokens by these weights, or the
    /// projection (heads, keys, d-head) of the tokens of the keys, or with "wv" of the values.
    HeadArray of_tokens(std::string_view weights, std::string_view offsets = "") const;
    HeadArray of_all(std::string_view weights, std::string_view offsets = "") const;

    /// Returns the projection (heads, rows, d-head) of `rows`, each with `channels()` values.
    HeadArray projected(std::span<const double> rows, std::string_view weights,
                        std::string_view offsets = "") const;

    /// Returns the values of an input of shape (heads, d-head).
    std::vector<double> vectors(std::string_view name) const;

  private:
    struct Input {
        const InputSpec* spec;
        std::optional<ArrayFile> file;
    };

    const Input& input(std::string_view name) const;
    std::vector<double> values(const Input& input) const;
    /// Returns the elements of an input as PyTorch draws them.
    std::vector<double> drawn(const Input& input) const;
    /// Returns the drawn tokens: with --content equal all of them the first token of --x; with
    /// --words, equal words are equal tokens.
    std::vector<double> drawn_tokens(const Input& input) const;

    std::vector<Input> inputs_;
    Extents extents_;
    std::int64_t seed_;
    bool are_tokens_equal_;
    std::vector<std::string> words_;  ///< the names of the tokens; empty if they have none
};

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
