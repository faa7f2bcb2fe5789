#pragma once

#include <array>
#include <functional>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "encodings/attention/attention.h"
#include "encodings/attention/inputs.h"
#include "encodings/encoding.h"

// The building blocks of attention mechanisms. A mechanism is an Encoding named "attention NAME".
// It has the parameters of the encoding whose positions it uses, and computes with the tables of
// that encoding.
namespace pegen::encodings::attention {

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
