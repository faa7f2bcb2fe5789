#include "files/read_zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/shape.h"

// Of Debian's libraries, minizip does not read zip64, and libzip takes longer to load than this
// program often runs.
namespace pegen {
namespace {

constexpr std::uint64_t most_members = 1 << 20;
constexpr std::uint64_t longest_directory = 1 << 28;

constexpr std::string_view end_magic = "PK\5\6";
constexpr std::string_view zip64_locator_magic = "PK\6\7";
constexpr std::string_view zip64_end_magic = "PK\6\6";
constexpr std::string_view listed_magic = "PK\1\2";
constexpr std::string_view header_magic = "PK\3\4";

// The sizes of these records, without what follows them.
constexpr std::int64_t end_size = 22;
constexpr std::int64_t zip64_locator_size = 20;
constexpr std::int64_t zip64_end_size = 56;
constexpr std::int64_t listed_size = 46;
constexpr std::int64_t header_size = 30;

constexpr int stored = 0;
constexpr int deflated = 8;

/// The number that says, in a field of 4 bytes: the real number is in 8 bytes of a zip64 record.
constexpr std::uint64_t in_zip64 = 0xffffffff;

/// A reader of little-endian numbers, one after the other. Precondition: the bytes are there.
class Numbers {
  public:
    explicit Numbers(std::string_view bytes) : rest_(bytes) {}

    std::uint64_t next(std::size_t size) {
        std::uint64_t number = 0;
        for (std::size_t i = size; i-- > 0;) {
            number = number << 8 | static_cast<unsigned char>(rest_[i]);
        }
        rest_.remove_prefix(size);
        return number;
    }
    Numbers& skip(std::size_t size) {
        rest_.remove_prefix(size);
        return *this;
    }
    std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
};

[[noreturn]] void refuse(const InputFile& file, std::int64_t offset, std::string_view failure) {
    throw FormatError(file.path(), offset, fmt::format("ZIP archive: {}", failure));
}

/// Returns bytes of the archive. Throws: FormatError if the archive does not have them.
std::string bytes_at(const InputFile& file, std::uint64_t offset, std::uint64_t size) {
    const auto end = static_cast<std::uint64_t>(file.size());
    if (offset > end || size > end - offset) refuse(file, file.size(), "ends too early");
    std::string bytes(size, '\0');
    file.read(static_cast<std::int64_t>(offset), std::as_writable_bytes(std::span(bytes)));
    return bytes;
}

/// Returns a record. Throws: FormatError unless a record of this kind is there.
std::string record_at(const InputFile& file, std::uint64_t offset, std::int64_t size,
                      std::string_view magic) {
    std::string record = bytes_at(file, offset, size);
    if (!record.starts_with(magic)) {
        refuse(file, static_cast<std::int64_t>(offset), "not the record that it should be");
    }
    return record;
}

struct Directory {
    std::uint64_t members;
    std::uint64_t size;
    std::uint64_t offset;
};

/// Returns the offset of the record at the end of the archive, behind which only a comment may
/// follow.
std::int64_t find_end(const InputFile& file) {
    constexpr std::int64_t longest_comment = 0xffff;
    const std::int64_t size = std::min(file.size(), end_size + longest_comment);
    const std::int64_t begin = file.size() - size;
    const std::string last = bytes_at(file, static_cast<std::uint64_t>(begin), size);
    const std::size_t last_place = last.size() - std::min(last.size(), to_size(end_size));
    const std::size_t found = last.rfind(end_magic, last_place);
    if (found == last.npos || std::ssize(last) < end_size) {
        refuse(file, file.size(), "no directory at its end");
    }
    return begin + static_cast<std::int64_t>(found);
}

Directory find_directory(const InputFile& file) {
    const std::int64_t end = find_end(file);
    const std::string record = bytes_at(file, static_cast<std::uint64_t>(end), end_size);
    Numbers numbers = Numbers(record).skip(10);
    Directory directory{};
    directory.members = numbers.next(2);
    directory.size = numbers.next(4);
    directory.offset = numbers.next(4);
    if (end < zip64_locator_size) return directory;
    const std::string locator =
        bytes_at(file, static_cast<std::uint64_t>(end - zip64_locator_size), zip64_locator_size);
    if (!locator.starts_with(zip64_locator_magic)) return directory;
    const std::string zip64_end =
        record_at(file, Numbers(locator).skip(8).next(8), zip64_end_size, zip64_end_magic);
    Numbers wide = Numbers(zip64_end).skip(32);
    directory.members = wide.next(8);
    directory.size = wide.next(8);
    directory.offset = wide.next(8);
    return directory;
}

/// A member as the directory lists it.
struct Listed {
    std::string name;
    bool is_encrypted;
    int method;
    std::uint32_t checksum;
    std::uint64_t compressed;  ///< bytes
    std::uint64_t size;
    std::uint64_t header;     ///< offset
    std::uint64_t begin = 0;  ///< offset of its content
};

/// Returns the zip64 record in the extra fields of a member; "" if there is none.
std::string_view zip64_field(std::string_view extra) {
    constexpr std::uint64_t zip64 = 1;
    constexpr std::size_t before_field = 4;
    while (extra.size() >= before_field) {
        Numbers numbers(extra);
        const std::uint64_t kind = numbers.next(2), size = numbers.next(2);
        const std::string_view field = numbers.rest().substr(0, size);
        if (kind == zip64) return field;
        extra.remove_prefix(before_field + field.size());
    }
    return "";
}

/// Reads the member that `directory` begins with, and removes it.
/// Throws: FormatError, at `offset`.
Listed next_listed(const InputFile& file, std::string_view& directory, std::int64_t offset) {
    if (std::ssize(directory) < listed_size || !directory.starts_with(listed_magic)) {
        refuse(file, offset, "broken directory");
    }
    Numbers numbers = Numbers(directory).skip(8);
    Listed member{};
    constexpr std::uint64_t encrypted = 1;
    member.is_encrypted = (numbers.next(2) & encrypted) != 0;
    member.method = static_cast<int>(numbers.next(2));
    member.checksum = static_cast<std::uint32_t>(numbers.skip(4).next(4));
    member.compressed = numbers.next(4);
    member.size = numbers.next(4);
    const std::uint64_t name = numbers.next(2), extra = numbers.next(2), comment = numbers.next(2);
    member.header = numbers.skip(8).next(4);
    const std::string_view rest = numbers.rest();
    if (rest.size() < name + extra + comment) refuse(file, offset, "broken directory");
    member.name = rest.substr(0, name);
    Numbers wide(zip64_field(rest.substr(name, extra)));
    for (std::uint64_t* number : {&member.size, &member.compressed, &member.header}) {
        if (*number == in_zip64 && wide.rest().size() >= 8) *number = wide.next(8);
    }
    directory = rest.substr(name + extra + comment);
    return member;
}

/// Returns where the content of a member begins, behind its header.
/// Throws: FormatError if it is not in the archive.
std::uint64_t content_of(const InputFile& file, const Listed& member) {
    const std::string header = record_at(file, member.header, header_size, header_magic);
    Numbers numbers = Numbers(header).skip(26);
    const std::uint64_t name = numbers.next(2), extra = numbers.next(2);
    const std::uint64_t begin = member.header + header_size + name + extra;
    const auto end = static_cast<std::uint64_t>(file.size());
    if (begin > end || member.compressed > end - begin) {
        refuse(file, static_cast<std::int64_t>(member.header), "a file in it does not end");
    }
    return begin;
}

/// Checks that no two members share bytes. Throws: FormatError.
void check_apart(const InputFile& file, const std::vector<Listed>& members) {
    std::vector<const Listed*> sorted;
    for (const Listed& member : members) sorted.push_back(&member);
    std::ranges::sort(sorted, {}, &Listed::header);
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        const Listed& before = *sorted[i - 1];
        if (before.begin + before.compressed <= sorted[i]->header) continue;
        refuse(file, static_cast<std::int64_t>(sorted[i]->header), "files in it overlap");
    }
}

std::vector<Listed> listed_members(const InputFile& file) {
    const Directory directory = find_directory(file);
    if (directory.members > most_members) {
        refuse(file, file.size(),
               fmt::format("{} files: at most {} are read", directory.members, most_members));
    }
    if (directory.size > longest_directory) {
        refuse(file, file.size(),
               fmt::format("a directory of {} bytes: at most {} are read", directory.size,
                           longest_directory));
    }
    const std::string bytes = bytes_at(file, directory.offset, directory.size);
    std::string_view rest = bytes;
    std::vector<Listed> members;
    for (std::uint64_t i = 0; i < directory.members; ++i) {
        const std::uint64_t offset = directory.offset + (bytes.size() - rest.size());
        members.push_back(next_listed(file, rest, static_cast<std::int64_t>(offset)));
        members.back().begin = content_of(file, members.back());
    }
    check_apart(file, members);
    return members;
}

/// A reader that inflates a member from its begin to its end.
class Inflater {
  public:
    Inflater(std::shared_ptr<const InputFile> file, const Listed& member, std::string path)
        : file_(std::move(file)),
          path_(std::move(path)),
          place_(static_cast<std::int64_t>(member.begin)),
          compressed_(static_cast<std::int64_t>(member.compressed)),
          rest_(static_cast<std::int64_t>(member.size)),
          checksum_(member.checksum) {
        constexpr int without_zlib_header = -MAX_WBITS;
        if (::inflateInit2(&stream_, without_zlib_header) != Z_OK) throw std::bad_alloc();
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { ::inflateEnd(&stream_); }

    /// Fills the start of `out` and returns the number of bytes; 0 at the end.
    /// Throws: FormatError if the bytes are not as the directory says.
    std::size_t next(std::span<std::byte> out) {
        out = out.first(std::min(out.size(), to_size(rest_)));
        if (out.empty()) return 0;
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = static_cast<uInt>(out.size());
        while (stream_.avail_out > 0) inflate_some();
        found_ = ::crc32(found_, reinterpret_cast<const Bytef*>(out.data()),
                         static_cast<uInt>(out.size()));
        rest_ -= std::ssize(out);
        if (rest_ == 0 && found_ != checksum_) {
            throw FormatError(path_, "has another checksum than the directory says");
        }
        return out.size();
    }

  private:
    void inflate_some() {
        if (stream_.avail_in == 0) {
            input_.resize(std::min(compressed_, std::int64_t{1} << 16));
            file_->read(place_, std::as_writable_bytes(std::span(input_)));
            place_ += std::ssize(input_);
            compressed_ -= std::ssize(input_);
            stream_.next_in = input_.data();
            stream_.avail_in = static_cast<uInt>(input_.size());
        }
        const int result = ::inflate(&stream_, Z_SYNC_FLUSH);
        if (result == Z_MEM_ERROR) throw std::bad_alloc();
        const bool is_enough = stream_.avail_out == 0;
        if (result == Z_OK || (result == Z_STREAM_END && is_enough)) return;
        throw FormatError(path_, result == Z_DATA_ERROR
                                     ? "its compressed bytes are broken"
                                     : "ends before it has the size that the directory says");
    }

    std::shared_ptr<const InputFile> file_;
    std::string path_;
    std::int64_t place_;
    std::int64_t compressed_;  ///< bytes of the archive that have not been read
    std::int64_t rest_;        ///< bytes of the member that have not been given
    std::uint32_t checksum_;
    uLong found_ = 0;  ///< checksum of the bytes given so far
    z_stream stream_{};
    std::vector<Bytef> input_{};
};

/// Checks that the member can be read, as far as the directory says. Throws: FormatError.
void check_member(const Listed& member, const std::string& path) {
    const auto refuse_member = [&](std::string_view failure) { throw FormatError(path, failure); };
    if (member.is_encrypted) refuse_member("is encrypted, which is not read");
    if (member.method != stored && member.method != deflated) {
        refuse_member("is compressed by a method that is not read; use numpy.savez");
    }
    if (member.method == stored && member.compressed != member.size) {
        refuse_member("is stored in two different sizes");
    }
    // The highest ratio of sizes that Deflate reaches; so no size is believed that a file cannot
    // have.
    constexpr std::uint64_t highest_ratio = 1032;
    if (member.size / highest_ratio > member.compressed) {
        refuse_member("has fewer compressed bytes than its size needs");
    }
}

/// Checks the checksum of a stored member. Throws: FormatError if its bytes are not the ones that
/// were written.
void check_stored(const InputFile& content, const Listed& member, const std::string& path) {
    std::vector<std::byte> some(std::size_t{1} << 20);
    uLong found = 0;
    for (std::int64_t place = 0; place < content.size(); place += std::ssize(some)) {
        some.resize(std::min(some.size(), to_size(content.size() - place)));
        content.read(place, some);
        found = ::crc32(found, reinterpret_cast<const Bytef*>(some.data()),
                        static_cast<uInt>(some.size()));
    }
    if (found != member.checksum) {
        throw FormatError(path, "has another checksum than the directory says");
    }
}

std::shared_ptr<const InputFile> open_member(const std::shared_ptr<const InputFile>& file,
                                             const Listed& member, const std::string& path,
                                             Checksum checksum) {
    check_member(member, path);
    const auto size = static_cast<std::int64_t>(member.size);
    if (member.method == stored) {
        auto content = InputFile::part(file, path, static_cast<std::int64_t>(member.begin), size);
        if (checksum == Checksum::compared) check_stored(*content, member, path);
        return content;
    }
    return InputFile::sequence(path, size,
                               [inflater = std::make_shared<Inflater>(file, member, path)](
                                   std::span<std::byte> out) { return inflater->next(out); });
}

}  // namespace

std::vector<ZipMember> read_zip(const std::shared_ptr<const InputFile>& file) {
    std::vector<ZipMember> members;
    for (const Listed& member : listed_members(*file)) {
        members.push_back({member.name, [file, member](const std::string& path, Checksum checksum) {
                               return open_member(file, member, path, checksum);
                           }});
    }
    return members;
}

}  // namespace pegen
