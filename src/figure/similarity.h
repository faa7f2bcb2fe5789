#pragma once

#include <vector>

#include "core/table.h"

namespace pegen {

/// Returns how similar the rows of a table of two axes are:
/// S[i, j] = sum over k of PE[i, k] PE[j, k].
/// The shape is (n, n), both axes are the axis of the rows, the dtype is float64, computed in
/// double precision from the elements of the table; title and provenance are the table's. S[i, j]
/// and S[j, i] have the same bits. A row with a NaN has NaN with all rows; infinities follow IEEE
/// 754. The table is read into memory once, when rows of the result are read for the first time.
/// Throws: UsageError if n exceeds 16384, or the table has more than 2^26 values.
Table similarity(const Table& table);

/// Returns the table with each row divided by its Euclidean norm, as float64; a row of zeros, which
/// has no direction, becomes a row of NaN. The dot products of its rows are cosines.
Table with_unit_rows(const Table& table);

/// Returns the cosines of the angles between the rows, in the form of similarity(): the dot
/// products of with_unit_rows().
Table cosine_similarity(const Table& table);

/// Statistics of the dot products S[i, i + k] for each offset k = 0, 1, ..., n - 1.
struct OffsetStatistics {
    std::vector<double> mean;
    std::vector<double> lowest;
    std::vector<double> highest;
};

/// Returns the statistics over all pairs i, i + k of rows of the table: n - k pairs for offset k.
/// If a dot product is NaN, all three statistics of its offset are NaN; infinities count like other
/// values. The result does not depend on the number of threads. Throws: as similarity().
OffsetStatistics dot_products_by_offset(const Table& table);

}  // namespace pegen
