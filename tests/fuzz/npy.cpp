// Any bytes as an NPY file: refused as malformed, or a table whose rows are the same however they
// are read.

#include "files/npy.h"

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "fuzz_target.h"
#include "memory_file.h"

namespace {

using namespace pegen;
using pegen::fuzz::require;

std::vector<std::byte> rows_of(const Table& table, RowRange range) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(range.count * row_bytes(table)));
    table.rows(range, bytes);
    return bytes;
}

void check_rows(const Table& table) {
    constexpr std::int64_t most = 512;
    const std::int64_t count = std::min(table.shape.rows(), most);
    const std::vector<std::byte> together = rows_of(table, {0, count});
    for (std::int64_t row = 0; row < count; ++row) {
        const std::vector<std::byte> alone = rows_of(table, {row, 1});
        require(std::equal(alone.begin(), alone.end(), together.begin() + row * row_bytes(table)));
    }
    if (table.dtype != DType::boolean) return;
    require(
        std::ranges::all_of(together, [](std::byte element) { return element <= std::byte{1}; }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::as_text(bytes, size));
    try {
        const Table table = read_npy(file.path());
        require(total_bytes(table) < static_cast<std::int64_t>(size));
        require(std::ssize(table.axes) == table.shape.rank());
        check_rows(table);
    } catch (const FormatError&) {
    }
    return 0;
}
