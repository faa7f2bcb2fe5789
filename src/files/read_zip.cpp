#include "files/read_zip.h"

#include <fmt/format.h>
#include <minizip/unzip.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

#include "core/error.h"
#include "core/to_size.h"

namespace pegen {
namespace {

constexpr std::int64_t most_members = 1 << 20;
constexpr std::int64_t fixed_part_of_header = 30;
constexpr uLong is_encrypted = 1;
constexpr uLong stored = 0;
constexpr uLong deflated = 8;

/// The file that minizip reads, most of it byte by byte: so a window of it is kept.
struct Stream {
    explicit Stream(const InputFile& of) : file(of) {}

    void read(std::span<std::byte> out) {
        constexpr std::int64_t widest = 4096;
        const std::int64_t size = std::ssize(out), rest = file.size() - place;
        if (size > rest)
            throw FormatError(file.path(), file.size(), "the ZIP archive ends too early");
        if (size >= widest) {
            file.read(place, out);
        } else {
            if (place < start || place + size > start + std::ssize(window)) {
                window.resize(to_size(std::min(widest, rest)));
                file.read(place, window);
                start = place;
            }
            std::memcpy(out.data(), window.data() + (place - start), out.size());
        }
        place += size;
    }

    const InputFile& file;
    std::vector<std::byte> window{};
    std::int64_t start = 0;  ///< of the window
    std::int64_t place = 0;  ///< not negative
    std::exception_ptr failure = nullptr;
};

// What minizip calls. No exception may pass through it.

void* open_stream(void* stream, const void*, int) { return stream; }

uLong read_stream(void*, void* opened, void* out, uLong size) {
    Stream& stream = *static_cast<Stream*>(opened);
    if (stream.failure) return 0;
    try {
        stream.read({static_cast<std::byte*>(out), size});
        return size;
    } catch (...) {
        stream.failure = std::current_exception();
        return 0;
    }
}

ZPOS64_T place_in_stream(void*, void* opened) {
    return static_cast<ZPOS64_T>(static_cast<Stream*>(opened)->place);
}

long seek_in_stream(void*, void* opened, ZPOS64_T offset, int origin) {
    Stream& stream = *static_cast<Stream*>(opened);
    const std::int64_t from = origin == ZLIB_FILEFUNC_SEEK_CUR   ? stream.place
                              : origin == ZLIB_FILEFUNC_SEEK_END ? stream.file.size()
                                                                 : 0;
    // Offsets come from the file; those from the present place may be negative.
    std::int64_t place = 0;
    if (__builtin_add_overflow(from, static_cast<std::int64_t>(offset), &place) || place < 0) {
        return -1;
    }
    stream.place = place;
    return 0;
}

int close_stream(void*, void*) { return 0; }

int error_of_stream(void*, void* opened) { return static_cast<Stream*>(opened)->failure ? 1 : 0; }

/// An archive opened by minizip, which keeps a place in it.
class Zip {
  public:
    explicit Zip(std::shared_ptr<const InputFile> file) : file_(std::move(file)), stream_(*file_) {
        file_->size();  // waits for a pipe to end, which may fail
        zlib_filefunc64_def calls{open_stream,    read_stream,  nullptr,         place_in_stream,
                                  seek_in_stream, close_stream, error_of_stream, &stream_};
        zip_ = ::unzOpen2_64("", &calls);
        if (!zip_) refuse(file_->path(), "a ZIP archive without a directory at its end");
    }
    Zip(const Zip&) = delete;
    Zip& operator=(const Zip&) = delete;
    ~Zip() { ::unzClose(zip_); }

    unzFile get() const { return zip_; }
    const InputFile& file() const { return *file_; }

    /// Throws: FormatError if a call failed, or what the stream has thrown.
    void check(int result, const std::string& path, std::string_view failure) const {
        if (result != UNZ_OK) refuse(path, failure);
    }

    [[noreturn]] void refuse(const std::string& path, std::string_view failure) const {
        if (stream_.failure) std::rethrow_exception(stream_.failure);
        throw FormatError(path, failure);
    }

  private:
    std::shared_ptr<const InputFile> file_;
    Stream stream_;
    unzFile zip_ = nullptr;
};

/// A member as the directory lists it.
struct Listed {
    std::string name;
    unz64_file_pos place;  ///< in the directory
    unz_file_info64 info;
    std::int64_t begin = 0;      ///< offset of its content
    std::string_view failure{};  ///< why it cannot be read; "" if it can
};

/// Returns why a member cannot be read, as far as the directory says; "" if it can.
std::string_view failure_of(const unz_file_info64& info) {
    if (info.flag & is_encrypted) return "is encrypted, which is not read";
    if (info.compression_method != stored && info.compression_method != deflated) {
        return "is compressed by a method that is not read; use numpy.savez";
    }
    const bool differ = info.compressed_size != info.uncompressed_size;
    if (info.compression_method == stored && differ) return "is stored in two different sizes";
    // Deflate makes nothing smaller than this; so no size is believed that a file cannot have.
    constexpr ZPOS64_T highest_ratio = 1032;
    if (info.uncompressed_size / highest_ratio > info.compressed_size) {
        return "has fewer compressed bytes than its size needs";
    }
    return "";
}

/// Finds the content of the present member, whose header is compared with the directory.
void find_content(const Zip& zip, Listed& member) {
    member.failure = failure_of(member.info);
    if (!member.failure.empty()) return;
    int method = 0, level = 0;
    constexpr int raw = 1;
    const int result = ::unzOpenCurrentFile2(zip.get(), &method, &level, raw);
    if (result == UNZ_INTERNALERROR) throw std::bad_alloc();
    zip.check(result, zip.file().path(),
              "a ZIP archive in which a file is not what the directory says");
    const ZPOS64_T begin = ::unzGetCurrentFileZStreamPos64(zip.get());
    ::unzCloseCurrentFile(zip.get());
    const auto size = static_cast<ZPOS64_T>(zip.file().size());
    if (begin > size || member.info.compressed_size > size - begin) {
        throw FormatError(zip.file().path(), "a ZIP archive in which a file does not end");
    }
    member.begin = static_cast<std::int64_t>(begin);
}

/// Reads the present member of the directory.
Listed listed_member(const Zip& zip) {
    const std::string& path = zip.file().path();
    Listed member{};
    constexpr std::string_view broken = "a ZIP archive with a broken directory";
    zip.check(
        ::unzGetCurrentFileInfo64(zip.get(), &member.info, nullptr, 0, nullptr, 0, nullptr, 0),
        path, broken);
    member.name.resize(member.info.size_filename);
    zip.check(::unzGetCurrentFileInfo64(zip.get(), nullptr, member.name.data(),
                                        member.info.size_filename, nullptr, 0, nullptr, 0),
              path, broken);
    zip.check(::unzGetFilePos64(zip.get(), &member.place), path, broken);
    find_content(zip, member);
    return member;
}

std::vector<Listed> directory_of(const Zip& zip) {
    const std::string& path = zip.file().path();
    unz_global_info64 all{};
    zip.check(::unzGetGlobalInfo64(zip.get(), &all), path, "a ZIP archive without a directory");
    if (all.number_entry > most_members) {
        throw FormatError(path, fmt::format("a ZIP archive of {} files: at most {} are read",
                                            all.number_entry, most_members));
    }
    std::vector<Listed> members;
    for (ZPOS64_T i = 0; i < all.number_entry; ++i) {
        zip.check(i == 0 ? ::unzGoToFirstFile(zip.get()) : ::unzGoToNextFile(zip.get()), path,
                  "a ZIP archive with a broken directory");
        members.push_back(listed_member(zip));
    }
    return members;
}

/// Throws: FormatError if two members share bytes.
void check_apart(const std::vector<Listed>& members, const std::string& path) {
    std::vector<const Listed*> sorted;
    for (const Listed& member : members) {
        if (member.failure.empty()) sorted.push_back(&member);
    }
    std::ranges::sort(sorted, {}, &Listed::begin);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        const Listed& before = *sorted[i - 1];
        const std::int64_t end =
            before.begin + static_cast<std::int64_t>(before.info.compressed_size);
        if (end + fixed_part_of_header + std::ssize(sorted[i]->name) <= sorted[i]->begin) continue;
        throw FormatError(path, sorted[i]->begin, "a ZIP archive with files that overlap");
    }
}

/// Returns the next bytes of a deflated member.
std::size_t inflate_some(const Zip& zip, const std::string& path, std::span<std::byte> out) {
    const int count =
        ::unzReadCurrentFile(zip.get(), out.data(), static_cast<unsigned>(out.size()));
    if (count < 0) zip.refuse(path, "cannot be inflated: its compressed bytes are broken");
    return to_size(count);
}

/// Opens a deflated member. What was inflated to its end must have the checksum that the directory
/// says.
std::shared_ptr<const InputFile> inflated(const std::shared_ptr<const InputFile>& file,
                                          const Listed& member, const std::string& path) {
    const auto zip = std::make_shared<const Zip>(file);
    unz64_file_pos place = member.place;
    zip->check(::unzGoToFilePos64(zip->get(), &place), path, "has left its place");
    zip->check(::unzOpenCurrentFile(zip->get()), path, "cannot be inflated");
    const auto size = static_cast<std::int64_t>(member.info.uncompressed_size);
    return InputFile::sequence(
        path, size,
        // Below 0 the checksum has been compared.
        [zip, path, rest = size](std::span<std::byte> out) mutable -> std::size_t {
            if (rest < 0) return 0;
            const std::size_t count = inflate_some(*zip, path, out);
            rest -= static_cast<std::int64_t>(count);
            if (count == 0 && rest > 0) {
                throw FormatError(path, "ends before it has the size that the directory says");
            }
            if (rest == 0) {
                zip->check(::unzCloseCurrentFile(zip->get()), path,
                           "has another checksum than the directory says");
                rest = -1;
            }
            return count;
        });
}

}  // namespace

std::vector<ZipMember> read_zip(const std::shared_ptr<const InputFile>& file) {
    const std::vector<Listed> listed = directory_of(Zip(file));
    check_apart(listed, file->path());
    std::vector<ZipMember> members;
    for (const Listed& member : listed) {
        members.push_back({member.name, [file, member](const std::string& path) {
                               if (!member.failure.empty()) throw FormatError(path, member.failure);
                               const auto size =
                                   static_cast<std::int64_t>(member.info.uncompressed_size);
                               if (member.info.compression_method == stored) {
                                   return InputFile::part(file, path, member.begin, size);
                               }
                               return inflated(file, member, path);
                           }});
    }
    return members;
}

}  // namespace pegen
