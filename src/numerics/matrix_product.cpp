#include "numerics/matrix_product.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/clones.h"

namespace pegen::numerics {
namespace {

// Rows that are multiplied with a panel at once: their sums fill the registers.
using Rows = std::array<const double*, rows_at_once>;
using Sums = std::array<std::array<double, panel_columns>, rows_at_once>;

/// Multiplies each of the rows, of `length` values, with a panel.
PEGEN_CLONES void multiply_rows(const Rows& rows, const double* panel, std::int64_t length,
                                Sums& out) {
    double sums[rows_at_once][panel_columns] = {};
    for (std::int64_t k = 0; k < length; ++k) {
#pragma GCC unroll 8
        for (std::size_t i = 0; i < rows_at_once; ++i) {
            const double factor = rows[i][k];
#pragma GCC unroll 8
            for (std::size_t j = 0; j < panel_columns; ++j) {
                sums[i][j] =
                    std::fma(factor, panel[k * panel_columns + std::int64_t(j)], sums[i][j]);
            }
        }
    }
    for (std::size_t i = 0; i < rows_at_once; ++i)
        std::copy_n(sums[i], panel_columns, out[i].data());
}

std::int64_t panels_for(std::int64_t columns) {
    return (columns + panel_columns - 1) / panel_columns;
}

}  // namespace

Factor::Factor(std::int64_t rows, std::int64_t columns)
    : rows_(rows), columns_(columns), panels_(panels_for(columns) * panel_columns * rows) {}

Factor::Factor(std::span<const double> values, std::int64_t rows, std::int64_t columns)
    : Factor(rows, columns) {
    for (std::int64_t first = 0; first < columns; first += panel_columns) {
        const std::int64_t count = std::min(panel_columns, columns - first);
        for (std::int64_t row = 0; row < rows; ++row) {
            std::copy_n(values.begin() + row * columns + first, count,
                        panels_.begin() + first * rows + row * panel_columns);
        }
    }
}

Factor transposed(std::span<const double> values, std::int64_t rows, std::int64_t columns) {
    Factor factor(rows, columns);
    for (std::int64_t column = 0; column < columns; ++column) {
        const std::int64_t place = column % panel_columns;
        for (std::int64_t row = 0; row < rows; ++row) {
            factor.panels_[(column - place) * rows + row * panel_columns + place] =
                values[column * rows + row];
        }
    }
    return factor;
}

const double* Factor::panel(std::int64_t panel) const {
    return panels_.data() + panel * panel_columns * rows_;
}

void multiply(std::span<const double> a, const Factor& b, ColumnRange columns,
              std::span<double> out) {
    if (columns.count == 0) return;
    const std::int64_t length = b.rows(), end = columns.first + columns.count;
    const std::int64_t rows = std::ssize(out) / columns.count;
    Sums sums;
    for (std::int64_t row = 0; row < rows; row += rows_at_once) {
        const std::int64_t count = std::min(rows_at_once, rows - row);
        Rows some;
        for (std::int64_t i = 0; i < rows_at_once; ++i) {
            some[i] = a.data() + (row + std::min(i, count - 1)) * length;
        }
        for (std::int64_t panel = columns.first / panel_columns; panel * panel_columns < end;
             ++panel) {
            multiply_rows(some, b.panel(panel), length, sums);
            const std::int64_t first = std::max(columns.first, panel * panel_columns);
            const std::int64_t last = std::min(end, (panel + 1) * panel_columns);
            for (std::int64_t i = 0; i < count; ++i) {
                std::copy_n(sums[i].begin() + first % panel_columns, last - first,
                            out.begin() + (row + i) * columns.count + first - columns.first);
            }
        }
    }
}

void multiply(std::span<const double> a, const Factor& b, std::span<double> out) {
    multiply(a, b, {0, b.columns()}, out);
}

}  // namespace pegen::numerics
