#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "core/table.h"
#include "files/array_file.h"
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

}  // namespace pegen::encodings::attention
