#pragma once

#include <cstdint>

#include "core/table.h"
#include "rows/kept.h"

namespace pegen::rows {

/// The queries and keys of an attention matrix: query q is at position before + q, key k at
/// position k. Where there are fewer queries than keys, the queries are at the last positions
/// unless `before` says otherwise.
struct AttentionSize {
    std::int64_t queries;
    std::int64_t keys;
    std::int64_t before = keys - queries;

    /// Return the number of distances key - query, and the smallest of these distances.
    std::int64_t distances() const { return queries + keys - 1; }
    std::int64_t smallest_distance() const { return 1 - queries - before; }
    /// Returns the number of keys that do not come after query `query`.
    std::int64_t seen_by(std::int64_t query) const { return before + query + 1; }
};

/// Returns a table (heads, queries, keys) whose values depend on the head and on the distance of
/// key and query alone: element (h, q, k) is the element of row h of `line` for the distance of key
/// k and query q. `line` has a row for each head and a column for each distance, smallest first; or
/// several columns, which are the channels of a table (heads, queries, keys x channels). Its rows
/// are read now, several at a time, and kept.
Rows by_distance(const Rows& line, AttentionSize size);

/// Returns a table (heads, queries, keys) whose values depend on the head and the key alone. `line`
/// has a row for each head and a column for each key; its rows are read now and kept.
Rows by_key(const Rows& line, AttentionSize size);

/// Returns a table (heads, rows, columns): element (h, i, j) is weights[index(i, j)][h]. `index` is
/// a table (rows, columns) of row numbers of `weights`, negative ones counted from its end, whose
/// rows have a number for each of the `heads` heads.
RealRows gathered_by_head(RealRows index, KeptRows weights, std::int64_t heads);

/// Returns the rows, a table (heads, queries, keys), with negative infinity where a key comes after
/// its query, since a causal model does not see such a key. Throws: UsageError if their dtype has
/// no infinity.
Rows causal(const Rows& rows, AttentionSize size);

}  // namespace pegen::rows
