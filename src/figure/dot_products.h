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

}  // namespace pegen
