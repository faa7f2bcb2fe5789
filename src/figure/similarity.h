#pragma once

#include <vector>

#include "core/table.h"

namespace pegen {

/// How alike the rows of a table of two axes are:  S[i, j] = sum over k of PE[i, k] PE[j, k].
/// Shape: (n, n), both axes the axis of its rows; dtype float64, computed in double precision from
/// the elements as they are; title and provenance are the table's. S[i, j] and S[j, i] are the same
/// bits. Rows with a NaN have NaN with all others; infinities are what IEEE 754 makes of them.
/// The table is read, once, into memory when the first rows are asked for.
/// Throws: UsageError if n exceeds 16384, or the table has more than 2^26 values.
Table similarity(const Table& table);

/// Of the dot products S[i, i + k]: place k has those of offset k = 0, 1, ..., n - 1.
struct OffsetStatistics {
    std::vector<double> mean;
    std::vector<double> lowest;
    std::vector<double> highest;
};

/// The statistics of all pairs i, i + k of rows of the table, n - k for offset k. A pair whose dot
/// product is NaN makes all three of its offset NaN; infinities count like other values.
/// Does not depend on the number of threads. Throws: as similarity().
OffsetStatistics dot_products_by_offset(const Table& table);

}  // namespace pegen
