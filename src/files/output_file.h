#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pegen {

class TemporaryName;

/// A file that comes into being as a whole or not at all.
///
/// What is written goes to an unnamed (else: temporary) file in the target's folder; commit puts it
/// in the target's place. Destroyed before that, it leaves nothing behind and the old content
/// stands. A symbolic link is followed, even to a file not there yet; the mode of an existing file
/// is kept, its owner too where we may; other hard links to it keep the old content.
/// "-" and "/dev/stdout" are standard output; it, devices and FIFOs are written straight.
class OutputFile {
  public:
    /// Throws: FileError if the folder is missing or not writable, or the target is a folder or a
    /// write-protected file.
    explicit OutputFile(std::string_view path);
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile();

    /// Says how large the file will be, before the first write: a disk that is too full and a limit
    /// that is too low are known at once, and the file is laid out in one piece where the file
    /// system can do that. A file of another size is no error. Throws: FileError.
    void reserve(std::int64_t bytes);

    /// Throws: FileError on any failure, such as a full disk or a closed pipe.
    void write(std::span<const std::byte> bytes);
    void write(std::string_view bytes);

    /// All bytes are on disk after this. Throws: FileError.
    void finish();

    const std::string& path() const { return path_; }

    friend void commit(std::span<OutputFile* const> files);

  private:
    enum class Old { kept, dropped };  ///< content of the target

    void start_flushing(std::size_t written);
    int link_to(const char* name) const;
    void take_temporary_name();
    void prepare();
    void take_place(Old old);
    void exchange_in_steps();
    void put_back();

    std::string path_;    ///< as the user gave it
    std::string target_;  ///< behind symbolic links; "" if written straight
    std::unique_ptr<TemporaryName>
        temporary_;  ///< of this file; once that is in place, of the old one
    int descriptor_ = -1;
    int old_ = -1;  ///< of the old content, locked, once a temporary name is its
    std::int64_t written_ = 0;
    std::int64_t flushed_ = 0;  ///< on their way to the disk
};

/// Puts all of them in their places, or none. Once, after finish() of each. A signal that ends the
/// program meanwhile does so when nothing has happened, or everything.
/// Throws: FileError; then the old contents stand.
void commit(std::span<OutputFile* const> files);

/// Whether both paths name one file, or both are standard output.
bool same_file(std::string_view a, std::string_view b);

}  // namespace pegen
