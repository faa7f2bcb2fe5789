#include "formats/npy.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "files/npy.h"
#include "files/write_zip.h"

namespace pegen {
namespace {

std::string head(const Table& table, const Parameters&) {
    return npy_header(table.dtype, table.shape);
}

std::string tail(const Table&, const Parameters&) { return ""; }

}  // namespace

constinit const Format formats::npy{
    .name = "npy",
    .summary = "NumPy array file, byte for byte as numpy.save writes it",
    .extensions = "npy",
    .is_binary = true,
    .parameters = no_parameters,
    .options_title = "",
    .head = head,
    .append_rows = raw_rows,
    .tail = tail,
};

namespace {

/// Returns the size of the table's NPY file; 2^63 - 1 if it would be larger.
std::int64_t npy_size(const Table& table) {
    const std::int64_t header = std::ssize(npy_header(table.dtype, table.shape));
    std::int64_t size = 0;
    const bool overflows = __builtin_add_overflow(header, total_bytes(table), &size);
    return overflows ? std::numeric_limits<std::int64_t>::max() : size;
}

std::vector<ZipEntry> entries_of(std::span<const Table> tables) {
    constexpr std::size_t longest_name = 0xffff;
    std::vector<ZipEntry> entries;
    for (const Table& table : tables) {
        const std::string name = table.name + ".npy";
        if (name.size() > longest_name) {
            throw UsageError(fmt::format("npz: a name of {} bytes: must have at most {}",
                                         table.name.size(), longest_name - 4));
        }
        entries.push_back({name, npy_size(table)});
    }
    return entries;
}

constexpr std::array options{
    ParameterSpec{.name = "compress",
                  .type = ParameterType::flag,
                  .summary = "deflate the tables, as numpy.savez_compressed does"},
};

std::optional<std::int64_t> size(std::span<const Table> tables, const Parameters& parameters) {
    const std::vector<ZipEntry> entries = entries_of(tables);
    if (parameters.flag("compress")) return {};
    return zip_size(entries);
}

void write(std::span<const Table> tables, const Parameters& parameters, const ByteSink& sink,
           const WriteRows& write_rows) {
    const ZipMethod method = parameters.flag("compress") ? ZipMethod::deflated : ZipMethod::stored;
    const auto write_entry = [&](std::size_t i, const WriteBytes& write_bytes) {
        const std::string header = npy_header(tables[i].dtype, tables[i].shape);
        write_bytes(std::as_bytes(std::span(header)));
        write_rows(tables[i], write_bytes);
    };
    write_zip(sink, entries_of(tables), write_entry, method);
}

constexpr ArchiveFormat archive{.is_rewritten = true, .size = size, .write = write};

}  // namespace

constinit const Format formats::npz{
    .name = "npz",
    .summary = "all tables in one NumPy archive, as numpy.savez writes it",
    .extensions = "npz",
    .is_binary = true,
    .parameters = [] { return std::span<const ParameterSpec>(options); },
    .options_title = "NPZ options",
    .archive = &archive,
};

}  // namespace pegen
