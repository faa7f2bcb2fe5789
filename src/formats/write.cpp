#include "formats/write.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/shape.h"
#include "figure/figure.h"
#include "files/sha256.h"

namespace pegen {

RowRange Tiles::operator[](std::int64_t tile) const {
    const std::int64_t first = tile * rows_per_tile;
    return {first, std::min(rows_per_tile, rows - first)};
}

Tiles tiles_of(const Table& table) {
    // Rows without elements still cost their brackets and indices in text formats, so each counts
    // as one byte.
    const std::int64_t bytes = std::max<std::int64_t>(row_bytes(table), 1);
    return {table.shape.rows(), std::max<std::int64_t>(tile_bytes / bytes, 1)};
}

namespace {

/// The bytes and texts that one worker has made of one tile.
struct Product {
    std::vector<std::byte> rows;
    std::vector<std::string> texts;  ///< one for each output; empty if `rows` are written
};

bool takes_rows(const Format& format, const Table& table) {
    if (is_raw(format)) return table.shape.size() > 0;
    return format.append_rows != nullptr;
}

void fill(const Table& table, RowRange range, std::vector<std::byte>& rows) {
    rows.resize(range.count * row_bytes(table));
    if (!rows.empty()) table.rows(range, rows);
}

void make_product(const Table& table, std::span<const Output> outputs, RowRange range,
                  Product& product) {
    fill(table, range, product.rows);
    product.texts.resize(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const Output& output = outputs[i];
        if (is_raw(*output.format) || !takes_rows(*output.format, table)) continue;
        product.texts[i].clear();
        output.format->append_rows(table, output.parameters, range, product.rows, product.texts[i]);
    }
}

void write_bytes(Output& output, std::span<const std::byte> bytes) {
    output.file.write(bytes);
    if (output.digest) output.digest->add(bytes);
}

void write_text(Output& output, std::string_view text) {
    write_bytes(output, std::as_bytes(std::span(text)));
}

void write_product(std::span<Output> outputs, const Product& product) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (is_raw(*outputs[i].format)) {
            write_bytes(outputs[i], product.rows);
        } else {
            write_text(outputs[i], product.texts[i]);
        }
    }
}

/// Fills tiles of the table and calls `write` with the rows of each and with their form for each of
/// `outputs`.
void write_tiles(const Table& table, TileRange range, std::span<const Output> outputs,
                 const std::function<void(RowRange rows, const Product&)>& write,
                 const Progress& progress) {
    if (range.count == 0) return;
    const Tiles tiles = tiles_of(table);
    const std::int64_t first_row = tiles[range.first].first;
    const RowRange last = tiles[range.first + range.count - 1];
    std::vector<Product> products(thread_count());
    const auto of = [&](int worker) -> Product& { return products[worker]; };
    parallel_in_order(
        range.count,
        [&](std::int64_t tile, int worker) {
            make_product(table, outputs, tiles[range.first + tile], of(worker));
        },
        [&](std::int64_t tile, int worker) {
            const RowRange rows = tiles[range.first + tile];
            write(rows, of(worker));
            progress(rows.first + rows.count - first_row, last.first + last.count - first_row);
        });
}

TileRange all_tiles(const Table& table) { return {0, tiles_of(table).count()}; }

/// Appends these tiles to `file` in the form of the format.
void append_tiles(const Table& table, TileRange range, const Format& format,
                  const Parameters& parameters, std::string& file) {
    struct Part {
        std::vector<std::byte> rows;
        std::string bytes;
    };
    const Tiles tiles = tiles_of(table);
    std::vector<Part> parts(thread_count());
    parallel_in_order(
        range.count,
        [&](std::int64_t tile, int worker) {
            Part& part = parts[worker];
            const RowRange rows = tiles[range.first + tile];
            fill(table, rows, part.rows);
            part.bytes.clear();
            format.append_rows(table, parameters, rows, part.rows, part.bytes);
        },
        [&](std::int64_t, int worker) { file += parts[worker].bytes; });
}

/// Returns `rows`, wrapped so that it reports to `progress` how many rows have been asked for.
Rows counted(const Rows& rows, const Progress& progress) {
    return rows_like(rows, [=, &progress, asked = std::make_shared<std::atomic<std::int64_t>>(0)](
                               RowRange range, std::span<std::byte> out) {
        rows(range, out);
        progress(*asked += range.count, 0);
    });
}

/// Returns the beginning of each file.
/// Throws: UsageError if a format cannot hold the table.
std::vector<Drawing> make_beginnings(Table table, std::span<const Output> outputs,
                                     const Progress& progress) {
    table.rows = counted(table.rows, progress);
    std::vector<Drawing> all;
    for (const Output& output : outputs) {
        all.push_back(beginning(table, *output.format, output.parameters));
    }
    return all;
}

/// Returns the notes on all files, each note once: figures of several formats have the same notes.
std::vector<std::string> notes_of(const std::vector<Drawing>& files) {
    std::vector<std::string> notes;
    for (const Drawing& file : files) {
        for (const std::string& note : file.notes) {
            if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
        }
    }
    return notes;
}

}  // namespace

bool is_raw(const Format& format) { return format.append_rows == raw_rows; }

bool is_figure(const Format& format) {
    return format.parameters().data() == figure_parameters().data();
}

std::span<const ParameterSpec> no_parameters() { return {}; }

void raw_rows(const Table&, const Parameters&, RowRange, std::span<const std::byte> rows,
              std::string& out) {
    out.append(reinterpret_cast<const char*>(rows.data()), rows.size());
}

Drawing beginning(const Table& table, const Format& format, const Parameters& parameters) {
    if (format.draw) return format.draw(table, parameters);
    return {format.head(table, parameters), {}};
}

std::string ending(const Table& table, const Format& format, const Parameters& parameters) {
    return format.tail ? format.tail(table, parameters) : "";
}

void make_room(std::string& file, std::int64_t bytes) {
    if (to_size(bytes) > file.max_size()) throw std::bad_alloc();
    file.reserve(bytes);
}

std::function<std::string()> file_parts(Table table, const Format& format, Parameters parameters) {
    const std::int64_t tiles = takes_rows(format, table) ? tiles_of(table).count() : 0;
    // `next` is -1 for the beginning, a tile's number, or the number of tiles for the ending.
    return [=, &format, table = std::move(table), parameters = std::move(parameters),
            next = std::int64_t{-1}]() mutable {
        std::string part;
        while (part.empty() && next <= tiles) {
            if (next == -1) {
                part = beginning(table, format, parameters).file;
                ++next;
            } else if (next < tiles) {
                const std::int64_t count = std::min<std::int64_t>(2 * thread_count(), tiles - next);
                append_tiles(table, {next, count}, format, parameters, part);
                next += count;
            } else {
                part = ending(table, format, parameters);
                ++next;
            }
        }
        return part;
    };
}

std::string whole_file(const Table& table, const Format& format, const Parameters& parameters) {
    const std::function<std::string()> next_part = file_parts(table, format, parameters);
    std::string file = next_part();
    if (const auto size = file_size(table, format, parameters)) make_room(file, *size);
    for (std::string part = next_part(); !part.empty(); part = next_part()) file += part;
    return file;
}

std::optional<std::int64_t> file_size(const Table& table, const Format& format,
                                      const Parameters& parameters) {
    if (!is_raw(format)) return {};
    const auto around = static_cast<std::int64_t>(format.head(table, parameters).size() +
                                                  format.tail(table, parameters).size());
    // Neither tables nor files have more than 2^63 - 1 bytes.
    return around + std::min(total_bytes(table), std::numeric_limits<std::int64_t>::max() - around);
}

void reserve(const Table& table, std::span<Output> outputs) {
    for (Output& output : outputs) {
        const auto size = file_size(table, *output.format, output.parameters);
        if (size) output.file.reserve(*size);
    }
}

void reserve(std::span<const Table> tables, Output& archive) {
    const auto size = archive.format->archive->size(tables, archive.parameters);
    if (size) archive.file.reserve(*size);
}

std::vector<std::string> write_table(const Table& table, std::span<Output> outputs,
                                     const Progress& progress) {
    // All beginnings are made before a byte is written anywhere.
    const std::vector<Drawing> files = make_beginnings(table, outputs, progress);
    for (std::size_t i = 0; i < outputs.size(); ++i) write_text(outputs[i], files[i].file);
    if (std::any_of(outputs.begin(), outputs.end(),
                    [&](const Output& output) { return takes_rows(*output.format, table); })) {
        write_tiles(
            table, all_tiles(table), outputs,
            [&](RowRange, const Product& product) { write_product(outputs, product); }, progress);
    }
    for (Output& output : outputs) {
        write_text(output, ending(table, *output.format, output.parameters));
    }
    return notes_of(files);
}

void write_rows(const Table& table, const WriteBytes& write, const Progress& progress) {
    if (table.shape.size() == 0) return;
    take_tiles(
        table, all_tiles(table), [&](RowRange, Bytes elements) { write(elements); }, progress);
}

void take_tiles(const Table& table, TileRange tiles,
                const std::function<void(RowRange, Bytes)>& take, const Progress& progress) {
    write_tiles(
        table, tiles, {}, [&](RowRange rows, const Product& product) { take(rows, product.rows); },
        progress);
}

void write_archive(std::span<const Table> tables, Output& archive, const ProgressOf& progress) {
    const ByteSink sink{
        [&](Bytes bytes) { write_bytes(archive, bytes); },
        [&](std::int64_t offset, Bytes bytes) { archive.file.rewrite(offset, bytes); },
    };
    archive.format->archive->write(tables, archive.parameters, sink,
                                   [&](const Table& table, const WriteBytes& write) {
                                       write_rows(table, write, progress(table));
                                   });
}

void finish(std::span<Output> outputs) {
    for (Output& output : outputs) output.file.finish();
}

void commit(std::span<Output> outputs) {
    std::vector<OutputFile*> files;
    for (Output& output : outputs) files.push_back(&output.file);
    commit(files);
}

}  // namespace pegen
