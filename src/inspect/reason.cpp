#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/to_size.h"
#include "inspect/difference.h"

namespace pegen {
namespace {

std::vector<std::int64_t> without_ones(const Shape& shape) {
    std::vector<std::int64_t> extents = shape.extents();
    std::erase(extents, 1);
    return extents;
}

bool are_transposed(const Shape& a, const Shape& b) {
    return std::ranges::equal(a.extents(), std::vector(b.extents().rbegin(), b.extents().rend()));
}

/// More than the errors of float32 code in the first rows, and less than most tables differ by.
constexpr double slack = 1e-4;

bool are_alike(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= slack;
}

/// The rows that are compared: some code bases have a row of zeros among the first three.
constexpr std::int64_t first_row = 3, rows = 4;

struct FirstRows {
    std::int64_t columns;
    std::vector<double> values;

    std::span<const double> row(std::int64_t index) const {
        return std::span(values).subspan(to_size(index * columns), to_size(columns));
    }
};

/// Reads up to `count` rows.
FirstRows first_rows(const Table& table, std::int64_t count) {
    return {table.shape.columns(), read_rows(table, {0, std::min(count, table.shape.rows())})};
}

/// True if row r of `a` is like row r + shift of `b` for the rows that are compared.
bool is_shifted(const FirstRows& a, const FirstRows& b, std::int64_t shift) {
    for (std::int64_t row = first_row; row < first_row + rows; ++row) {
        if (!std::ranges::equal(a.row(row), b.row(row + shift), are_alike)) return false;
    }
    // If neighbouring rows are alike, any shift would fit.
    return !std::ranges::equal(a.row(first_row), a.row(first_row + 1), are_alike);
}

/// Finds the shift along the rows of two matrices that makes them alike.
std::optional<std::int64_t> shift_of(const Table& a, const Table& b) {
    constexpr std::int64_t farthest = 3;
    constexpr std::int64_t looked_at = first_row + rows + farthest;
    constexpr std::int64_t most_columns = 1 << 20;
    if (std::min(a.shape.rows(), b.shape.rows()) < looked_at) return {};
    if (a.shape.columns() > most_columns) return {};
    const FirstRows of_a = first_rows(a, looked_at), of_b = first_rows(b, looked_at);
    for (const std::int64_t shift : {0, 1, -1, 2, -2, 3, -3}) {
        if (is_shifted(of_a, of_b, shift)) return shift;
    }
    return {};
}

std::string of_shapes(const Shape& a, const Shape& b) {
    if (a.rank() > 1 && are_transposed(a, b)) {
        return "The shapes are transposed of each other: save array.T of one of them.";
    }
    if (without_ones(a) == without_ones(b)) {
        return fmt::format(
            "The shapes are equal but for axes of extent 1: save array.reshape{} for A.",
            to_string(b));
    }
    return "";
}

/// "B has 2 more rows"
std::string count_of_rows(std::int64_t a, std::int64_t b) {
    const std::int64_t more = std::abs(a - b);
    return fmt::format("{} has {} more row{}", a > b ? 'A' : 'B', more, more == 1 ? "" : "s");
}

}  // namespace

std::string reason_of(const Table& a, const Table& b) {
    if (a.shape != b.shape) {
        const std::string reason = of_shapes(a.shape, b.shape);
        if (!reason.empty()) return reason;
    }
    const bool are_matrices = a.shape.rank() == 2 && b.shape.rank() == 2;
    if (!are_matrices || a.shape[1] != b.shape[1]) return "";
    const std::optional<std::int64_t> shift = shift_of(a, b);
    const bool has_more = a.shape[0] != b.shape[0];
    const std::string count = has_more ? count_of_rows(a.shape[0], b.shape[0]) : "";
    if (!shift) return has_more ? count + "." : "";
    if (*shift == 0) return has_more ? count + "; the first rows are alike." : "";
    return fmt::format("{}{}ow r of A is row r {} {} of B, as far as the first rows tell.", count,
                       has_more ? "; r" : "R", *shift > 0 ? '+' : '-', std::abs(*shift));
}

}  // namespace pegen
