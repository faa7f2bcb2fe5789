#include "formats/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "files/json_text.h"
#include "formats/metadata.h"

namespace pegen {
namespace {

constexpr std::size_t alignment = 8;
constexpr const char* metadata = "__metadata__";

/// Returns the tables in the order of the file: tables of wider elements first.
std::vector<Table> in_order_of_file(std::span<const Table> tables) {
    std::vector<Table> sorted(tables.begin(), tables.end());
    std::ranges::stable_sort(sorted, std::ranges::greater(),
                             [](const Table& table) { return info(table.dtype).size; });
    return sorted;
}

/// Returns a + b, or 2^63 - 1 if the sum is larger.
std::int64_t sum_of(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

/// Returns the bytes before the elements.
std::string head(std::span<const Table> tables) {
    Json json = Json::object();
    const std::string provenance = archive_provenance(tables);
    if (!provenance.empty()) json[metadata] = {{"pe-gen", provenance}};
    std::int64_t end = 0;
    for (const Table& table : in_order_of_file(tables)) {
        if (table.name == metadata) {
            throw UsageError(fmt::format("safetensors: no table can have the name {}", metadata));
        }
        const std::int64_t begin = end;
        end = sum_of(begin, total_bytes(table));
        // Names differ; looking for each among all others would take the square of their number.
        json.add(table.name, {{"dtype", info(table.dtype).safetensors},
                              {"shape", table.shape.extents()},
                              {"data_offsets", {begin, end}}});
    }
    std::string text = utf8_json_line(json);
    text.append((alignment - text.size() % alignment) % alignment, ' ');
    std::string length;
    const std::uint64_t size = text.size();
    for (std::size_t i = 0; i < 8; ++i) length += static_cast<char>(size >> 8 * i & 0xff);
    return length + text;
}

std::optional<std::int64_t> size(std::span<const Table> tables, const Parameters&) {
    std::int64_t sum = std::ssize(head(tables));
    for (const Table& table : tables) sum = sum_of(sum, total_bytes(table));
    return sum;
}

void write(std::span<const Table> tables, const Parameters&, const ByteSink& sink,
           const WriteRows& write_rows) {
    const std::string header = head(tables);
    sink.write(std::as_bytes(std::span(header)));
    for (const Table& table : in_order_of_file(tables)) write_rows(table, sink.write);
}

constexpr ArchiveFormat archive{.is_rewritten = false, .size = size, .write = write};

}  // namespace

constinit const Format formats::safetensors{
    .name = "safetensors",
    .summary = "all tables in one safetensors file, for PyTorch and others",
    .extensions = "safetensors",
    .is_binary = true,
    .parameters = no_parameters,
    .options_title = "",
    .archive = &archive,
};

}  // namespace pegen
