#include "formats/csv.h"

#include <array>
#include <cmath>
#include <vector>

#include "formats/number_text.h"

namespace pegen {
namespace {

constexpr std::array own_parameters{
    ParameterSpec{.name = "no-header",
                  .type = ParameterType::flag,
                  .summary = "write numbers only: no header row, no index columns"},
};

std::span<const ParameterSpec> parameters() { return own_parameters; }

template <class Number>
void append_number(Number number, std::string& out) {
    std::array<char, longest_number> text;
    out.append(text.data(), write_number(text.data(), number));
}

/// Appends the shortest decimal; for a whole number its digits, never an exponent.
void append_position(double position, std::string& out) {
    if (std::fabs(position) <= 0x1p53 && position == std::trunc(position)) {
        append_number(static_cast<std::int64_t>(position), out);
    } else {
        append_number(position, out);
    }
}

/// Appends the meaning of index `index`: its position, nothing before the first position, or else
/// the index itself.
void append_index(const Axis& axis, std::int64_t index, std::string& out) {
    if (const auto position = position_at(axis, index)) append_position(*position, out);
}

/// Returns the number of axes that rows are counted along; each has an index column.
std::size_t index_columns(const Shape& shape) {
    return shape.rank() > 1 ? shape.rank() - 1 : shape.rank();
}

std::string head(const Table& table, const Parameters& parameters) {
    if (parameters.flag("no-header")) return "";
    std::string line;
    for (std::size_t axis = 0; axis < index_columns(table.shape); ++axis) {
        line += table.axes[axis].name;
        line += ',';
    }
    if (table.shape.rank() < 2) return line + "value\n";
    for (std::int64_t column = 0; column < table.shape.columns(); ++column) {
        if (column > 0) line += ',';
        append_number(column, line);
    }
    return line + '\n';
}

void append_indices(const Table& table, std::int64_t row, std::string& out) {
    const std::vector<std::int64_t> index = index_of_row(table.shape, row);
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        append_index(table.axes[axis], index[axis], out);
        out += ',';
    }
}

void append_rows(const Table& table, const Parameters& parameters, RowRange range,
                 std::span<const std::byte> rows, std::string& out) {
    const bool bare = parameters.flag("no-header");
    const std::size_t bytes = row_bytes(table);
    with_element_type(table.dtype, [&]<class T>(std::type_identity<T>) {
        const auto as_is = [](char*, char* end, T) { return end; };
        for (std::int64_t i = 0; i < range.count; ++i) {
            if (!bare) append_indices(table, range.first + i, out);
            append_elements<T>(rows.subspan(i * bytes, bytes), as_is, out);
            out += '\n';
        }
    });
}

std::string tail(const Table&, const Parameters&) { return ""; }

}  // namespace

constinit const Format formats::csv{
    .name = "csv",
    .summary = "comma-separated values, with a header row and index columns",
    .extensions = "csv",
    .is_binary = false,
    .parameters = parameters,
    .options_title = "CSV options",
    .head = head,
    .append_rows = append_rows,
    .tail = tail,
};

}  // namespace pegen
