#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "files/open_file.h"

namespace pegen {

/// A file that can be read at any offset and from any thread.
class InputFile {
  public:
    /// Opens a regular file. Throws: FileError if it cannot be opened or is not a regular file.
    explicit InputFile(std::string_view path);

    /// Opens a regular file, a pipe, a FIFO, or standard input if `path` is "-". Pipes are copied,
    /// only as far as they are read, to an unnamed file in TMPDIR, or else /var/tmp or /tmp; at
    /// most 64 GiB.
    /// Throws: FileError if it cannot be opened or is a folder or a device.
    static std::shared_ptr<const InputFile> regular_or_pipe(std::string_view path);

    /// Opens a regular file that the system has named rather than a stranger, such as a font that
    /// is installed, also where open_file() would not open it. Throws: FileError if it cannot be
    /// opened or is not a regular file.
    static std::shared_ptr<const InputFile> of_system(std::string_view path);

    /// A function that fills the start of a buffer with the next bytes and returns their number; 0
    /// at the end.
    using Next = std::function<std::size_t(std::span<std::byte>)>;

    /// Returns a file of the `size` bytes that `next` gives, which are copied to an unnamed file as
    /// the bytes of a pipe are. `path` is for messages.
    /// Throws: FileError; read() throws what `next` throws.
    static std::shared_ptr<const InputFile> sequence(std::string path, std::int64_t size,
                                                     Next next);

    /// Returns a file in memory with this content. `path` is for messages. Throws: FileError.
    static std::shared_ptr<const InputFile> in_memory(std::string path, std::string_view bytes);

    /// Returns a part of another file as a file of its own. `path` is for messages.
    static std::shared_ptr<const InputFile> part(std::shared_ptr<const InputFile> whole,
                                                 std::string path, std::int64_t offset,
                                                 std::int64_t size);

    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    const std::string& path() const { return path_; }
    std::int64_t size() const;  ///< when the file was opened; waits for a pipe to end

    /// True if the file has at least `bytes` bytes. Reads a pipe only until it has given that many.
    /// Throws: FileError.
    bool holds(std::int64_t bytes) const;

    /// Fills `out` with the bytes from `offset` on.
    /// Throws: FileError, also if the file ends too early.
    void read(std::int64_t offset, std::span<std::byte> out) const;

    /// Calls `take` with the bytes from `begin` to `end` in order, some at a time, until it returns
    /// false. Throws: FileError, also if the file ends too early; what `take` throws.
    void read_pieces(std::int64_t begin, std::int64_t end,
                     const std::function<bool(std::span<const std::byte> piece)>& take) const;

  private:
    enum class Kinds { regular, regular_or_pipe, regular_of_system };
    InputFile(std::string_view path, Kinds kinds);
    InputFile() = default;
    void copy(std::int64_t end) const;

    std::string path_;
    Descriptor file_;                         ///< not open for a part
    std::shared_ptr<const InputFile> whole_;  ///< the file that a part belongs to
    std::int64_t offset_ = 0;                 ///< where a part begins in whole_
    Next next_;                               ///< is copied to file_; null if there is none
    std::optional<std::int64_t> known_size_;  ///< the size of a part or a sequence
    mutable std::mutex copying_;              ///< guards the members below
    mutable std::int64_t size_ = 0;           ///< the size of the file, or of what has been copied
    mutable bool is_whole_ = true;            ///< false until `next_` has ended
};

class InputFile;

/// Returns the first bytes of an open file: `most_bytes`, or all if it has fewer. Throws:
/// FileError.
std::string start_of(const InputFile& file, std::int64_t most_bytes);

/// Reads all bytes of an open file; a pipe is read to its end. Throws: FileError; FormatError if it
/// has more than `most_bytes`.
std::string whole_text(const InputFile& file, std::int64_t most_bytes);

/// Returns a text of UTF-8 without the byte order mark that editors of Windows put before it.
std::string_view without_mark(std::string_view text);

/// Reads all bytes of a file, or of standard input if `path` is "-". Throws: as whole_text().
std::string read_whole(std::string_view path, std::int64_t most_bytes);

}  // namespace pegen
