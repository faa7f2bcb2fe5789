#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/progress.h"
#include "core/table.h"
#include "rows/rotated.h"

namespace pegen::recognition {

enum class PermutationKind {
    same,      ///< nothing is permuted
    pairing,   ///< the channels of each head are those of the other pairing
    part,      ///< so are those of a part of the lines; the others are where they were
    other,     ///< the same lines in another order
    different  ///< other lines
};

/// How one weight is made of another by putting lines, its rows or its columns, into another order.
struct Permutation {
    PermutationKind kind = PermutationKind::different;
    int axis = 0;  ///< along which the lines are counted
    std::int64_t lines = 0;
    std::int64_t heads = 1;  ///< of a change of pairing
    std::int64_t rotary_dim = 0;
    rows::Pairing from = rows::Pairing::half;
    rows::Pairing to = rows::Pairing::interleaved;
    std::vector<std::int64_t> heads_alike{};  ///< other numbers of heads that mean the same order
    /// The lines of those heads if only some are permuted, as of a fused projection; else all.
    std::int64_t first = 0;
    std::int64_t count = 0;
    bool is_transposed = false;  ///< the lines are rows of the transposed original
    std::int64_t missing = 0;    ///< lines of `permuted` that are not in `original`
    std::int64_t first_missing = -1;
    std::int64_t ambiguous = 0;  ///< lines that equal others, whose order cannot be told
};

/// Finds out how the lines of `permuted` stand in `original`: its rows, or else its columns, or the
/// elements of a vector. If neither, the rows may be those of the transposed original. Lines are
/// equal if their values are. Reads both arrays twice at most, in
/// the memory of a few numbers for each line.
/// Throws: what the rows throw; UsageError if the shapes differ, transposed
/// too, or have no values.
Permutation find_permutation(const Table& original, const Table& permuted,
                             const Progress& progress = ignore_progress);

}  // namespace pegen::recognition
