#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace pegen {

/// Converts an extent, which is never negative, to the type in which the standard library counts:
/// where it is compared with such a number, or a template takes its type from it.
constexpr std::size_t to_size(std::int64_t n) { return static_cast<std::size_t>(n); }

/// The extents of a table, outermost first, as NumPy's `shape`.
///
/// A table is asked for by rows: a row is everything along the last axis; in a table of one axis
/// (or none) each element is a row of its own.
class Shape {
  public:
    Shape() = default;
    /// Throws: UsageError if an extent is negative or the number of elements exceeds 2^63 - 1,
    /// or 2^28 - 1 where addresses have 32 bits.
    Shape(std::initializer_list<std::int64_t> extents);
    explicit Shape(std::vector<std::int64_t> extents);

    int rank() const { return static_cast<int>(extents_.size()); }
    std::int64_t operator[](int axis) const { return extents_[static_cast<std::size_t>(axis)]; }
    const std::vector<std::int64_t>& extents() const { return extents_; }

    std::int64_t size() const { return rows_ * columns_; }  ///< number of elements
    std::int64_t rows() const { return rows_; }
    std::int64_t columns() const { return columns_; }

    bool operator==(const Shape&) const = default;

  private:
    std::vector<std::int64_t> extents_;
    std::int64_t rows_ = 1;
    std::int64_t columns_ = 1;
};

/// Returns the shape as Python writes the tuple: "()", "(4,)", "(400, 128)".
std::string to_string(const Shape& shape);

/// Returns the number of elements from one index of an axis to the next, for each axis of an array
/// of these extents in C order: 12, 4 and 1 for the extents (2, 3, 4).
std::vector<std::int64_t> strides_of(std::span<const std::int64_t> extents);

/// Returns the index along each axis of element number `element`, counted from 0 in C order, of an
/// array of these extents. Precondition: there is such an element.
std::vector<std::int64_t> index_of(std::int64_t element, std::span<const std::int64_t> extents);

/// Returns the index of row `row` along each axis that counts rows: all axes but the last, or the
/// only axis.
std::vector<std::int64_t> index_of_row(const Shape& shape, std::int64_t row);

/// Returns the extents that are not 1, or {1}.
std::vector<std::int64_t> squeezed(const std::vector<std::int64_t>& extents);

/// Returns a * b for sizes. Throws: UsageError, naming `what`, if the product exceeds 2^63 - 1.
std::int64_t checked_product(std::int64_t a, std::int64_t b, const char* what);

}  // namespace pegen
