// Any bytes as an NPY file: refused as malformed, or a table whose rows are the same however they
// are read.

#include "files/npy.h"

#include "core/error.h"
#include "fuzz_target.h"
#include "memory_file.h"
#include "row_law.h"

using namespace pegen;
using pegen::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::as_text(bytes, size));
    try {
        const Table table = read_npy(file.path());
        require(total_bytes(table) < static_cast<std::int64_t>(size));
        require(std::ssize(table.axes) == table.shape.rank());
        fuzz::check_rows(table);
    } catch (const FormatError&) {
    }
    return 0;
}
