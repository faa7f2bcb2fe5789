#include "formats/csv.h"

#include <array>
#include <vector>

#include "formats/number_text.h"

namespace pegen {
namespace {

constexpr std::array own_parameters{
    ParameterSpec{.name = "no-header",
                  .type = ParameterType::flag,
                  .summary = "numbers only: no header row, no index columns"},
};

std::span<const ParameterSpec> parameters() { return own_parameters; }

/// Axes that have an index column: all but the last, which runs along the line; of a table of one
/// axis, that one.
int index_columns(const Shape& shape) { return shape.rank() > 1 ? shape.rank() - 1 : shape.rank(); }

void append_integer(std::int64_t number, std::string& out) {
    std::array<char, longest_number> text;
    out.append(text.data(), write_number(text.data(), number));
}

std::string head(const Table& table, const Parameters& parameters) {
    if (parameters.flag("no-header")) return "";
    std::string line;
    for (int axis = 0; axis < index_columns(table.shape); ++axis) {
        line += table.axes[static_cast<std::size_t>(axis)].name;
        line += ',';
    }
    if (table.shape.rank() < 2) return line + "value\n";
    for (std::int64_t column = 0; column < table.shape.columns(); ++column) {
        if (column > 0) line += ',';
        append_integer(column, line);
    }
    return line + '\n';
}

/// The index of row `row` along each axis that has an index column.
std::vector<std::int64_t> index_of_row(const Shape& shape, std::int64_t row) {
    std::vector<std::int64_t> index(static_cast<std::size_t>(index_columns(shape)));
    for (int axis = index_columns(shape) - 1; axis >= 0; --axis) {
        index[static_cast<std::size_t>(axis)] = row % shape[axis];
        row /= shape[axis];
    }
    return index;
}

void append_rows(const Table& table, const Parameters& parameters, RowRange range,
                 std::span<const std::byte> rows, std::string& out) {
    const bool bare = parameters.flag("no-header");
    const auto bytes = static_cast<std::size_t>(row_bytes(table));
    with_element_type(table.dtype, [&]<class T>(std::type_identity<T>) {
        const auto write = [](char* place, T element) { return write_number(place, element); };
        for (std::int64_t i = 0; i < range.count; ++i) {
            if (!bare) {
                for (const std::int64_t index : index_of_row(table.shape, range.first + i)) {
                    append_integer(index, out);
                    out += ',';
                }
            }
            append_elements<T>(rows.subspan(static_cast<std::size_t>(i) * bytes, bytes), write,
                               out);
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
