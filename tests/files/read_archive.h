#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/error.h"
#include "files/archive.h"

namespace pegen::testing {

/// Returns the content of a file in tests/files.
inline std::string bytes_of(const std::string& name) {
    std::ifstream file(std::string(PEGEN_SOURCE_DIR "/tests/files/") + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Opens the bytes as a file that is called "a".
inline Archive archive_of(const std::string& bytes) {
    return open_archive(InputFile::in_memory("a", bytes));
}

inline std::vector<double> values_of(const ArchiveMember& member) {
    const Table table = member.open().table;
    return read_rows(table, {0, table.shape.rows()});
}

/// Returns why the file, or one of its arrays, is refused; "" if it is read.
inline std::string refusal(const std::string& bytes) {
    try {
        for (const ArchiveMember& member : archive_of(bytes).members) values_of(member);
        return "";
    } catch (const FormatError& error) {
        return error.what();
    }
}

}  // namespace pegen::testing
