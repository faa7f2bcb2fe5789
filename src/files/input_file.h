#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace pegen {

/// A file that can be read at any offset and from any thread.
class InputFile {
  public:
    /// Throws: FileError if it cannot be opened or is not a regular file.
    explicit InputFile(std::string_view path);

    /// Opens a regular file, a pipe, a FIFO, or standard input if `path` is "-". Pipes are copied,
    /// only as far as they are read, to an unnamed file in TMPDIR, or else /var/tmp or /tmp; at
    /// most 64 GiB.
    /// Throws: FileError if it cannot be opened or is a folder or a device.
    static std::shared_ptr<const InputFile> regular_or_pipe(std::string_view path);

    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    const std::string& path() const { return path_; }
    std::int64_t size() const;  ///< when it was opened; waits for a pipe to end

    /// True if there are at least `bytes` bytes. Reads a pipe only until it has given that many.
    /// Throws: FileError.
    bool holds(std::int64_t bytes) const;

    /// Fills `out` with the bytes from `offset` on.
    /// Throws: FileError, also if the file ends too early.
    void read(std::int64_t offset, std::span<std::byte> out) const;

  private:
    enum class Kinds { regular, regular_or_pipe };
    InputFile(std::string_view path, Kinds kinds);
    void copy_pipe(std::int64_t end) const;

    std::string path_;
    int descriptor_ = -1;
    int pipe_ = -1;               ///< is copied to descriptor_; -1 if there is none
    mutable std::mutex copying_;  ///< guards the members below
    mutable std::int64_t size_ = 0;
    mutable bool is_whole_ = true;  ///< false until the pipe has ended
};

}  // namespace pegen
