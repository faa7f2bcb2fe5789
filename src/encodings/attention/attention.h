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

// Builds the tables of a mechanism from its terms. Computes everything in double, a block of
// queries of one head at a time, so that neither (queries, keys) nor (queries, keys, channels) is
// kept.
namespace pegen::encodings::attention {

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

}  // namespace pegen::encodings::attention
