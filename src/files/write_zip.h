#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "files/byte_sink.h"

namespace pegen {

/// A file to write into a ZIP archive.
struct ZipEntry {
    std::string name;  ///< UTF-8, at most 65535 bytes
    std::int64_t bytes;
};

enum class ZipMethod { stored, deflated };

/// Returns the size of the archive that write_zip() makes of stored entries; at most 2^63 - 1.
std::int64_t zip_size(std::span<const ZipEntry> entries);

/// Writes a ZIP archive, PKWARE's APPNOTE 6.3, as numpy.savez or numpy.savez_compressed does: the
/// entries are stored as they are, or deflated by zlib at its usual level, and dated 1980-01-01,
/// and zip64 is used from 4 GiB on. `write_entry` must write all bytes of the i-th entry. Throws:
/// what `sink` and `write_entry` throw; std::bad_alloc.
void write_zip(const ByteSink& sink, std::span<const ZipEntry> entries,
               const std::function<void(std::size_t i, const WriteBytes& write)>& write_entry,
               ZipMethod method = ZipMethod::stored);

}  // namespace pegen
