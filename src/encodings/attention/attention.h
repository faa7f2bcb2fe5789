#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "encodings/attention/inputs.h"
#include "encodings/encoding.h"
#include "numerics/matrix_product.h"

// From the terms of a mechanism to its tables. Everything is computed in double, a block of queries
// of one head at a time: neither (queries, keys) nor (queries, keys, channels) is kept.
namespace pegen::encodings::attention {

/// Some consecutive queries of one head.
struct Block {
    std::int64_t head;
    RowRange queries;
};

/// Fills `out` (queries of the block, keys).
using Scores = std::function<void(const Block& block, std::span<double> out)>;

/// Fills `out` (queries of the block, channels of a head) from the block's weights `alpha` (queries
/// of the block, keys).
using Mixture =
    std::function<void(const Block& block, std::span<const double> alpha, std::span<double> out)>;

/// A term of the scores, and the table it is.
struct Term {
    std::string_view table;
    /// What every value of the term is divided by.
    double divisor;
    /// Reads and projects what the term is computed from.
    std::function<Scores()> make;
};

/// A further table, (heads, rows, d-head), of values that are kept.
struct Intermediate {
    std::string_view table;
    std::function<HeadArray()> make;
};

/// A mechanism with its inputs.
struct Attention {
    Inputs inputs;
    std::vector<Term> terms;          ///< the scores are their sum
    double divisor = 1;               ///< what the sum is divided by
    bool is_causal = false;           ///< no query sees a key after it
    bool are_scores_float32 = false;  ///< they are rounded before the softmax
    std::vector<Intermediate> intermediates{};
    /// What the weights add to z besides the values, with the table z-position. Null: nothing.
    std::function<Mixture()> position_values = nullptr;
};

/// Plans one of the tables
///   each term            (heads, queries, keys)
///   terms                (heads, terms, queries, keys): all of them
///   the scores           (heads, queries, keys): sum of the terms / divisor; minus infinity for a
///                        key that is not seen
///   alpha                (heads, queries, keys): softmax of the scores over the keys
///   z-content            (heads, queries, d-head): sum over keys of alpha * v
///   z-position           likewise, of position_values
///   z                    the sum of these two
///   q, k, v              (heads, queries or keys, d-head): projections
///   each intermediate
/// `parameters` are those of a mechanism; the extents are filled in.
Plan plan_attention(Parameters parameters, const Attention& attention, std::string_view table);

/// Returns the square root of the channels of a head, by which scores are divided, or 1 with
/// --no-scale.
double scale_of(const Parameters& parameters, const Inputs& inputs);

/// Returns q . k of every pair, as a term.
Term content_term(std::string_view table, const Inputs& inputs, double divisor);

/// Returns the rows of `q`, (heads, queries, d-head), that are those of the block.
std::span<const double> queries_of(const HeadArray& q, const Block& block);

/// Returns `values`, which no copy of a function that captures them copies.
template <class T>
std::shared_ptr<const T> shared(T values) {
    return std::make_shared<const T>(std::move(values));
}

/// A right factor for each head.
using FactorsByHead = std::shared_ptr<const std::vector<numerics::Factor>>;

/// Returns the transposes of the array's matrices, (d-head, rows).
FactorsByHead transposed_by_head(const HeadArray& array);

/// Returns q . k of every pair of these projections.
Scores products(HeadArray q, const HeadArray& k);

}  // namespace pegen::encodings::attention
