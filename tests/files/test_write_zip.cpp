#include <doctest/doctest.h>

#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "files/write_zip.h"

using namespace pegen;

namespace {

/// The bytes that a sink took, without the zeros in the middle of long files.
struct Counted {
    std::int64_t size = 0;
    std::int64_t rewritten_before = 0;
    ByteSink sink() {
        return {[this](Bytes bytes) { size += std::ssize(bytes); },
                [this](std::int64_t offset, Bytes bytes) {
                    rewritten_before = std::max(rewritten_before, offset + std::ssize(bytes));
                }};
    }
};

std::string text_of(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::int64_t written_size(const std::vector<ZipEntry>& entries) {
    const std::vector<std::byte> zeros(std::size_t{1} << 20);
    Counted counted;
    write_zip(counted.sink(), entries, [&](std::size_t i, const WriteBytes& write) {
        for (std::int64_t rest = entries[i].bytes; rest > 0; rest -= std::ssize(zeros)) {
            write(Bytes(zeros).first(std::min(rest, std::ssize(zeros))));
        }
    });
    CHECK(counted.rewritten_before <= counted.size);
    return counted.size;
}

}  // namespace

TEST_CASE("write_zip: zip_size is the size of what is written") {
    for (const std::vector<ZipEntry>& entries :
         {std::vector<ZipEntry>{}, std::vector<ZipEntry>{{"a", 0}},
          std::vector<ZipEntry>{
              {"cos.npy", 3'000'001}, {"\u00e9", 5}, {std::string(999, 'x'), 1}}}) {
        CHECK(written_size(entries) == zip_size(entries));
    }
}

TEST_CASE("write_zip: no byte depends on the time or the system") {
    std::string made;
    const ByteSink sink{[&](Bytes bytes) { made += text_of(bytes); },
                        [&](std::int64_t offset, Bytes bytes) {
                            made.replace(offset, bytes.size(), text_of(bytes));
                        }};
    const std::vector<ZipEntry> entries{{"\u00e9", 2}};
    write_zip(sink, entries, [](std::size_t, const WriteBytes& write) {
        write(std::as_bytes(std::span<const char>("12", 2)));
    });
    using namespace std::string_literals;
    // As in section 4.3 of PKWARE's APPNOTE: version 2.0, a name in UTF-8, stored, the first of
    // January 1980, CRC, both sizes, lengths of the name and of no extra field.
    const std::string entry = "\x14\0\0\x08\0\0\0\0\x21\0\xcd\x44\x53\x4f\2\0\0\0\2\0\0\0\2\0\0\0"s;
    const std::string local = "PK\3\4" + entry + "\u00e9" + "12";
    // Made by version 0 for no system; no comment, disk 0, no attributes, offset 0.
    const std::string directory = "PK\1\2\0\0"s + entry + std::string(14, '\0') + "\u00e9";
    const std::string end = "PK\5\6\0\0\0\0\1\0\1\0\x30\0\0\0\x22\0\0\0\0\0"s;
    CHECK(made == local + directory + end);
}

TEST_CASE("write_zip: sizes and offsets from 4 GiB on take zip64 records") {
    // The parts are the local header, the directory entry and the end record.
    const auto size = [](std::int64_t a, std::int64_t b) {
        const std::vector<ZipEntry> entries{{"a", a}, {"b", b}};
        return zip_size(entries) - a - b;
    };
    constexpr std::int64_t limit = 0xffffffff;
    constexpr std::int64_t plain = 2 * (30 + 1) + 2 * (46 + 1) + 22;
    CHECK(size(1, 1) == plain);
    CHECK(size(limit - 100, 1) == plain);
    // The second header begins below the limit, the directory beyond it.
    CHECK(size(limit - 32, 100) == plain + 56 + 20);
    CHECK(size(limit - 31, 1) == plain + 56 + 20 + (4 + 8));
    CHECK(size(limit, 1) == plain + 56 + 20 + 20 + (4 + 16) + (4 + 8));
    const std::vector<ZipEntry> endless{{"a", std::numeric_limits<std::int64_t>::max()}};
    CHECK(zip_size(endless) == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("write_zip: what the sink and the entries throw passes through") {
    const std::vector<ZipEntry> entries{{"a", 3'000'000}};
    const std::vector<std::byte> bytes(3'000'000);
    const auto write_entry = [&](std::size_t, const WriteBytes& write) { write(bytes); };
    const ByteSink full{[](Bytes) { throw std::runtime_error("full"); }, nullptr};
    CHECK_THROWS_WITH_AS(write_zip(full, entries, write_entry), "full", std::runtime_error);
    Counted counted;
    const auto fail = [](std::size_t, const WriteBytes&) { throw std::runtime_error("no rows"); };
    CHECK_THROWS_WITH_AS(write_zip(counted.sink(), entries, fail), "no rows", std::runtime_error);
}
