#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/table.h"
#include "encodings/registry.h"
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

/// `table` with zeros for values: the least a table can cost.
inline Table zeros_like(Table table) {
    table.rows = [](RowRange, std::span<std::byte> out) { std::memset(out.data(), 0, out.size()); };
    return table;
}

/// `table` with its values computed now: what is measured later is not their computation.
inline Table held(Table table) {
    const auto row = static_cast<std::size_t>(row_bytes(table));
    auto values =
        std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(total_bytes(table)));
    table.rows({0, table.shape.rows()}, *values);
    table.rows = [row, values](RowRange range, std::span<std::byte> out) {
        std::memcpy(out.data(), values->data() + static_cast<std::size_t>(range.first) * row,
                    out.size());
    };
    return table;
}

inline void set_amount(benchmark::State& state, const Table& table) {
    set_amount(state, static_cast<double>(table.shape.rows()),
               static_cast<double>(total_bytes(table)));
}

}  // namespace pegen::bench
