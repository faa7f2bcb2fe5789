#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

namespace pegen {

/// A file to read from, at any offset and from any thread.
class InputFile {
  public:
    /// Throws: FileError if it cannot be opened or is not a regular file.
    explicit InputFile(std::string_view path);

    /// Also pipes, FIFOs and "-", which is standard input. They are copied, as far as they are
    /// asked for, to a file without a name in TMPDIR, or else /var/tmp or /tmp; at most 64 GiB.
    /// Throws: FileError if it cannot be opened or is a folder or a device.
    static std::shared_ptr<const InputFile> regular_or_pipe(std::string_view path);

    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    const std::string& path() const { return path_; }
    std::int64_t size() const;  ///< when it was opened; of a pipe, once it has ended

    /// Whether there are as many bytes. Reads no more of a pipe than these. Throws: FileError.
    bool holds(std::int64_t bytes) const;

    /// Fills `out` from `offset` on. Throws: FileError, also if the file ends before.
    void read(std::int64_t offset, std::span<std::byte> out) const;

  private:
    enum class Kinds { regular, regular_or_pipe };
    InputFile(std::string_view path, Kinds kinds);
    void copy_pipe(std::int64_t end) const;

    std::string path_;
    int descriptor_ = -1;
    int pipe_ = -1;               ///< what descriptor_ is filled from
    mutable std::mutex copying_;  ///< of what follows
    mutable std::int64_t size_ = 0;
    mutable bool is_whole_ = true;  ///< nothing more comes from the pipe
};

}  // namespace pegen
