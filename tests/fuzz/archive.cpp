// Any bytes as a file of several arrays: refused as malformed, or read as arrays with different
// names, whose rows are the same however they are read.

#include "files/archive.h"

#include <memory>
#include <set>

#include "core/error.h"
#include "files/array_file.h"
#include "fuzz_target.h"
#include "memory_file.h"
#include "row_law.h"

using namespace pegen;
using pegen::fuzz::require;

namespace {

/// Reads an array unless it is large: inflated data may be a thousand times as large as the file.
void check_table(const Table& table) {
    constexpr std::int64_t most_bytes = 1 << 20;
    require(std::ssize(table.axes) == table.shape.rank());
    if (total_bytes(table) <= most_bytes) fuzz::check_rows(table);
}

void check_member(const ArchiveMember& member) {
    try {
        check_table(member.open().table);
    } catch (const FormatError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const fuzz::MemoryFile file(fuzz::as_text(bytes, size));
    try {
        const Archive archive = open_archive(std::make_shared<const InputFile>(file.path()));
        std::set<std::string> names;
        for (const ArchiveMember& member : archive.members) {
            require(names.insert(member.name).second);
            check_member(member);
        }
        if (archive.format.empty()) check_table(array_in(archive).table);
    } catch (const FormatError&) {
    }
    return 0;
}
