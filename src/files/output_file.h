#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/error.h"
#include "files/open_file.h"

namespace pegen {

class ChangedFolders;
class TemporaryName;

/// The failure to write to standard output because its reader has gone.
class ReaderGone : public FileError {
  public:
    using FileError::FileError;
};

/// The fate of a file that exists where an output will appear.
enum class Existing { replaced, kept };

/// The files that must be on the disk before they take their places.
enum class Sync {
    replacing,  ///< files that replace another, so that a power cut loses neither content
    all,
    none,
};

/// The way in which a file takes its place.
struct Placing {
    Existing existing = Existing::replaced;
    Sync sync = Sync::replacing;
    bool has_name = false;  ///< has a hidden name beforehand, for other machines to open

    bool operator==(const Placing&) const = default;
};

/// A file that is created as a whole or not at all.
///
/// The bytes go to an unnamed file (or else a temporary one) in the target's folder; commit puts it
/// in the target's place. An OutputFile that is destroyed before that leaves nothing behind, and
/// the old content stays. A symbolic link is followed, even to a file that does not exist yet. The
/// mode of an existing file is kept, its owner too if we are allowed to set it; other hard links to
/// that file keep the old content. "-" and "/dev/stdout" are standard output. Standard output,
/// other files that are open already (/dev/fd/3), devices and FIFOs are written directly.
class OutputFile {
  public:
    /// Throws: FileError if the folder is missing or not writable, or the target is a folder or a
    /// write-protected file.
    explicit OutputFile(std::string_view path, Placing placing = {});
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();

    /// Announces the size of a file before the first write: if it is a large one, a full disk or a
    /// limit that is too low is reported at once, and the file is laid out in one piece if the file
    /// system can do that. Writing another size is not an error.
    /// Throws: FileError.
    void reserve(std::int64_t bytes);

    /// Writes the next bytes. Throws: FileError on any failure, such as a full disk; ReaderGone if
    /// standard output is a pipe that nobody reads any more.
    void write(std::span<const std::byte> bytes);
    void write(std::string_view bytes);

    /// Replaces bytes that have been written. Precondition: the target is a regular file.
    /// Throws: FileError.
    void rewrite(std::int64_t offset, std::span<const std::byte> bytes);

    /// Waits until all bytes are on the disk, if is_waited_for().
    /// Throws: FileError.
    void finish();

    /// True if finish() waits for the disk.
    bool is_waited_for() const;

    const std::string& path() const { return path_; }

    /// Returns a path at which other processes can open the file before it takes its place:
    /// processes of this machine and, if the file has a name, of other machines that have its
    /// folder at the same path. Returns "" if the file is written directly.
    std::string path_for_others() const;

    friend void write_back(std::span<OutputFile* const> files);
    friend void commit(std::span<OutputFile* const> files, ChangedFolders& folders);

  private:
    enum class Old { kept, dropped };  ///< the fate of the target's content

    void start_flushing(std::size_t written);
    int wait_for_disk();
    bool is_written_directly() const { return !folder_.is_open(); }
    bool target_exists() const;
    std::string shown_name(const std::string& name) const;
    int take_temporary_name();
    int appear();
    int replace(Old old);
    int exchange();
    int exchange_in_steps();
    int restore();
    int withdraw() const;
    void prepare();
    void take_place(Old old);
    void put_back();

    std::string path_;  ///< as the user gave it
    Placing placing_;
    bool replaces_ = false;            ///< true once the file takes the place of another
    std::optional<int> disk_failure_;  ///< of waiting for the disk: 0, or errno
    bool is_standard_output_ = false;
    std::string shown_folder_;
    Descriptor folder_;  ///< the target's folder, with links resolved; not open if written directly
    std::string name_;   ///< the name of the target in its folder
    Descriptor file_;
    std::unique_ptr<TemporaryName>
        temporary_;  ///< the name of this file, or of the old one after an exchange
    std::int64_t written_ = 0;
    std::int64_t flushed_ = 0;  ///< bytes the disk has been asked to write
};

/// Waits for the disk for all files that are waited for, at the same time, which takes a fraction
/// of the time. finish() of each file reports what has failed.
void write_back(std::span<OutputFile* const> files);

/// Puts all files in their places, or none. Must be called once, after finish() of each. A signal
/// that ends the program meanwhile waits until either nothing or everything has happened.
/// Throws: FileError; the old contents then stay.
void commit(std::span<OutputFile* const> files);

/// Commits the files as above, but only adds the folders of files that are waited for to `folders`,
/// which the caller flushes.
void commit(std::span<OutputFile* const> files, ChangedFolders& folders);

}  // namespace pegen
