#include "files/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/signals.h"
#include "files/open_file.h"
#include "files/system.h"

namespace pegen {
namespace {

/// The largest copy of a pipe. Longer input is more likely a mistake than a table, and other people
/// use the disk too.
constexpr std::int64_t longest_copy = std::int64_t{1} << 36;

/// Creates a file without a name; `path` names what it will hold in messages.
/// Throws: FileError.
Descriptor open_unnamed(const std::string& path) {
    const char* chosen = std::getenv("TMPDIR");
    int error_number = ENOENT;
    for (const char* folder : {chosen, "/var/tmp", "/tmp"}) {
        if (folder == nullptr || *folder == '\0') continue;
        const Descriptor place(::open(folder, as_place | O_CLOEXEC));
        if (Descriptor unnamed = create_unnamed(place); unnamed.is_open()) return unnamed;
        const PostponedSignals held;  // no signal may end the program while the file has a name
        std::string name = std::string(folder) + "/.pe-gen-XXXXXX";
        const int named = ::mkostemp(name.data(), O_CLOEXEC);
        if (named >= 0) {
            ::unlink(name.c_str());
            return Descriptor(named);
        }
        error_number = errno;
    }
    throw FileError(path, "cannot make a temporary file for its content", error_number);
}

void write_all(int descriptor, std::span<const std::byte> bytes, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            throw FileError(path, "cannot keep its content in a temporary file",
                            count < 0 ? errno : EIO);
        }
        bytes = bytes.subspan(count);
    }
}

InputFile::Next bytes_of_pipe(Descriptor descriptor, const std::string& path) {
    return [pipe = std::make_shared<const Descriptor>(std::move(descriptor)),
            path](std::span<std::byte> out) {
        for (;;) {
            const ssize_t count = ::read(pipe->number(), out.data(), out.size());
            if (count >= 0) return count;
            if (errno != EINTR) throw FileError(path, "cannot read", errno);
        }
    };
}

/// Returns the error of a file that is not there, which asks for a file of nearly this name.
FileError missing(const std::string& path) {
    constexpr std::size_t most_names = 1000;
    const std::filesystem::path whole(path);
    const std::filesystem::path folder = whole.has_parent_path() ? whole.parent_path() : ".";
    std::error_code error;  // a folder that cannot be listed has no names to ask for
    std::vector<std::string> paths;
    std::filesystem::directory_iterator entry(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator() && paths.size() < most_names;
         entry.increment(error)) {
        const std::filesystem::path name = entry->path().filename();
        paths.push_back((whole.has_parent_path() ? folder / name : name).string());
    }
    std::ranges::sort(paths);
    std::string text = did_you_mean(path, {paths.begin(), paths.end()});
    const bool may_be_repository =
        !std::filesystem::exists(folder, error) && std::ranges::count(path, '/') == 1;
    if (may_be_repository) text = "; nothing is downloaded: name a file or folder";
    return {path, fmt::format("cannot open: No such file or directory{}", text)};
}

}  // namespace

InputFile::InputFile(std::string_view path) : InputFile(path, Kinds::regular) {}

std::shared_ptr<const InputFile> InputFile::regular_or_pipe(std::string_view path) {
    return std::shared_ptr<const InputFile>(new InputFile(path, Kinds::regular_or_pipe));
}

std::shared_ptr<const InputFile> InputFile::of_system(std::string_view path) {
    return std::shared_ptr<const InputFile>(new InputFile(path, Kinds::regular_of_system));
}

std::shared_ptr<const InputFile> InputFile::sequence(std::string path, std::int64_t size,
                                                     Next next) {
    const std::shared_ptr<InputFile> file(new InputFile());
    file->path_ = std::move(path);
    file->file_ = open_unnamed(file->path_);
    file->next_ = std::move(next);
    file->known_size_ = size;
    file->is_whole_ = false;
    return file;
}

std::shared_ptr<const InputFile> InputFile::in_memory(std::string path, std::string_view bytes) {
    const std::shared_ptr<InputFile> file(new InputFile());
    file->path_ = std::move(path);
    file->file_ = file_in_memory(bytes);
    file->size_ = std::ssize(bytes);
    return file;
}

std::shared_ptr<const InputFile> InputFile::part(std::shared_ptr<const InputFile> whole,
                                                 std::string path, std::int64_t offset,
                                                 std::int64_t size) {
    const std::shared_ptr<InputFile> file(new InputFile());
    file->path_ = std::move(path);
    file->whole_ = std::move(whole);
    file->offset_ = offset;
    file->known_size_ = size;
    return file;
}

InputFile::InputFile(std::string_view path, Kinds kinds) : path_(path) {
    // A program that follows the instructions of a stranger does not wait for the stranger's pipe.
    const bool takes_pipes = kinds == Kinds::regular_or_pipe && !stays_beneath();
    if (takes_pipes && path_ == "-") {
        path_ = "standard input";
        file_ = Descriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
    } else {
        // O_NONBLOCK: opening a FIFO, which is refused below, must not wait for a writer.
        const int flags = O_RDONLY | O_NOCTTY | (takes_pipes ? 0 : O_NONBLOCK);
        file_ = kinds == Kinds::regular_of_system
                    ? Descriptor(::open(path_.c_str(), flags | O_CLOEXEC))
                    : open_file(path_, flags);
    }
    if (!file_.is_open() && errno == ENOENT) throw missing(path_);
    if (!file_.is_open()) throw FileError(path_, "cannot open", errno);
    struct stat status {};
    if (::fstat(file_.number(), &status) < 0) throw FileError(path_, "cannot read", errno);
    if (S_ISDIR(status.st_mode)) throw FileError(path_, "cannot read", EISDIR);
    const bool is_pipe = S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode);
    if (S_ISREG(status.st_mode)) {
        size_ = status.st_size;
    } else if (is_pipe && takes_pipes) {
        next_ = bytes_of_pipe(std::move(file_), path_);
        is_whole_ = false;
        file_ = open_unnamed(path_);
    } else {
        throw FileError(path_, "cannot read: not a regular file; save it to one first");
    }
}

std::int64_t InputFile::size() const {
    if (known_size_) return *known_size_;
    const std::lock_guard lock(copying_);
    copy(longest_copy);
    return size_;
}

bool InputFile::holds(std::int64_t bytes) const {
    if (known_size_) return *known_size_ >= bytes;
    const std::lock_guard lock(copying_);
    copy(bytes);
    return size_ >= bytes;
}

/// Copies the bytes of `next_` until there are `end` bytes or `next_` has ended.
/// Throws: FileError; what `next_` throws.
void InputFile::copy(std::int64_t end) const {
    std::vector<std::byte> some;
    while (!is_whole_ && size_ < end) {
        some.resize(std::size_t{1} << 16);
        const std::size_t count = next_(some);
        is_whole_ = count == 0;
        if (size_ + static_cast<std::int64_t>(count) > longest_copy) {
            throw FileError(path_,
                            "more than 64 GiB to be read in sequence; save it to a file first");
        }
        write_all(file_.number(), std::span(some).first(count), path_);
        size_ += static_cast<std::int64_t>(count);
    }
}

void InputFile::read(std::int64_t offset, std::span<std::byte> out) const {
    if (whole_) {
        // What follows the part in the file is not the part's.
        if (offset < 0 || offset > size() - std::ssize(out)) {
            throw FileError(path_, "cannot read: it ends too early");
        }
        return whole_->read(offset_ + offset, out);
    }
    if (next_) {
        const std::lock_guard lock(copying_);
        copy(offset + static_cast<std::int64_t>(out.size()));
    }
    while (!out.empty()) {
        const ssize_t count = ::pread(file_.number(), out.data(), out.size(), offset);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw FileError(path_, "cannot read", errno);
        if (count == 0) throw FileError(path_, "cannot read: it became shorter while it was read");
        offset += count;
        out = out.subspan(count);
    }
}

void InputFile::read_pieces(
    std::int64_t begin, std::int64_t end,
    const std::function<bool(std::span<const std::byte> piece)>& take) const {
    constexpr std::int64_t at_once = 1 << 16;
    std::vector<std::byte> piece;
    for (std::int64_t offset = begin; offset < end; offset += at_once) {
        piece.resize(std::min(at_once, end - offset));
        read(offset, piece);
        if (!take(piece)) return;
    }
}

std::string start_of(const InputFile& file, std::int64_t most_bytes) {
    std::string start(file.holds(most_bytes) ? most_bytes : file.size(), '\0');
    file.read(0, std::as_writable_bytes(std::span(start)));
    return start;
}

std::string whole_text(const InputFile& file, std::int64_t most_bytes) {
    if (file.holds(most_bytes + 1)) {
        throw FormatError(file.path(), fmt::format("has more than {} bytes", most_bytes));
    }
    return start_of(file, most_bytes);
}

std::string_view without_mark(std::string_view text) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

std::string read_whole(std::string_view path, std::int64_t most_bytes) {
    return whole_text(*InputFile::regular_or_pipe(path), most_bytes);
}

}  // namespace pegen
