#include "pegen/formats/write.h"

#include <algorithm>
#include <string>
#include <vector>

#include "pegen/core/parallel.h"
#include "pegen/formats/tiles.h"

namespace pegen {
namespace {

/// What one worker has made of one tile.
struct Product {
    std::vector<std::byte> rows;
    std::vector<std::string> texts;  ///< one for each output; empty where `rows` are written
};

bool is_raw(const Output& output) { return output.format->append_rows == raw_rows; }

bool takes_rows(const Output& output, const Table& table) {
    if (is_raw(output)) return table.shape.size() > 0;
    return output.format->append_rows != nullptr;
}

void make_product(const Table& table, std::span<const Output> outputs, RowRange range,
                  Product& product) {
    product.rows.resize(static_cast<std::size_t>(range.count * row_bytes(table)));
    if (!product.rows.empty()) table.rows(range, product.rows);
    product.texts.resize(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Output& output = outputs[i];
        if (is_raw(output) || !takes_rows(output, table)) continue;
        product.texts[i].clear();
        output.format->append_rows(table, output.parameters, range, product.rows, product.texts[i]);
    }
}

void write_product(std::span<Output> outputs, const Product& product) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (is_raw(outputs[i])) {
            outputs[i].file.write(product.rows);
        } else {
            outputs[i].file.write(product.texts[i]);
        }
    }
}

void write_rows(const Table& table, std::span<Output> outputs) {
    const Tiles tiles = tiles_of(table);
    std::vector<Product> products(static_cast<std::size_t>(thread_count()));
    const auto of = [&](int worker) -> Product& {
        return products[static_cast<std::size_t>(worker)];
    };
    parallel_in_order(
        tiles.count(),
        [&](std::int64_t tile, int worker) {
            make_product(table, outputs, tiles[tile], of(worker));
        },
        [&](std::int64_t, int worker) { write_product(outputs, of(worker)); });
}

}  // namespace

std::span<const ParameterSpec> no_parameters() { return {}; }

void raw_rows(const Table&, const Parameters&, RowRange, std::span<const std::byte> rows,
              std::string& out) {
    out.append(reinterpret_cast<const char*>(rows.data()), rows.size());
}

void write_table(const Table& table, std::span<Output> outputs) {
    // A format that cannot hold the table says so before a byte is written anywhere.
    std::vector<std::string> heads;
    for (const Output& output : outputs) {
        heads.push_back(output.format->head(table, output.parameters));
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i].file.write(heads[i]);
    if (std::any_of(outputs.begin(), outputs.end(),
                    [&](const Output& output) { return takes_rows(output, table); })) {
        write_rows(table, outputs);
    }
    for (Output& output : outputs) {
        output.file.write(output.format->tail(table, output.parameters));
    }
}

}  // namespace pegen
