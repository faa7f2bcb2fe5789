#include "identify/departure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <span>

#include "core/parallel.h"
#include "core/shape.h"
#include "core/to_size.h"
#include "identify/agreement.h"
#include "identify/likeness.h"
#include "identify/views.h"

namespace pegen::identify {
namespace {

/// Where values are off: rows and columns of the last axis.
struct Off {
    explicit Off(std::int64_t columns) : in_column(to_size(columns), false) {}

    std::int64_t values = 0;
    std::vector<std::int64_t> rows;
    std::vector<bool> in_column;
    double sum_of_squares = 0;   ///< of the differences that are finite
    double made = 0, given = 0;  ///< the last value, in the table and in the array

    void add(std::int64_t row, std::int64_t column, double of_table, double of_array) {
        const double apart = of_array - of_table;
        made = of_table;
        given = of_array;
        ++values;
        if (rows.empty() || rows.back() != row) rows.push_back(row);
        in_column[to_size(column)] = true;
        if (std::isfinite(apart)) sum_of_squares += apart * apart;
    }

    /// Adds those of later or earlier rows.
    void add(const Off& other) {
        values += other.values;
        if (other.values > 0) {
            made = other.made;
            given = other.given;
        }
        rows.insert(rows.end(), other.rows.begin(), other.rows.end());
        for (std::size_t i = 0; i < in_column.size(); ++i) {
            in_column[i] = in_column[i] || other.in_column[i];
        }
        sum_of_squares += other.sum_of_squares;
    }
};

/// Returns where the list is true.
std::vector<std::int64_t> indices_of(const std::vector<bool>& list) {
    std::vector<std::int64_t> indices;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i]) indices.push_back(static_cast<std::int64_t>(i));
    }
    return indices;
}

/// Returns what is off in `count` elements from the element `first` on: whole rows of the last axis
/// and of both tables.
Off off_in(const Table& made, const evidence::Sample& array, const evidence::Proposal& proposal,
           Arithmetic arithmetic, std::int64_t first, std::int64_t count) {
    const auto read = [=](const Table& table) {
        const std::int64_t columns = table.shape.columns();
        return read_rows(table, {first / columns, count / columns});
    };
    const std::vector<double> ours = read(made), theirs = read(array.table);
    const std::int64_t columns = array.rank() == 1 ? 1 : array.extents.back();
    const std::int64_t per_index = made.shape.size() / array.extents.front();
    Off off(columns);
    for (std::int64_t i = 0; i < count; ++i) {
        const double a = ours[to_size(i)], b = theirs[to_size(i)];
        const std::int64_t element = first + i;
        if (is_alike(a, b, angle_at(proposal, element, per_index), array, arithmetic)) continue;
        off.add(element / columns, element % columns, a, b);
    }
    return off;
}

Off all_off(const Table& made, const evidence::Sample& array, const evidence::Proposal& proposal,
            Arithmetic arithmetic, const Progress& progress) {
    // Rows differ in length where one of the tables has extents of 1 that the other has not; but
    // the longer ones are whole numbers of the shorter ones.
    const std::int64_t row = std::max(made.shape.columns(), array.table.shape.columns());
    const std::int64_t rows = made.shape.size() / row;
    const std::int64_t rows_in_block = rows_holding(1 << 16, row);
    const std::int64_t blocks = (rows + rows_in_block - 1) / rows_in_block;
    Off off(array.rank() == 1 ? 1 : array.extents.back());
    std::mutex mutex;
    std::int64_t done = 0;
    parallel_for(blocks, [&](std::int64_t block) {
        const std::int64_t first = block * rows_in_block;
        const std::int64_t count = std::min(rows_in_block, rows - first);
        const Off here = off_in(made, array, proposal, arithmetic, first * row, count * row);
        const std::lock_guard lock(mutex);
        off.add(here);
        progress(done += count, rows);
    });
    std::ranges::sort(off.rows);
    return off;
}

/// Returns the indices along an axis that rows of the last axis have.
std::vector<std::int64_t> indices_along(std::size_t axis, const std::vector<std::int64_t>& rows,
                                        const std::vector<std::int64_t>& extents) {
    const auto of_rows = std::span(extents).first(extents.size() - 1);
    std::vector<bool> has(to_size(extents[axis]));
    for (const std::int64_t row : rows) has[to_size(index_of(row, of_rows)[axis])] = true;
    return indices_of(has);
}

}  // namespace

std::string indices_text(std::string_view noun, const std::vector<std::int64_t>& indices) {
    const auto count = std::ssize(indices);
    if (count == 1) return fmt::format("{} {}", noun, indices.front());
    if (count == 2) return fmt::format("{}s {} and {}", noun, indices[0], indices[1]);
    const bool is_run = std::ranges::adjacent_find(
                            indices, [](auto a, auto b) { return b != a + 1; }) == indices.end();
    if (is_run) {
        return fmt::format("{}s {} to {}", noun, indices.front(), indices.back());
    }
    constexpr std::ptrdiff_t most = 5;
    if (count <= most) {
        return fmt::format("{}s {}", noun, fmt::join(indices, ", "));
    }
    const std::vector<std::int64_t> first(indices.begin(), indices.begin() + most);
    return fmt::format("{}s {} and {} more", noun, fmt::join(first, ", "), count - most);
}

std::string departure_from(const Table& made, const evidence::Sample& array,
                           const evidence::Proposal& proposal, const Progress& progress) {
    const Table table = selected(made, proposal);
    if (squeezed(table.shape.extents()) != array.extents) return "its shape";
    const Off off = all_off(table, array, proposal, arithmetic_of(made, array, proposal), progress);
    if (off.values == 0) return "";
    const std::vector<std::int64_t> columns = indices_of(off.in_column);
    std::vector<std::int64_t> extents = array.extents;
    if (extents.size() == 1) extents.push_back(1);
    if (off.values == 1) {
        const std::int64_t element = off.rows.front() * extents.back() + columns.front();
        const int digits = array.precision.digits > 24 ? 17 : 9;
        return fmt::format("one value, at ({}): {:.{}g} instead of {:.{}g}",
                           fmt::join(index_of(element, extents), ", "), off.given, digits, off.made,
                           digits);
    }
    const std::int64_t all = table.shape.size();
    std::vector<std::string> places;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        const bool is_last = axis + 1 == extents.size();
        const std::vector<std::int64_t> indices =
            is_last ? columns : indices_along(axis, off.rows, extents);
        if (3 * std::ssize(indices) > 2 * extents[axis]) continue;
        places.push_back(is_last ? indices_text("channel", indices)
                         : axis + 2 == extents.size()
                             ? indices_text("row", indices)
                             : fmt::format("{} of axis {}", indices_text("slice", indices), axis));
    }
    if (!places.empty()) return fmt::format("{} values in {}", off.values, fmt::join(places, ", "));
    const double size = std::sqrt(off.sum_of_squares / static_cast<double>(all));
    return fmt::format("{} of {} values, by {:.2g} on average", off.values, all, size);
}

}  // namespace pegen::identify
