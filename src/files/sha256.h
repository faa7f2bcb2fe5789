#pragma once

#include <nettle/sha2.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "files/input_file.h"

namespace pegen {

/// The SHA-256 of bytes that come piece by piece.
class Sha256 {
  public:
    Sha256() { sha256_init(&state_); }

    void add(std::span<const std::byte> bytes);

    /// The number of bytes so far.
    std::int64_t size() const { return size_; }

    /// Returns the digest as 32 bytes.
    std::string bytes() const;

    /// Returns the digest as 64 hexadecimal digits.
    std::string hex() const;

  private:
    sha256_ctx state_;
    std::int64_t size_ = 0;
};

/// Returns the SHA-256 of the whole file. Throws: FileError.
Sha256 sha256_of(const InputFile& file);

}  // namespace pegen
