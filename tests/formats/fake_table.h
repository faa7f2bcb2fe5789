#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/table.h"
#include "files/temporary_folder.h"
#include "formats/write.h"

namespace pegen::testing {

/// Returns a table of the given bytes.
inline Table table_of_bytes(Shape shape, DType dtype, std::string bytes) {
    Table table;
    table.shape = std::move(shape);
    table.dtype = dtype;
    for (int axis = 0; axis < table.shape.rank(); ++axis) {
        const char* const names[] = {"position", "channel", "x", "y", "z"};
        table.axes.push_back({.name = names[axis]});
    }
    const std::size_t row = row_bytes(table);
    table.rows =
        rows_like(table, [row, held = std::make_shared<const std::string>(std::move(bytes))](
                             RowRange range, std::span<std::byte> out) {
            std::memcpy(out.data(), held->data() + range.first * row, out.size());
        });
    return table;
}

/// Returns a table of the given values, each rounded to `dtype`.
inline Table table_of(Shape shape, DType dtype, const std::vector<double>& values) {
    std::string bytes(values.size() * info(dtype).size, '\0');
    store(values, dtype, std::as_writable_bytes(std::span(bytes)));
    return table_of_bytes(std::move(shape), dtype, std::move(bytes));
}

/// Returns a table of `shape` with the elements 0, 1, 2, ...
inline Table counting_table(Shape shape, DType dtype) {
    std::vector<double> values(shape.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
    return table_of(std::move(shape), dtype, values);
}

/// Returns the file that `format` makes of the table; `flag` is one of its own parameters, or "".
inline std::string written(const Table& table, const Format& format, std::string_view flag = "") {
    const TemporaryFolder folder;
    std::vector<Output> outputs;
    Parameters parameters(format.parameters());
    if (!flag.empty()) parameters.set(flag, "true", Origin::user);
    outputs.push_back({&format, std::move(parameters), OutputFile(folder.path("file"))});
    write_table(table, outputs);
    finish(outputs);
    commit(outputs);
    return content(folder.path("file"));
}

/// Returns all elements of the table.
inline std::string bytes_of(const Table& table) {
    std::string bytes(total_bytes(table), '\0');
    if (!bytes.empty()) {
        table.rows({0, table.shape.rows()}, std::as_writable_bytes(std::span(bytes)));
    }
    return bytes;
}

}  // namespace pegen::testing
