#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/axis.h"
#include "core/dtype.h"
#include "core/parameters.h"
#include "core/shape.h"

namespace pegen {

/// A range of rows: first, first + 1, ..., first + count - 1.
struct RowRange {
    std::int64_t first;
    std::int64_t count;
};

/// A function that fills `out` with the rows of `range`, row-major, as elements of the table's
/// dtype. out.size() is exactly the size of the rows in bytes, and out.data() is aligned for the
/// elements. Must be pure: many threads call it at once. Does no I/O for generated tables.
using RowSource = std::function<void(RowRange range, std::span<std::byte> out)>;

/// The rows of a table, which are computed, or read, when somebody asks for them. They know their
/// own shape and dtype, so that rows can be made of other rows without numbers that may be wrong.
/// Copies share the RowSource.
class Rows {
  public:
    /// Makes the rows of a table that has none yet.
    Rows() = default;
    /// Makes `count` rows of `columns` elements of `dtype`, which `fill` fills in.
    /// Throws: UsageError if a row would have more than 2^63 - 1 bytes.
    Rows(RowSource fill, std::int64_t count, std::int64_t columns, DType dtype);

    std::int64_t count() const { return count_; }
    std::int64_t columns() const { return columns_; }
    DType dtype() const { return dtype_; }
    std::int64_t bytes_per_row() const { return bytes_per_row_; }

    /// Fills `out` with the rows of `range`; asks for no rows if there are none in it. Many threads
    /// may call it at once.
    /// Throws: InternalError if there are no such rows, or if `out` does not have their size.
    void operator()(RowRange range, std::span<std::byte> out) const;

  private:
    std::shared_ptr<const RowSource> fill_;
    std::int64_t count_ = 0;
    std::int64_t columns_ = 0;
    DType dtype_ = DType::float32;
    std::int64_t bytes_per_row_ = 0;
};

/// Rows of doubles, before they are rounded: `fill` fills any range of `count` rows.
struct RealRows {
    std::function<void(RowRange range, std::span<double> out)> fill;
    std::int64_t count;
    std::int64_t columns;
};

/// The origin of a generated table; all fields are empty for a table read from a file.
struct Provenance {
    std::string encoding;
    std::string preset;  ///< the preset that was asked for; "" if there was none
    std::string table;
    Parameters parameters;
    std::string arrays{};     ///< the names in an archive, with {table}, if the user chose them
    Parameters corruption{};  ///< of encodings/corruption.h; without entries if there is none

    /// Returns the name by which the user asked for the table: the preset's or the encoding's.
    const std::string& subject() const { return preset.empty() ? encoding : preset; }
};

/// A table of the same encoding and parameters as another one, but for what is named here.
struct Sibling {
    std::string_view table = {};      ///< another table, which is then float64; "": the same one
    std::string_view parameter = {};  ///< a parameter with another value; "": there is none
    std::string_view value = {};      ///< written as a user types it
};

/// Two channels of a row that hold the sine and the cosine of one angle, in either order.
struct ChannelPair {
    std::int64_t first;
    std::int64_t second;

    bool operator==(const ChannelPair&) const = default;
};

/// A function that returns all pairs of the channels of a row.
using ChannelPairs = std::function<std::vector<ChannelPair>()>;

/// A table whose values are computed, or read, when somebody asks for rows. Until then it costs
/// nothing, so it may be of any size. Generated tables and tables read from files are used alike.
struct Table {
    Shape shape;
    DType dtype = DType::float32;
    std::vector<Axis> axes;   ///< one for each extent
    Rows rows;                ///< shape.rows() rows of shape.columns() elements of `dtype`
    std::string title;        ///< the title of a figure; may be empty
    std::string value_label;  ///< the meaning of the values; the label of a figure's colour bar
    Provenance provenance;
    std::string name = {};          ///< the name in a file of several tables; may be empty
    ChannelPairs pairs = nullptr;   ///< null if they are not known
    bool has_whole_values = false;  ///< no value has a fraction, although the dtype could hold one
    bool has_shares = false;        ///< the values are shares of 1, such as attention's weights
    /// The title of a figure that leaves out the keys after each query, as the models that use the
    /// table do; "" if these models leave out none.
    std::string masked_title = {};
    /// The name of the sibling whose rows have the dot products that attention computes, where this
    /// table transforms queries and keys only together with another table; "none" if no table has
    /// them, "" if this table has them.
    std::string scored_by = {};
    /// Returns a sibling, for figures that show two tables, or one that changes.
    /// Throws: UsageError if the encoding has no such table or refuses the value. Null for a table
    /// that no encoding generated.
    std::function<Table(const Sibling& wanted)> sibling = nullptr;
    /// Returns the table `name` that a command line with `words` ("llama3.1 --d 64") would make, as
    /// float64, for figures that compare tables. Reads no files. Null where there is no command
    /// line. Throws: UsageError.
    std::function<Table(std::string_view words, std::string_view name)> other = nullptr;
};

/// True if all values are whole numbers, because of the dtype or of what they mean.
bool is_whole(const Table& table);

/// Returns the size of one row in bytes.
std::int64_t row_bytes(const Table& table);

/// Returns the size of the whole table in bytes.
/// Throws: UsageError if it exceeds 2^63 - 1.
std::int64_t total_bytes(const Table& table);

/// Returns the number of rows of `columns` values that hold about `values` values; at least 1.
std::int64_t rows_holding(std::int64_t values, std::int64_t columns);

/// Reads the rows of `range` as doubles, all into memory.
std::vector<double> read_rows(const Table& table, RowRange range);

/// Reads value number `element`, counted from 0 in C order. Reads the whole row of the value.
double read_value(const Table& table, std::int64_t element);

/// Return rows of the shape and dtype of other rows, or of the table, which `fill` fills in.
Rows rows_like(const Rows& rows, RowSource fill);
Rows rows_like(const Table& table, RowSource fill);

/// Returns the rows with each value rounded once to `dtype`.
Rows rounded(RealRows rows, DType dtype);

}  // namespace pegen
