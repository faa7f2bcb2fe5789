#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "files/byte_sink.h"

namespace pegen::mpi {

/// A file that all ranks write through MPI-IO, each in places of its own. Each rank opens it by
/// itself, so that no rank waits for one that failed.
class SharedFile {
  public:
    /// `path` is where the file is now, `shown` what messages call it. Throws: FileError.
    SharedFile(const std::string& path, std::string shown);
    SharedFile(SharedFile&& other) noexcept;
    SharedFile& operator=(SharedFile&&) = delete;
    ~SharedFile();

    /// Any number of threads may call it, one at a time. Throws: FileError.
    void write(std::int64_t offset, Bytes bytes);

    /// Ends the writing and, if `waits` is true, waits until it is on the disk. Throws: FileError.
    void finish(bool waits);

  private:
    struct State;
    std::string shown_;
    std::unique_ptr<State> state_;
};

}  // namespace pegen::mpi
