#include "formats/up_to_date.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "core/parallel.h"
#include "files/input_file.h"
#include "files/sha256.h"
#include "formats/write.h"

namespace pegen {
namespace {

/// Thrown to leave the loop over tiles.
struct Differs {
    std::int64_t offset;  ///< offset of the first byte that differs
};

/// The comparison of a file with bytes that arrive piece by piece. Some of these bytes, like the
/// checksums in headers of a ZIP archive, are replaced later.
class Reader {
  public:
    /// At most `most_wrong` bytes may differ until they are replaced. `digest`, unless it is null,
    /// gets the bytes of the file.
    explicit Reader(const InputFile& file, Sha256* digest, std::size_t most_wrong = 0)
        : file_(file), digest_(digest), most_wrong_(most_wrong) {}

    /// Throws: Differs unless the file continues with these bytes.
    void expect(Bytes bytes) {
        expect_at(offset_, bytes, digest_);
        offset_ += std::ssize(bytes);
    }
    void expect(std::string_view bytes) { expect(std::as_bytes(std::span(bytes))); }

    /// Replaces bytes that were expected before. Throws: Differs unless the file has the new bytes
    /// there.
    void expect_instead(std::int64_t offset, Bytes bytes) { expect_at(offset, bytes, nullptr); }

    void expect_end() const {
        if (!wrong_.empty()) throw Differs{*wrong_.begin()};
        if (offset_ != file_.size()) throw Differs{offset_};
    }

  private:
    void expect_at(std::int64_t offset, Bytes bytes, Sha256* digest) {
        const std::int64_t end = std::min(offset + std::ssize(bytes), file_.size());
        file_.read_pieces(offset, end, [&](Bytes found) {
            if (digest) digest->add(found);
            note_wrong(offset, found, bytes.first(found.size()));
            offset += std::ssize(found);
            bytes = bytes.subspan(found.size());
            return true;
        });
        if (!bytes.empty()) throw Differs{file_.size()};
    }

    void note_wrong(std::int64_t offset, Bytes found, Bytes bytes) {
        if (wrong_.empty() && std::memcmp(found.data(), bytes.data(), found.size()) == 0) return;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const std::int64_t place = offset + static_cast<std::int64_t>(i);
            wrong_.erase(place);
            if (found[i] != bytes[i]) wrong_.insert(place);
            if (wrong_.size() > most_wrong_) throw Differs{*wrong_.begin()};
        }
    }

    const InputFile& file_;
    Sha256* digest_;
    std::size_t most_wrong_;
    std::int64_t offset_ = 0;
    std::set<std::int64_t> wrong_{};  ///< offsets of bytes that differ
};

/// Returns the text of the rows of a tile.
std::string text_of(const Table& table, const Format& format, const Parameters& parameters,
                    RowRange range) {
    std::vector<std::byte> rows(range.count * row_bytes(table));
    if (!rows.empty()) table.rows(range, rows);
    std::string text;
    format.append_rows(table, parameters, range, rows, text);
    return text;
}

void expect_rows(const Table& table, const Format& format, const Parameters& parameters,
                 Reader& reader) {
    const Tiles tiles = tiles_of(table);
    std::vector<std::string> texts(thread_count());
    const auto of = [&](int worker) -> std::string& { return texts[worker]; };
    parallel_in_order(
        tiles.count(),
        [&](std::int64_t tile, int worker) {
            of(worker) = text_of(table, format, parameters, tiles[tile]);
        },
        [&](std::int64_t, int worker) { reader.expect(of(worker)); });
}

void expect_table(const Table& table, const Format& format, const Parameters& parameters,
                  Reader& reader) {
    reader.expect(beginning(table, format, parameters).file);
    if (is_raw(format)) {
        write_rows(table, [&](Bytes bytes) { reader.expect(bytes); });
    } else if (format.append_rows) {
        expect_rows(table, format, parameters, reader);
    }
    reader.expect(ending(table, format, parameters));
}

void expect_archive(std::span<const Table> tables, const ArchiveFormat& format,
                    const Parameters& parameters, Reader& reader) {
    const ByteSink sink{
        [&](Bytes bytes) { reader.expect(bytes); },
        [&](std::int64_t offset, Bytes bytes) { reader.expect_instead(offset, bytes); },
    };
    format.write(tables, parameters, sink,
                 [](const Table& table, const WriteBytes& write) { write_rows(table, write); });
}

/// Returns the size of the file that would be written, if it is known without writing it.
std::optional<std::int64_t> known_size(std::span<const Table> tables, const Format& format,
                                       const Parameters& parameters) {
    if (format.archive) return format.archive->size(tables, parameters);
    return file_size(tables.front(), format, parameters);
}

/// Compares a file with the one that would be written, if the two may mean the same with different
/// bytes.
Standing standing_by_meaning(const InputFile& file, const Format& format, const std::string& made,
                             Sha256* digest) {
    // No compressor makes a file with the same meaning ten times as large, so the file need not be
    // read.
    if (file.size() / 10 > std::ssize(made)) return {Freshness::out_of_date};
    std::string found(file.size(), '\0');
    file.read(0, std::as_writable_bytes(std::span(found)));
    if (found != made && !format.says_the_same(made, found)) return {Freshness::out_of_date};
    if (digest) digest->add(std::as_bytes(std::span(found)));
    return {Freshness::up_to_date};
}

}  // namespace

Standing compare_with_file(std::string_view path, std::span<const Table> tables,
                           const Format& format, const Parameters& parameters, Sha256* digest) {
    // A path that cannot be examined cannot be written either.
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) return {Freshness::missing};
    if (!std::filesystem::is_regular_file(status)) return {Freshness::out_of_date};
    const InputFile file(path);
    const auto size = known_size(tables, format, parameters);
    if (size && *size != file.size()) return {Freshness::out_of_date};
    if (format.says_the_same) {
        return standing_by_meaning(file, format, beginning(tables.front(), format, parameters).file,
                                   digest);
    }
    // The header of an entry of a ZIP archive has a checksum and two sizes of up to eight bytes
    // that are replaced.
    Reader reader(file, digest, format.archive && format.archive->is_rewritten ? 4 + 8 + 8 : 0);
    try {
        if (format.archive) {
            expect_archive(tables, *format.archive, parameters, reader);
        } else {
            expect_table(tables.front(), format, parameters, reader);
        }
        reader.expect_end();
    } catch (const Differs& differs) {
        return {Freshness::out_of_date, differs.offset};
    }
    return {Freshness::up_to_date};
}

}  // namespace pegen
