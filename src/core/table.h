#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/axis.h"
#include "core/dtype.h"
#include "core/parameters.h"
#include "core/shape.h"

namespace pegen {

/// Rows first, first + 1, ..., first + count - 1.
struct RowRange {
    std::int64_t first;
    std::int64_t count;
};

/// Fills `out` with the rows of `range`, row-major, as elements of the table's dtype; out.size() is
/// exactly theirs, and out.data() is aligned for them. Pure, and called from many threads at once.
/// No I/O for generated tables.
using RowSource = std::function<void(RowRange range, std::span<std::byte> out)>;

/// The same as doubles, before they are rounded.
using RealRowSource = std::function<void(RowRange range, std::span<double> out)>;

/// What a generated table is; all empty for a table read from a file.
struct Provenance {
    std::string encoding;
    std::string preset;  ///< the name it was asked for by, if not the encoding's own
    std::string table;
    Parameters parameters;
};

/// A promise of values, not the values: as large as you like, and costs nothing until somebody
/// asks for rows. Tables that are generated and tables that are read from a file are alike.
struct Table {
    Shape shape;
    DType dtype = DType::float32;
    std::vector<Axis> axes;  ///< one for each extent
    RowSource rows;
    std::string title;        ///< of a figure; may be empty
    std::string value_label;  ///< what the values are, beside a figure's colour bar
    Provenance provenance;
    /// The table `name` of the same encoding and parameters, of float64, for figures that show what
    /// belongs to this one. Throws: UsageError if the encoding has none of that name. Null for a
    /// table of no encoding.
    std::function<Table(std::string_view name)> sibling = nullptr;
};

/// Bytes of one row.
std::int64_t row_bytes(const Table& table);

/// Bytes of the whole table. Throws: UsageError if they exceed 2^63 - 1.
std::int64_t total_bytes(const Table& table);

/// Rows of `columns` values that hold about `values` values together: at least one.
std::int64_t rows_holding(std::int64_t values, std::int64_t columns);

/// The rows of `range` as doubles. Meant for ranges that fit in memory.
std::vector<double> read_rows(const Table& table, RowRange range);

/// The adapter from a kernel of doubles: each value is rounded once to `dtype`.
RowSource rounded(RealRowSource source, std::int64_t columns, DType dtype);

}  // namespace pegen
