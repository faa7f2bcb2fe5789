#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/table.h"

namespace pegen {

/// Vectors that dot_products() works on at a time.
inline constexpr std::int64_t lanes = 8;

/// The rows of a table, held in memory as vectors of doubles, `lanes` of them side by side:
/// component k of vector i is components[((i / lanes) dimension + k) lanes + i % lanes]. Vectors
/// that are missing in the last group are zeros.
struct Vectors {
    std::int64_t count;
    std::int64_t dimension;
    std::vector<double> components;
};

/// Reads the whole table.
Vectors read_vectors(const Table& table);

/// The dot products of the vectors of `range` (rows) with vectors `first`, first + 1, ..., count -
/// 1 (columns), row-major, in double precision: products are rounded and summed from component 0
/// on. So they do not depend on the range, and exchanging two vectors changes no bit. `first` is a
/// multiple of `lanes`.
void dot_products(const Vectors& vectors, RowRange range, std::int64_t first,
                  std::span<double> out);

}  // namespace pegen
