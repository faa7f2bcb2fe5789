#pragma once

#include <cstddef>
#include <cstdint>

#include "files/input_file.h"

namespace pegen {

/// A copy of a file in memory, read-only and surrounded by zeros, for a reader that trusts the
/// 32-bit offsets it finds in the file: every such offset, and 16 MiB beyond either end, can be
/// read. The zeros take up 4 GiB of addresses but no memory.
class FencedBytes {
  public:
    /// Reads the file. Throws: FileError if it cannot be read or is larger than `most_bytes`.
    FencedBytes(const InputFile& file, std::int64_t most_bytes);
    FencedBytes(const FencedBytes&) = delete;
    FencedBytes& operator=(const FencedBytes&) = delete;
    ~FencedBytes();

    const unsigned char* begin() const { return begin_; }
    std::int64_t size() const { return size_; }

  private:
    void* fence_;
    const unsigned char* begin_;
    std::int64_t size_;
};

}  // namespace pegen
