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

/// Fills `out` with the rows of `range`, row-major, as elements of the table's dtype. out.size() is
/// exactly their size in bytes, and out.data() is aligned for them. Must be pure: many threads call
/// it at once. Does no I/O for generated tables.
using RowSource = std::function<void(RowRange range, std::span<std::byte> out)>;

/// A RowSource of doubles, before they are rounded.
using RealRowSource = std::function<void(RowRange range, std::span<double> out)>;

/// Where a generated table comes from; all fields are empty for a table read from a file.
struct Provenance {
    std::string encoding;
    std::string preset;  ///< the name it was asked for by; "" if by the encoding's own
    std::string table;
    Parameters parameters;
};

/// Two channels of a row that hold the sine and the cosine of one angle, in either order.
struct ChannelPair {
    std::int64_t first;
    std::int64_t second;

    bool operator==(const ChannelPair&) const = default;
};

/// Returns all pairs of the channels of a row.
using ChannelPairs = std::function<std::vector<ChannelPair>()>;

/// A table whose values are computed, or read, when somebody asks for rows. Until then it costs
/// nothing, so it may be of any size. Generated tables and tables read from files are used alike.
struct Table {
    Shape shape;
    DType dtype = DType::float32;
    std::vector<Axis> axes;  ///< one for each extent
    RowSource rows;
    std::string title;        ///< of a figure; may be empty
    std::string value_label;  ///< what the values are; the label of a figure's colour bar
    Provenance provenance;
    std::string name = {};          ///< in a file of several tables; may be empty
    ChannelPairs pairs = nullptr;   ///< null if they are not known
    bool has_whole_values = false;  ///< no value has a fraction, although the dtype could hold one
    /// The sibling whose rows have the dot products that attention sees, where this table turns
    /// queries and keys together with another; "none" if no table has them, "" if this one has.
    std::string scored_by = {};
    /// Returns the table `name` of the same encoding and parameters, as float64, for figures that
    /// show a table that belongs to this one.
    /// Throws: UsageError if the encoding has none of that name. Null for a table that no encoding
    /// generated.
    std::function<Table(std::string_view name)> sibling = nullptr;
    /// Returns the table `name` of what `words` ask for, as a command would: "llama3.1 --d 64", as
    /// float64, for figures that compare. Reads no files. Null where there is no command line.
    /// Throws: UsageError.
    std::function<Table(std::string_view words, std::string_view name)> other = nullptr;
};

/// True if all values are whole numbers, because of the dtype or of what they mean.
bool is_whole(const Table& table);

/// Returns the size of one row in bytes.
std::int64_t row_bytes(const Table& table);

/// Returns the size of the whole table in bytes.
/// Throws: UsageError if it exceeds 2^63 - 1.
std::int64_t total_bytes(const Table& table);

/// Returns how many rows of `columns` values hold about `values` values together; at least one.
std::int64_t rows_holding(std::int64_t values, std::int64_t columns);

/// Reads the rows of `range` as doubles, all into memory.
std::vector<double> read_rows(const Table& table, RowRange range);

/// Reads the `element`-th value in C order. Reads its row.
double read_value(const Table& table, std::int64_t element);

/// Makes a RowSource of a source of doubles: each value is rounded once to `dtype`.
RowSource rounded(RealRowSource source, std::int64_t columns, DType dtype);

}  // namespace pegen
