#include "files/write_zip.h"

#include <minizip/zip.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "core/error.h"

namespace pegen {
namespace {

/// The smallest size or offset that needs a zip64 record.
constexpr std::int64_t zip64_limit = 0xffffffff;

constexpr uLong first_day_of_dos = (1 << 21) | (1 << 16);  // 1980-01-01, 00:00
constexpr uLong name_is_utf8 = 1 << 11;

/// The file that minizip writes. minizip writes headers in pieces of two to eight bytes, so the
/// pieces are collected.
struct Stream {
    explicit Stream(const ByteSink& to) : sink(to) {}

    void flush() {
        sink.write(waiting);
        sent += std::ssize(waiting);
        waiting.clear();
    }

    void append(Bytes bytes) {
        constexpr std::size_t enough = std::size_t{1} << 19;
        waiting.insert(waiting.end(), bytes.begin(), bytes.end());
        if (waiting.size() >= enough) flush();
    }

    void replace(Bytes bytes) {
        if (place >= sent) {
            std::ranges::copy(bytes, waiting.begin() + (place - sent));
        } else {
            flush();
            sink.rewrite(place, bytes);
        }
    }

    void write(Bytes bytes) {
        if (place == sent + std::ssize(waiting)) {
            append(bytes);
        } else {
            replace(bytes);
        }
        place += std::ssize(bytes);
    }

    const ByteSink& sink;
    std::vector<std::byte> waiting{};
    std::int64_t sent = 0;
    std::int64_t place = 0;
    std::exception_ptr failure = nullptr;  ///< once it is set, nothing more is written
};

// Functions that minizip calls. No exception may pass through it.

void* open_stream(void* stream, const void*, int) { return stream; }

uLong write_stream(void*, void* opened, const void* bytes, uLong size) {
    Stream& stream = *static_cast<Stream*>(opened);
    if (stream.failure) return 0;
    try {
        stream.write({static_cast<const std::byte*>(bytes), size});
        return size;
    } catch (...) {
        stream.failure = std::current_exception();
        return 0;
    }
}

ZPOS64_T place_in_stream(void*, void* opened) {
    return static_cast<ZPOS64_T>(static_cast<Stream*>(opened)->place);
}

long seek_in_stream(void*, void* opened, ZPOS64_T offset, int) {
    static_cast<Stream*>(opened)->place = static_cast<std::int64_t>(offset);
    return 0;
}

int close_stream(void*, void*) { return 0; }

int error_of_stream(void*, void* opened) { return static_cast<Stream*>(opened)->failure ? 1 : 0; }

/// Throws the exception of the stream; minizip itself fails only for lack of memory.
void check(int result, const Stream& stream) {
    if (stream.failure) std::rethrow_exception(stream.failure);
    if (result != ZIP_OK) throw std::bad_alloc();
}

/// A deleter for an archive that will not be finished: minizip frees its memory only when it closes
/// the archive.
struct Abandon {
    Stream* stream;
    void operator()(void* zip) const {
        stream->failure = std::make_exception_ptr(InternalError("a ZIP archive was abandoned"));
        ::zipClose(zip, nullptr);
    }
};

using Zip = std::unique_ptr<void, Abandon>;

Zip open_zip(Stream& stream) {
    zlib_filefunc64_def calls{open_stream,    nullptr,      write_stream,    place_in_stream,
                              seek_in_stream, close_stream, error_of_stream, &stream};
    Zip zip(::zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &calls), Abandon{&stream});
    if (!zip) throw std::bad_alloc();
    return zip;
}

/// True if the entry may need zip64. Deflate makes bytes that cannot be compressed a little longer.
bool may_need_zip64(const ZipEntry& entry, ZipMethod method) {
    const std::int64_t more = method == ZipMethod::deflated ? entry.bytes / 1000 + 1000 : 0;
    return entry.bytes >= zip64_limit - more;
}

int begin_entry(void* zip, const ZipEntry& entry, ZipMethod method) {
    const bool is_ascii = std::ranges::all_of(entry.name, [](char c) { return c > 0; });
    zip_fileinfo about{};
    about.dosDate = first_day_of_dos;
    constexpr int stored = 0;
    constexpr int usual_memory = 8;
    const bool deflates = method == ZipMethod::deflated;
    return ::zipOpenNewFileInZip4_64(zip, entry.name.c_str(), &about, nullptr, 0, nullptr, 0,
                                     nullptr, deflates ? Z_DEFLATED : stored, Z_DEFAULT_COMPRESSION,
                                     0, -MAX_WBITS, usual_memory, Z_DEFAULT_STRATEGY, nullptr, 0, 0,
                                     is_ascii ? 0 : name_is_utf8, may_need_zip64(entry, method));
}

void write_content(void* zip, Bytes bytes, const Stream& stream) {
    constexpr std::size_t most = std::size_t{1} << 30;  // minizip counts as unsigned int
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(most, bytes.size()))) {
        const auto size = static_cast<unsigned>(std::min(most, bytes.size()));
        check(::zipWriteInFileInZip(zip, bytes.data(), size), stream);
    }
}

std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

}  // namespace

std::int64_t zip_size(std::span<const ZipEntry> entries) {
    std::int64_t offset = 0;
    std::int64_t directory = 0;
    for (const ZipEntry& entry : entries) {
        const bool is_large = entry.bytes >= zip64_limit;
        const int numbers = (is_large ? 2 : 0) + (offset >= zip64_limit ? 1 : 0);
        directory += 46 + std::ssize(entry.name) + (numbers > 0 ? 4 + 8 * numbers : 0);
        const std::int64_t header = 30 + std::ssize(entry.name) + (is_large ? 20 : 0);
        offset = saturating_sum(offset, saturating_sum(header, entry.bytes));
    }
    const bool is_zip64 = offset >= zip64_limit || entries.size() > 0xffff;
    return saturating_sum(offset, directory + (is_zip64 ? 56 + 20 : 0) + 22);
}

void write_zip(const ByteSink& sink, std::span<const ZipEntry> entries,
               const std::function<void(std::size_t, const WriteBytes&)>& write_entry,
               ZipMethod method) {
    Stream stream(sink);
    Zip zip = open_zip(stream);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        check(begin_entry(zip.get(), entries[i], method), stream);
        write_entry(i, [&](Bytes bytes) { write_content(zip.get(), bytes, stream); });
        check(::zipCloseFileInZip(zip.get()), stream);
    }
    check(::zipClose(zip.release(), nullptr), stream);
    stream.flush();
}

}  // namespace pegen
