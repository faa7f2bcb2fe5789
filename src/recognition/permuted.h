#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/progress.h"
#include "core/table.h"
#include "rows/rotated.h"

namespace pegen::recognition {

enum class PermutationKind {
    same,      ///< nothing is permuted
    pairing,   ///< the channels of each head are in the order of the other pairing
    part,      ///< the channels of some heads are in that order; the other lines are unmoved
    groups,    ///< blocks of queries, keys and values are together group by group, or no longer
    other,     ///< the lines are the same, in any other order
    different  ///< the lines are not the same
};

/// The order of lines, which are rows or columns, by which one weight becomes another.
struct Permutation {
    PermutationKind kind = PermutationKind::different;
    int axis = 0;  ///< the axis along which the lines are counted
    std::int64_t lines = 0;
    std::int64_t heads = 1;  ///< number of heads, if the pairing changes
    std::int64_t rotary_dim = 0;
    std::int64_t rotary_offset = 0;  ///< channels of a head before the ones whose order changes
    int times = 1;                   ///< 2 if the order is changed twice, one after the other
    rows::Pairing from = rows::Pairing::half;
    rows::Pairing to = rows::Pairing::interleaved;
    std::vector<std::int64_t> heads_alike{};  ///< other numbers of heads that give the same order
    /// The first line and the number of lines of the heads whose pairing changes: some of the lines
    /// in a fused projection, for example; otherwise all lines.
    std::int64_t first = 0;
    std::int64_t count = 0;
    std::int64_t block = 0;    ///< groups: lines of a head
    std::int64_t queries = 0;  ///< groups: heads of queries in a group
    bool to_groups = false;    ///< groups: the permuted array has them, not the original
    /// The format to which values are rounded; nothing if every value is the same.
    std::optional<DType> format{};
    bool is_transposed = false;  ///< the lines are rows of the transposed original
    std::int64_t missing = 0;    ///< number of lines of `permuted` that are not in `original`
    std::int64_t first_missing = -1;
    std::int64_t ambiguous = 0;  ///< lines that equal other lines, so that their order is unknown
};

/// Finds the order in which `permuted` has the lines of `original`: its rows, else its columns, or
/// the elements of a vector, else the rows of the transposed original. Lines are equal if their
/// values are, or else if these are when rounded to bfloat16 or float16, as converters do. Reads
/// both arrays at most three times; needs the memory of a few numbers for each line. Throws: what
/// the rows throw; UsageError if the shapes differ even when one array is transposed, or if the
/// arrays have no values.
Permutation find_permutation(const Table& original, const Table& permuted,
                             const Progress& progress = ignore_progress);

}  // namespace pegen::recognition
