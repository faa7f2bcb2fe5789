#include "recognition/rotary/rotary_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

#include "core/shape.h"
#include "recognition/evidence/geometric.h"

namespace pegen::recognition {
namespace {

using Columns = std::vector<std::int64_t>;
using evidence::progression;

Columns quotients(std::int64_t count, std::int64_t divisor) {
    Columns columns;
    for (std::int64_t i = 0; i < count; ++i) columns.push_back(i / divisor);
    return columns;
}

Columns remainders(std::int64_t count, std::int64_t divisor) {
    Columns columns;
    for (std::int64_t i = 0; i < count; ++i) columns.push_back(i % divisor);
    return columns;
}

/// A selection of the array's rows on which candidate columns are tested.
class Rows {
  public:
    explicit Rows(const Sample& array) : array_(array), rows_(some_rows(array, 16)) {}

    bool are_finite() const {
        return std::ranges::all_of(rows_, [&](std::int64_t row) {
            const auto first = array_.values.begin() + row * row_size(array_);
            return std::all_of(first, first + row_size(array_),
                               [](double value) { return std::isfinite(value); });
        });
    }

    /// True if all values of the first row are the same.
    bool begin_with_one_value() const {
        const auto end = array_.values.begin() + row_size(array_);
        return std::all_of(array_.values.begin(), end,
                           [&](double value) { return value == array_.values.front(); });
    }

    std::size_t count() const { return rows_.size(); }

    /// Returns the number of rows in which the columns a and b hold different values.
    std::size_t differing(std::int64_t a, std::int64_t b) const {
        return to_size(std::ranges::count_if(rows_, [&](std::int64_t row) {
            const Measured at_a = cell(array_, row, a), at_b = cell(array_, row, b);
            return !(std::fabs(at_a.value - at_b.value) <= at_a.error + at_b.error);
        }));
    }

    /// True if a + b is 0.
    bool are_opposite(std::int64_t a, std::int64_t b) const {
        return std::ranges::all_of(rows_, [&](std::int64_t row) {
            const Measured at_a = cell(array_, row, a), at_b = cell(array_, row, b);
            return std::fabs(at_a.value + at_b.value) <= at_a.error + at_b.error;
        });
    }

    /// True if a^2 + b^2 is the same, and not 0, for all these pairs of columns.
    bool are_circles(const Columns& a, const Columns& b) const {
        const auto square = [&](std::int64_t row, std::size_t pair) {
            const Measured x = cell(array_, row, a[pair]), y = cell(array_, row, b[pair]);
            return Measured{x.value * x.value + y.value * y.value,
                            3 * (std::fabs(x.value) * x.error + std::fabs(y.value) * y.error) +
                                x.error * x.error + y.error * y.error};
        };
        const Measured first = square(rows_.front(), 0);
        if (!(first.value > 2 * first.error)) return false;
        return std::ranges::all_of(rows_, [&](std::int64_t row) {
            for (std::size_t pair = 0; pair < a.size(); ++pair) {
                const Measured other = square(row, pair);
                if (std::fabs(other.value - first.value) > other.error + first.error + 1e-7) {
                    return false;
                }
            }
            return true;
        });
    }

  private:
    const Sample& array_;
    std::vector<std::int64_t> rows_;
};

/// An arrangement in which `columns` columns hold each value twice.
struct Doubling {
    std::string_view layout;
    Columns firsts;  ///< the first column of each pair
    Columns pair_of_column;
};

Doubling in_halves(std::int64_t columns) {
    return {"half", progression(0, 1, columns / 2), remainders(columns, columns / 2)};
}

Doubling interleaved(std::int64_t columns) {
    return {"interleaved", progression(0, 2, columns / 2), quotients(columns, 2)};
}

/// Returns the arrangement in halves within each of `axes` blocks.
Doubling in_axis_halves(std::int64_t columns, std::int64_t axes) {
    const std::int64_t block = columns / axes, pairs = block / 2;
    Doubling doubling{"axis-half", {}, {}};
    for (std::int64_t column = 0; column < columns; ++column) {
        if (column % block < pairs) doubling.firsts.push_back(column);
        doubling.pair_of_column.push_back(column / block * pairs + column % block % pairs);
    }
    return doubling;
}

Doubling single(std::int64_t columns) {
    return {"single", progression(0, 1, columns), progression(0, 1, columns)};
}

/// Returns the arrangements in which the first `columns` columns hold each value twice. If no
/// arrangement is exact, returns the one with each value once, and those that nearly fit.
std::vector<Doubling> doublings(const Rows& rows, std::int64_t columns) {
    std::vector<Doubling> all;
    if (columns % 2 == 0) all = {in_halves(columns), interleaved(columns)};
    for (const std::int64_t axes : {2, 3}) {
        if (columns % (2 * axes) == 0 && columns > 2 * axes) {
            all.push_back(in_axis_halves(columns, axes));
        }
    }
    // An array may have a few wrong values, such as a whole channel in some rows.
    const std::size_t few = columns * rows.count() / 8;
    std::vector<Doubling> exact, nearly{single(columns)};
    for (Doubling& doubling : all) {
        std::size_t differing = 0;
        for (std::int64_t column = 0; column < columns && differing <= few; ++column) {
            const std::int64_t first = doubling.firsts[doubling.pair_of_column[column]];
            differing += rows.differing(static_cast<std::int64_t>(column), first);
        }
        if (differing > few) continue;
        (differing == 0 ? exact : nearly).push_back(std::move(doubling));
    }
    return exact.empty() ? nearly : exact;
}

std::vector<Setting> layout_setting(std::string_view layout, std::string_view default_layout) {
    if (layout == default_layout) return {};
    return {{"layout", std::string(layout)}};
}

/// Returns the channels of sin-cos, counted as sines then cosines, in the array's order; none if
/// the array has exactly this order.
Columns channels_of(const RotaryColumns& columns, const Columns& is_cosine) {
    Columns channels;
    for (std::size_t column = 0; column < columns.pair_of_column.size(); ++column) {
        channels.push_back(columns.pair_of_column[column] + is_cosine[column] * columns.pairs());
    }
    if (channels == progression(0, 1, 2 * columns.pairs())) channels.clear();
    return channels;
}

/// Returns a note on the stacking of two tables, each of one function, in the array's columns.
std::string note_of_halves(std::string_view layout, bool has_cosines_first) {
    const std::string_view first = has_cosines_first ? "cos" : "sin";
    const std::string_view second = has_cosines_first ? "sin" : "cos";
    return fmt::format(
        "stacked: the first half of the array's channels is --table {} --layout {}, the second one "
        "--table {}",
        first, layout, second);
}

/// Adds the columns of sin-cos if the array holds both all sines and all cosines: in two halves,
/// each of which may hold its values twice, or alternating.
void add_both(std::vector<RotaryColumns>& found, const Rows& rows, std::int64_t count) {
    const std::int64_t half = count / 2;
    std::vector<RotaryColumns> forms;
    std::vector<Columns> functions;
    if (rows.are_circles(progression(0, 1, half), progression(half, 1, half))) {
        for (const Doubling& doubling : doublings(rows, half)) {
            RotaryColumns columns{.table = "sin-cos", .layout = doubling.layout};
            columns.sines = columns.cosines = doubling.firsts;
            for (std::int64_t& column : columns.cosines) column += half;
            columns.pair_of_column = doubling.pair_of_column;
            columns.pair_of_column.insert(columns.pair_of_column.end(),
                                          doubling.pair_of_column.begin(),
                                          doubling.pair_of_column.end());
            forms.push_back(columns);
            functions.push_back(quotients(count, half));
        }
    } else if (rows.are_circles(progression(0, 2, half), progression(1, 2, half))) {
        forms.push_back({.table = "sin-cos",
                         .cosines = progression(1, 2, half),
                         .sines = progression(0, 2, half),
                         .pair_of_column = quotients(count, 2)});
        functions.push_back(remainders(count, 2));
    }
    for (std::size_t i = 0; i < forms.size(); ++i) {
        RotaryColumns sines_first = forms[i], cosines_first = forms[i];
        sines_first.channels = channels_of(sines_first, functions[i]);
        cosines_first.has_cosines_first = true;
        std::swap(cosines_first.sines, cosines_first.cosines);
        for (std::int64_t& function : functions[i]) function = 1 - function;
        cosines_first.channels = channels_of(cosines_first, functions[i]);
        if (!forms[i].layout.empty()) {
            if (!sines_first.channels.empty()) {
                sines_first.notes = {note_of_halves(forms[i].layout, false)};
            }
            cosines_first.notes = {note_of_halves(forms[i].layout, true)};
        }
        found.push_back(sines_first);
        found.push_back(cosines_first);
    }
}

void add_of_matrix(std::vector<RotaryColumns>& found, const Sample& array, const Rows& rows,
                   std::string_view default_layout) {
    const std::int64_t count = array.extents[1];
    if (count % 2 == 0) add_both(found, rows, count);
    // Cosines of small angles have constant squares, too, so other tables are possible if the first
    // row has one value.
    if (!found.empty() && !rows.begin_with_one_value()) return;
    for (const Doubling& doubling : doublings(rows, count)) {
        const auto settings = layout_setting(doubling.layout, default_layout);
        found.push_back({.table = "cos",
                         .settings = settings,
                         .layout = doubling.layout,
                         .cosines = doubling.firsts,
                         .pair_of_column = doubling.pair_of_column});
        found.push_back({.table = "sin",
                         .settings = settings,
                         .layout = doubling.layout,
                         .sines = doubling.firsts,
                         .pair_of_column = doubling.pair_of_column});
    }
}

void add_complex(std::vector<RotaryColumns>& found, const Sample& array, const Rows& rows) {
    const std::int64_t pairs = array.extents[1];
    const Columns evens = progression(0, 2, pairs), odds = progression(1, 2, pairs);
    if (!rows.are_circles(evens, odds)) return;
    const Columns pair_of_column = quotients(2 * pairs, 2);
    found.push_back(
        {.table = "freqs-cis", .cosines = evens, .sines = odds, .pair_of_column = pair_of_column});
    found.push_back({.table = "freqs-cis",
                     .channels = {1, 0},
                     .cosines = odds,
                     .sines = evens,
                     .pair_of_column = pair_of_column});
}

/// Adds the columns of matrices (row, output, input) that rotate whole heads.
void add_rotation(std::vector<RotaryColumns>& found, const Sample& array, const Rows& rows) {
    const std::int64_t dim = array.extents[1];
    constexpr std::int64_t widest = 2048;
    if (dim % 2 != 0 || dim > widest) return;
    for (const bool is_half : {true, false}) {
        const std::int64_t stride = (is_half ? 1 : 2) * (dim + 1), apart = is_half ? dim / 2 : 1;
        RotaryColumns columns{.table = "rotation",
                              .cosines = progression(0, stride, dim / 2),
                              .sines = progression(apart * dim, stride, dim / 2)};
        if (!is_half) columns.settings = {{"pairing", "interleaved"}};
        for (std::int64_t output = 0; output < dim; ++output) {
            for (std::int64_t input = 0; input < dim; ++input) {
                columns.pair_of_column.push_back(is_half ? input % (dim / 2) : input / 2);
            }
        }
        if (rows.are_circles(columns.cosines, columns.sines)) found.push_back(columns);
    }
}

void add_matrices(std::vector<RotaryColumns>& found, const Sample& array, const Rows& rows) {
    const std::int64_t pairs = array.extents[1];
    RotaryColumns columns{.table = "matrices",
                          .cosines = progression(0, 4, pairs),
                          .sines = progression(2, 4, pairs),
                          .pair_of_column = quotients(4 * pairs, 4)};
    if (rows.are_circles(columns.cosines, columns.sines)) found.push_back(columns);
}

}  // namespace

std::int64_t row_size(const Sample& array) {
    return std::accumulate(array.extents.begin() + 1, array.extents.end(), std::int64_t{1},
                           std::multiplies<>());
}

std::vector<std::int64_t> some_rows(const Sample& array, std::int64_t dense) {
    std::vector<std::int64_t> rows;
    const std::int64_t last = array.leading - 1;
    for (std::int64_t row = 0; row < last; row += std::max<std::int64_t>(1, row / dense)) {
        rows.push_back(row);
    }
    if (last >= 0) rows.push_back(last);
    return rows;
}

Measured cell(const Sample& array, std::int64_t row, std::int64_t column) {
    const double value = array.values[row * row_size(array) + column];
    return {value, array.error_of(value)};
}

std::vector<RotaryColumns> rotary_columns(const Sample& array, std::string_view default_layout) {
    std::vector<RotaryColumns> found;
    constexpr std::int64_t widest = 1 << 20;
    if (array.rank() < 2 || array.leading < 1 || row_size(array) > widest) return found;
    const Rows rows(array);
    if (!rows.are_finite()) return found;
    if (array.rank() == 2) add_of_matrix(found, array, rows, default_layout);
    if (array.rank() == 3 && array.extents[2] == 2) add_complex(found, array, rows);
    if (array.rank() == 3 && array.extents[1] == array.extents[2]) add_rotation(found, array, rows);
    if (array.rank() == 4 && array.extents[2] == 2 && array.extents[3] == 2) {
        add_matrices(found, array, rows);
    }
    return found;
}

std::vector<RotaryColumns> signed_columns(const Sample& array) {
    std::vector<RotaryColumns> found;
    const std::int64_t count = array.extents.back();
    if (array.rank() != 2 || count % 2 != 0 || array.leading < 1) return found;
    const Rows rows(array);
    if (!rows.are_finite()) return found;
    for (Doubling& doubling : std::vector{in_halves(count), interleaved(count)}) {
        const std::int64_t apart = doubling.layout == "half" ? count / 2 : 1;
        const bool are_opposite = std::ranges::all_of(doubling.firsts, [&](std::int64_t first) {
            return rows.are_opposite(first, first + apart);
        });
        if (!are_opposite) continue;
        for (std::int64_t& column : doubling.firsts) column += apart;
        found.push_back({.table = "signed-sin",
                         .settings = layout_setting(doubling.layout, "half"),
                         .layout = doubling.layout,
                         .sines = doubling.firsts,
                         .pair_of_column = doubling.pair_of_column});
    }
    return found;
}

}  // namespace pegen::recognition
