#pragma once

#include <cstdint>
#include <span>
#include <vector>

// Matrix products in double. Each element is one chain of fused multiply-adds,
//   fma(a[k - 1], b[k - 1], ... fma(a[1], b[1], fma(a[0], b[0], 0))),
// so it is the same on every machine, whichever rows and columns are computed with it, and off by
// at most k u / (1 - k u) times the sum of |a[i] b[i]|, u = 2^-53 (Higham, Accuracy and Stability
// of Numerical Algorithms, section 3.1).
namespace pegen::numerics {

/// The right factor of products, (rows, columns), in panels of columns as the products read it.
class Factor {
  public:
    /// Makes the factor of `values`, which are row-major.
    Factor(std::span<const double> values, std::int64_t rows, std::int64_t columns);

    std::int64_t rows() const { return rows_; }
    std::int64_t columns() const { return columns_; }
    /// Returns `panel_columns` columns from panel_columns * panel on, row-major.
    const double* panel(std::int64_t panel) const;

  private:
    friend Factor transposed(std::span<const double>, std::int64_t, std::int64_t);
    Factor(std::int64_t rows, std::int64_t columns);

    std::int64_t rows_;
    std::int64_t columns_;
    std::vector<double> panels_;  ///< columns beyond the last are 0
};

inline constexpr std::int64_t panel_columns = 8;

/// The number of rows of the left factor that are computed together; multiples of it are fastest.
inline constexpr std::int64_t rows_at_once = 6;

/// Returns the transpose of `values`, (columns, rows) row-major, as a factor (rows, columns).
Factor transposed(std::span<const double> values, std::int64_t rows, std::int64_t columns);

/// A range of columns of a matrix: first, first + 1, ..., first + count - 1.
struct ColumnRange {
    std::int64_t first;
    std::int64_t count;
};

/// Computes columns `columns` of a * b into `out`. `a` has rows of b.rows() values; `out` has as
/// many rows, of columns.count values each; both are row-major.
void multiply(std::span<const double> a, const Factor& b, ColumnRange columns,
              std::span<double> out);

/// Computes all columns of a * b into `out`.
void multiply(std::span<const double> a, const Factor& b, std::span<double> out);

}  // namespace pegen::numerics
