#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/table.h"

namespace pegen {

/// Number of vectors that dot_products() works on at a time.
inline constexpr std::int64_t lanes = 8;

/// The rows of a table as vectors of doubles in memory, in groups of `lanes` vectors side by side:
/// component k of vector i is components[((i / lanes) dimension + k) lanes + i % lanes]. The last
/// group is filled up with vectors of zeros.
struct Vectors {
    std::int64_t count;
    std::int64_t dimension;
    std::vector<double> components;
};

/// Reads the whole table into memory.
Vectors read_vectors(const Table& table);

/// Writes to `out` the dot products of the vectors of `range` (rows) with vectors `first`,
/// first + 1, ..., count - 1 (columns), row-major. Each product of components is rounded to double
/// and added, from component 0 on: so a dot product does not depend on the range, and exchanging
/// the two vectors changes no bit. Precondition: `first` is a multiple of `lanes`.
void dot_products(const Vectors& vectors, RowRange range, std::int64_t first,
                  std::span<double> out);

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
