#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pegen {

/// A regular file to read from, at any offset and from any thread.
class InputFile {
  public:
    /// Throws: FileError if it cannot be opened or is not a regular file.
    explicit InputFile(std::string_view path);
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    const std::string& path() const { return path_; }
    std::int64_t size() const { return size_; }  ///< when it was opened

    /// Fills `out` from `offset` on. Throws: FileError, also if the file ends before.
    void read(std::int64_t offset, std::span<std::byte> out) const;

  private:
    std::string path_;
    int descriptor_ = -1;
    std::int64_t size_ = 0;
};

}  // namespace pegen
