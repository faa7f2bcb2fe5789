#include "formats/up_to_date.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "core/parallel.h"
#include "core/to_size.h"
#include "files/input_file.h"
#include "formats/tiles.h"
#include "formats/write.h"

namespace pegen {
namespace {

/// Thrown to leave the loop over tiles.
struct Differs {};

/// Compares a file with bytes that come one piece after the other, and of which some, like the
/// checksums in headers of a ZIP archive, are replaced later.
class Reader {
  public:
    /// At most `most_wrong` bytes may differ before they are replaced.
    explicit Reader(const InputFile& file, std::size_t most_wrong = 0)
        : file_(file), most_wrong_(most_wrong) {}

    /// Throws Differs unless the file goes on with these bytes.
    void expect(Bytes bytes) {
        expect_at(offset_, bytes);
        offset_ += std::ssize(bytes);
    }
    void expect(std::string_view bytes) { expect(std::as_bytes(std::span(bytes))); }

    /// Throws Differs unless the file has these bytes there.
    void expect_at(std::int64_t offset, Bytes bytes) {
        constexpr std::size_t at_once = 1 << 16;
        if (std::ssize(bytes) > file_.size() - offset) throw Differs();
        for (; !bytes.empty(); bytes = bytes.subspan(std::min(at_once, bytes.size()))) {
            const Bytes some = bytes.first(std::min(at_once, bytes.size()));
            found_.resize(some.size());
            file_.read(offset, found_);
            note_wrong(offset, some);
            offset += std::ssize(some);
        }
    }

    void expect_end() const {
        if (offset_ != file_.size() || !wrong_.empty()) throw Differs();
    }

  private:
    void note_wrong(std::int64_t offset, Bytes bytes) {
        if (wrong_.empty() && std::ranges::equal(found_, bytes)) return;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            const std::int64_t place = offset + static_cast<std::int64_t>(i);
            wrong_.erase(place);
            if (found_[i] != bytes[i]) wrong_.insert(place);
            if (wrong_.size() > most_wrong_) throw Differs();
        }
    }

    const InputFile& file_;
    std::size_t most_wrong_;
    std::int64_t offset_ = 0;
    std::set<std::int64_t> wrong_{};  ///< offsets of bytes that differ
    std::vector<std::byte> found_{};
};

/// Returns the text of the rows of a tile.
std::string text_of(const Table& table, const Format& format, const Parameters& parameters,
                    RowRange range) {
    std::vector<std::byte> rows(to_size(range.count * row_bytes(table)));
    if (!rows.empty()) table.rows(range, rows);
    std::string text;
    format.append_rows(table, parameters, range, rows, text);
    return text;
}

void expect_rows(const Table& table, const Format& format, const Parameters& parameters,
                 Reader& reader) {
    const Tiles tiles = tiles_of(table);
    std::vector<std::string> texts(to_size(thread_count()));
    const auto of = [&](int worker) -> std::string& { return texts[to_size(worker)]; };
    parallel_in_order(
        tiles.count(),
        [&](std::int64_t tile, int worker) {
            of(worker) = text_of(table, format, parameters, tiles[tile]);
        },
        [&](std::int64_t, int worker) { reader.expect(of(worker)); });
}

bool is_same(const InputFile& file, const Format& format, const std::string& made) {
    // No compressor makes the file ten times as large, so such a file need not be read.
    if (file.size() / 10 > std::ssize(made)) return false;
    std::string found(to_size(file.size()), '\0');
    file.read(0, std::as_writable_bytes(std::span(found)));
    return found == made || format.says_the_same(made, found);
}

}  // namespace

bool is_up_to_date(std::string_view path, const Table& table, const Format& format,
                   const Parameters& parameters) {
    std::error_code error;  // a path that cannot be examined cannot be written either
    if (!std::filesystem::is_regular_file(path, error)) return false;
    const InputFile file(path);
    const auto size = file_size(table, format, parameters);
    if (size && *size != file.size()) return false;
    if (format.says_the_same) {
        return is_same(file, format, beginning(table, format, parameters).file);
    }
    Reader reader(file);
    try {
        reader.expect(beginning(table, format, parameters).file);
        if (format.append_rows) expect_rows(table, format, parameters, reader);
        reader.expect(ending(table, format, parameters));
        reader.expect_end();
    } catch (const Differs&) {
        return false;
    }
    return true;
}

bool is_up_to_date(std::string_view path, std::span<const Table> tables,
                   const ArchiveFormat& format) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    const InputFile file(path);
    if (format.size(tables) != file.size()) return false;
    // In the header of an entry, a checksum and two sizes of up to eight bytes are replaced.
    Reader reader(file, format.is_rewritten ? 4 + 8 + 8 : 0);
    const ByteSink sink{
        [&](Bytes bytes) { reader.expect(bytes); },
        [&](std::int64_t offset, Bytes bytes) { reader.expect_at(offset, bytes); },
    };
    try {
        format.write(tables, sink,
                     [](const Table& table, const WriteBytes& write) { write_rows(table, write); });
        reader.expect_end();
    } catch (const Differs&) {
        return false;
    }
    return true;
}

}  // namespace pegen
