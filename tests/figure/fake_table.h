#pragma once

#include <functional>
#include <vector>

#include "core/table.h"

namespace pegen {

/// Tables for the tests of figures, of float64.
inline Table table_from(std::int64_t rows, std::int64_t columns,
                        std::function<double(std::int64_t row, std::int64_t column)> value) {
    const auto fill = [=](RowRange range, std::span<double> out) {
        std::size_t place = 0;
        for (std::int64_t row = range.first; row < range.first + range.count; ++row) {
            for (std::int64_t column = 0; column < columns; ++column) {
                out[place++] = value(row, column);
            }
        }
    };
    return {.shape = {rows, columns},
            .dtype = DType::float64,
            .axes = {{AxisKind::position, "position", "Sequence Position(max_len)"},
                     {AxisKind::channel, "channel", "Embedding Dimension(d_model)"}},
            .rows = rounded({fill, rows, columns}, DType::float64),
            .title = "Positional Encoding",
            .value_label = "Positional Encoding Values",
            .provenance = {}};
}

inline Table table_of(std::vector<std::vector<double>> rows) {
    return table_from(
        static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows.front().size()),
        [rows](std::int64_t row, std::int64_t column) {
            return rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
        });
}

}  // namespace pegen
