#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "inspect/change.h"
#include "inspect/comparison.h"
#include "inspect/difference.h"

namespace pegen {
namespace {

bool are_transposed(const Shape& a, const Shape& b) {
    return std::ranges::equal(a.extents(), std::vector(b.extents().rbegin(), b.extents().rend()));
}

/// Returns the first rows of a matrix as rows of a sequence, whatever they are in an encoding.
PositionTable first_rows(Table table) {
    constexpr std::int64_t most = 64;
    table.shape = {std::min(table.shape[0], most), table.shape[1]};
    table.axes = {Axis{.name = "row"}, Axis{.kind = AxisKind::channel, .name = "channel"}};
    return read_positions(table);
}

/// Finds the shift of the rows and the order of the channels that make the first rows of two
/// matrices alike, but for errors that float32 code may have there.
std::optional<Rearrangement> rearrangement_of(const Table& a, const Table& b) {
    constexpr std::int64_t most_columns = 1 << 12;
    constexpr Closeness closeness{.position = 0x1p-22, .relative = 1e-4};
    if (a.shape[1] > most_columns || a.shape.size() == 0 || b.shape.size() == 0) return {};
    return compare(first_rows(a), first_rows(b), closeness).rearrangement;
}

/// Returns "B has 2 more rows" or the like; "" if both have the same number of rows.
std::string count_of_rows(std::int64_t a, std::int64_t b) {
    if (a == b) return "";
    const std::int64_t more = std::abs(a - b);
    return fmt::format("{} has {} more row{}", a > b ? 'A' : 'B', more, more == 1 ? "" : "s");
}

/// Returns how all values of A were changed, as a sentence; "" if no way is found.
std::string change_text(const Table& a, const Table& b) {
    constexpr std::int64_t enough = 1 << 16;
    const RowRange rows{0, std::min(a.shape.rows(), rows_holding(enough, a.shape.columns()))};
    const std::vector<double> given = read_rows(a, rows), made = read_rows(b, rows);
    const std::string change = change_or_noise_of({made, given, a.shape.columns()});
    return change.empty() ? "" : fmt::format("A is B, but {}, judging by the first rows.", change);
}

}  // namespace

std::string reason_of(const Table& a, const Table& b) {
    if (a.shape != b.shape && a.shape.rank() > 1 && are_transposed(a.shape, b.shape)) {
        return "The shapes are transposed of each other: save array.T of one of them.";
    }
    const bool are_matrices = a.shape.rank() == 2 && b.shape.rank() == 2;
    if (!are_matrices || a.shape[1] != b.shape[1]) return "";
    const std::optional<Rearrangement> found = rearrangement_of(a, b);
    const std::string count = count_of_rows(a.shape[0], b.shape[0]);
    if (!found && count.empty()) return change_text(a, b);
    if (!found) return count + ".";
    const std::string order = order_text(*found, "channels");
    if (found->shift == 0 && order.empty() && found->zeros.empty()) {
        return count.empty() ? "" : count + "; the first rows are equal.";
    }
    const std::string rows =
        found->shift == 0
            ? "A is B"
            : fmt::format("{}ow r of A is row r {} {} of B", count.empty() ? "R" : "r",
                          found->shift > 0 ? '+' : '-', std::abs(found->shift));
    return fmt::format("{}{}{}{}{}, judging by the first rows.", count, count.empty() ? "" : "; ",
                       rows, order, exceptions_text(*found, "one of them"));
}

}  // namespace pegen
