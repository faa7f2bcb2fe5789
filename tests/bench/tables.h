#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "core/table.h"
#include "encodings/registry.h"
#include "formats/write.h"
#include "side_by_side.h"

namespace pegen::bench {

/// The sinusoidal encoding, otherwise with its defaults.
inline Table sinusoid(std::int64_t d, std::int64_t len, DType dtype, std::string_view step = "1") {
    const Encoding& encoding = *find_encoding("sinusoid");
    Parameters parameters(encoding.parameters);
    parameters.set("d", std::to_string(d), Origin::user);
    parameters.set("len", std::to_string(len), Origin::user);
    parameters.set("step", step, Origin::user);
    return make_table(encoding, encoding.tables.front(), parameters, dtype);
}

/// Returns `table` with all values 0, which is the cheapest possible table.
inline Table zeros_like(Table table) {
    table.rows = rows_like(
        table, [](RowRange, std::span<std::byte> out) { std::memset(out.data(), 0, out.size()); });
    return table;
}

/// Returns `table` with its values computed now, so that later measurements do not include it.
inline Table held(Table table) {
    const std::size_t row = row_bytes(table);
    auto values = std::make_shared<std::vector<std::byte>>(total_bytes(table));
    table.rows({0, table.shape.rows()}, *values);
    table.rows = rows_like(table, [row, values](RowRange range, std::span<std::byte> out) {
        std::memcpy(out.data(), values->data() + range.first * row, out.size());
    });
    return table;
}

/// Calls visit(range) for each tile, on the threads that write_table() uses.
template <class Visit>
void for_each_tile(const Table& table, const Visit& visit) {
    const Tiles tiles = tiles_of(table);
    parallel_for(tiles.count(), [&](std::int64_t tile) { visit(tiles[tile]); });
}

/// Fills `out` with the whole table.
inline void fill(const Table& table, std::span<std::byte> out) {
    const std::size_t row = row_bytes(table);
    for_each_tile(table, [&](RowRange range) {
        table.rows(range, out.subspan(range.first * row, range.count * row));
    });
}

inline std::vector<std::byte> buffer_for(const Table& table) {
    return std::vector<std::byte>(total_bytes(table));
}

inline void set_amount(benchmark::State& state, const Table& table) {
    set_amount(state, static_cast<double>(table.shape.rows()),
               static_cast<double>(total_bytes(table)));
}

}  // namespace pegen::bench
