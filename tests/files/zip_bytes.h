#pragma once

#include <string>
#include <utility>
#include <vector>

#include "files/write_zip.h"

namespace pegen::testing {

/// Returns a ZIP archive of these names and contents.
inline std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files) {
    std::vector<ZipEntry> entries;
    for (const auto& [name, content] : files) entries.push_back({name, std::ssize(content)});
    std::string archive;
    const auto text = [](Bytes bytes) {
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    const ByteSink sink{[&](Bytes bytes) { archive += text(bytes); },
                        [&](std::int64_t offset, Bytes bytes) {
                            archive.replace(static_cast<std::size_t>(offset), bytes.size(),
                                            text(bytes));
                        }};
    write_zip(sink, entries, [&](std::size_t i, const WriteBytes& write) {
        write(std::as_bytes(std::span(files[i].second)));
    });
    return archive;
}

}  // namespace pegen::testing
