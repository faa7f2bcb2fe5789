#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "files/array_file.h"
#include "files/gguf_bytes.h"
#include "files/gguf_file.h"
#include "files/read_archive.h"
#include "files/temporary_folder.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

using Values = std::vector<double>;

/// The files were written by gguf-py of llama.cpp, of February 2025, in both byte orders: a key of
/// each type, arange(6).reshape(2, 3) in each dtype of NumPy's, and 64 ones as Q8_0.
constexpr std::array names{"gguf-little.gguf", "gguf-big.gguf"};

std::string refusal(const GgufBytes& file) { return testing::refusal(file.bytes()); }

}  // namespace

TEST_CASE("GGUF: what gguf-py writes, in both byte orders") {
    struct Wanted {
        std::string name;
        DType dtype;
    };
    const std::vector<Wanted> all{
        {"f4", DType::float32}, {"f2", DType::float16}, {"f8", DType::float64}, {"i1", DType::int8},
        {"i2", DType::int16},   {"i4", DType::int32},   {"i8", DType::int64}};
    for (const std::string name : names) {
        CAPTURE(name);
        const Archive archive = archive_of(bytes_of(name));
        CHECK(archive.format == "gguf");
        REQUIRE(archive.members.size() == all.size() + 1);
        for (std::size_t i = 0; i < all.size(); ++i) {
            CAPTURE(all[i].name);
            CHECK(archive.members[i].name == all[i].name);
            const Table table = archive.members[i].open().table;
            CHECK(table.dtype == all[i].dtype);
            CHECK(table.shape == Shape{2, 3});
            CHECK(values_of(archive.members[i]) == Values{0, 1, 2, 3, 4, 5});
        }
        CHECK_THROWS_WITH_AS(
            archive.members.back().open(),
            "a:q: Q8_0 (2, 32): not read; in Python: import gguf, numpy; "
            "numpy.save(\"q.npy\", *[gguf.dequantize(t.data, t.tensor_type) for t in "
            "gguf.GGUFReader(\"a\").tensors if t.name == \"q\"])",
            FormatError);
    }
}

TEST_CASE("GGUF: the blocks of every type of ggml") {
    struct Block {
        std::uint64_t type, count, bytes;
    };
    // ggml/src/ggml-common.h and gguf-py's GGML_QUANT_SIZES.
    for (const Block& block : std::vector<Block>{
             {0, 1, 4},      {1, 1, 2},      {2, 32, 18},    {3, 32, 20},    {6, 32, 22},
             {7, 32, 24},    {8, 32, 34},    {9, 32, 36},    {10, 256, 84},  {11, 256, 110},
             {12, 256, 144}, {13, 256, 176}, {14, 256, 210}, {15, 256, 292}, {16, 256, 66},
             {17, 256, 74},  {18, 256, 98},  {19, 256, 50},  {20, 32, 18},   {21, 256, 110},
             {22, 256, 82},  {23, 256, 136}, {24, 1, 1},     {25, 1, 2},     {26, 1, 4},
             {27, 1, 8},     {28, 1, 8},     {29, 256, 56},  {30, 1, 2},     {34, 256, 54},
             {35, 256, 66},  {39, 32, 17},   {40, 64, 36},   {41, 128, 18}}) {
        CAPTURE(block.type);
        GgufBytes file;
        file.listed("a", {3 * block.count}, block.type, 0);
        file.elements = std::string(3 * block.bytes, '\0');
        CHECK_NOTHROW(archive_of(file.bytes()));
        file.elements.pop_back();
        CHECK_THROWS_AS(archive_of(file.bytes()), FormatError);
        if (block.count == 1) continue;
        GgufBytes broken;
        broken.listed("a", {3 * block.count - 1}, block.type, 0);
        broken.elements = std::string(3 * block.bytes, '\0');
        CHECK_THROWS_AS(archive_of(broken.bytes()), FormatError);
    }
}

TEST_CASE("GGUF: the values of keys; long ones are null") {
    for (const std::string name : names) {
        CAPTURE(name);
        const Json metadata = read_gguf(InputFile::in_memory("a", bytes_of(name))).metadata;
        const Json wanted{{"general.architecture", "llama"},
                          {"x.texts", nullptr},
                          {"x.list", Json{1, -2, 3}},
                          {"x.truth", true},
                          {"x.f64", 0.1},
                          {"x.f32", 0.5},
                          {"x.i8", -3},
                          {"x.u8", 200},
                          {"x.u64", 9223372036854775809U},
                          {"x.i64", -1099511627776},
                          {"x.i16", -300},
                          {"x.u16", 60000},
                          {"x.i32", -70000}};
        CHECK(metadata == wanted);
    }
    GgufBytes file;
    file.counts("kept", std::vector<std::uint64_t>(65535, 7)).counts("more", {1, 2});
    file.counts("last", {3})
        .text("text", std::string(4096, 'x'))
        .text("long", std::string(4097, 'x'));
    const Json metadata = read_gguf(InputFile::in_memory("a", file.bytes())).metadata;
    CHECK(metadata["kept"].size() == 65535);
    CHECK(metadata["more"].is_null());
    CHECK(metadata["last"] == Json{3});
    CHECK(metadata["text"] == Json(std::string(4096, 'x')));
    CHECK(metadata["long"].is_null());
}

TEST_CASE("GGUF: what is at a limit is read, and what is beyond it is refused") {
    const auto counts = [](std::uint64_t tensors, std::uint64_t keys) {
        GgufBytes file;
        file.tensor_count = tensors, file.key_count = keys;
        return refusal(file);
    };
    const std::string goes_on = "a: byte 32: ";  // to the end of the file
    CHECK(counts(65536, 0).starts_with(goes_on));
    CHECK(counts(65537, 0) == "a: byte 8: number of tensors: 65537, at most 65536");
    CHECK(counts(0, 65536).starts_with(goes_on));
    CHECK(counts(0, 65537) == "a: byte 16: number of keys: 65537, at most 65536");

    const auto named = [](std::size_t length) {
        return refusal(GgufBytes().floats(std::string(length, 'x'), {1}, {5}));
    };
    CHECK(named(65535).empty());
    CHECK(named(65536) == "a: byte 24: length of the name of a tensor: 65536, at most 65535");

    const auto nested = [](int levels) {
        std::string value;
        for (int level = 1; level < levels; ++level) {
            value += little_endian(9, 4) + little_endian(1, 8);
        }
        return refusal(GgufBytes().key("k", 9, value + little_endian(4, 4) + little_endian(0, 8)));
    };
    CHECK(nested(4).empty());
    CHECK(nested(5) == "a: byte 85: k: more than 4 levels of lists");

    const auto empty = [](std::uint64_t extent) {
        return refusal(GgufBytes().floats("t", {extent, 0}, {}));
    };
    CHECK(empty(1 << 24).empty());
    CHECK(empty((1 << 24) + 1) ==
          "a:t: shape (0, 16777217): no elements, but other extents of more than 2^24 together");
}

TEST_CASE("GGUF: the first extent of the file is the last of the array") {
    GgufBytes file;
    file.floats("a", {3, 2, 1}, {0, 1, 2, 3, 4, 5}).floats("b", {}, {9}).floats("c", {0, 2}, {});
    const Archive archive = archive_of(file.bytes());
    CHECK(archive.members[0].open().table.shape == Shape{1, 2, 3});
    CHECK(values_of(archive.members[0]) == Values{0, 1, 2, 3, 4, 5});
    CHECK(values_of(archive.members[1]) == Values{9});
    CHECK(archive.members[2].open().table.shape == Shape{2, 0});
    file.version = 2;
    CHECK(refusal(file).empty());
    CHECK(archive_of(GgufBytes().bytes()).members.empty());
    // An alignment of 8, and a tensor behind a hole.
    GgufBytes other;
    other.count("general.alignment", 8).listed("a", {1}, 24, 8);
    other.elements = std::string(8, '\0') + "\5";
    std::string bytes = other.bytes();
    const std::size_t begin = 24 + other.keys.size() + other.tensors.size();
    bytes.erase((begin + 7) / 8 * 8, (begin + 31) / 32 * 32 - (begin + 7) / 8 * 8);
    CHECK(values_of(archive_of(bytes).members[0]) == Values{5});
}

TEST_CASE("GGUF: a fault is refused with its place and the rule") {
    const auto listed = [](const std::vector<std::uint64_t>& extents, std::uint64_t type,
                           std::uint64_t offset) {
        GgufBytes file;
        file.elements = std::string(64, '\0');
        return file.listed("t", extents, type, offset);
    };
    const auto key = [](std::uint64_t type, const std::string& value) {
        return GgufBytes().key("k", type, value);
    };
    const auto counts = [](std::uint64_t tensors, std::uint64_t keys) {
        GgufBytes file;
        file.tensor_count = tensors, file.key_count = keys;
        return file;
    };
    const auto version = [](std::uint64_t number) {
        GgufBytes file;
        file.version = number;
        return file;
    };
    const std::uint64_t huge = std::uint64_t{1} << 60, most = ~std::uint64_t{0};
    struct Fault {
        GgufBytes file;
        std::string message;
    };
    const std::vector<Fault> faults{
        {version(1),
         "byte 4: version 1: must be 2 or 3; convert the model again with llama.cpp's "
         "convert_hf_to_gguf.py"},
        {version(0x01000000),
         "byte 4: version 16777216: must be 2 or 3; convert the model again with llama.cpp's "
         "convert_hf_to_gguf.py"},
        {counts(huge, 0), "byte 8: number of tensors: 1152921504606846976, at most 65536"},
        {counts(0, most), "byte 16: number of keys: 18446744073709551615, at most 65536"},
        {counts(0, 9), "byte 32: type of : ends here, and needs 4 more bytes"},
        {key(13, ""), "byte 33: type of k: 13, at most 12"},
        {key(8, little_endian(most, 8)),
         "byte 45: k: 18446744073709551615 bytes, beyond the first 2^28 bytes of the file, in "
         "which all keys and the list of tensors must be"},
        {key(8, little_endian(9999, 8)), "byte 64: k: ends here, and needs 9980 more bytes"},
        {key(9, little_endian(10, 4) + little_endian(huge, 8)),
         "byte 49: k: 1152921504606846976 bytes, beyond the first 2^28 bytes of the file, in "
         "which all keys and the list of tensors must be"},
        {key(9, little_endian(8, 4) + little_endian(huge, 8)),
         "byte 64: k: ends here, and needs 1 more bytes"},
        {key(9, (little_endian(9, 4) + little_endian(1, 8)) + little_endian(9, 4) +
                    little_endian(1, 8) + little_endian(9, 4) + little_endian(1, 8) +
                    little_endian(9, 4) + little_endian(1, 8)),
         "byte 85: k: more than 4 levels of lists"},
        {GgufBytes().count("k", 1).count("k", 2), "byte 58: has k twice"},
        {GgufBytes().count("general.alignment", 0).floats("t", {1}, {1}),
         "general.alignment 0: must be a power of two below 2^32"},
        {GgufBytes().count("general.alignment", 24),
         "general.alignment 24: must be a power of two below 2^32"},
        {GgufBytes().real("general.alignment", 32),
         "general.alignment 32.0: must be a power of two below 2^32"},
        {listed({1, 1, 1, 1, 1}, 0, 0), "byte 33: tensor t: number of axes: 5, at most 4"},
        {listed({most}, 0, 0),
         "byte 37: tensor t: extent: 18446744073709551615, at most 9223372036854775807"},
        {listed({huge, huge}, 0, 0),
         "byte 53: tensor t: shape (1152921504606846976, 1152921504606846976): too large for any "
         "file"},
        {listed({huge * 4}, 0, 0),
         "byte 45: tensor t: shape (4611686018427387904): too large for any file"},
        {listed({33}, 2, 0),
         "byte 45: tensor t: shape (33) of Q4_0: the last extent must be a multiple of 32"},
        {listed({1}, 0, most),
         "byte 49: tensor t: offset: 18446744073709551615, at most 9223372036854775807"},
        {listed({1}, 0, most / 64 * 32), "tensor t: offset: too large for any file"},
        {listed({1}, 0, 5), "tensor t: offset 5: must be a multiple of general.alignment, 32"},
        {listed({17}, 0, 0),
         "tensor t: ends at byte 132, and the file at 128; is it downloaded whole?"},
        {listed({1}, 0, 64),
         "tensor t: ends at byte 132, and the file at 128; is it downloaded whole?"},
        {listed({9}, 0, 0).listed("u", {1}, 0, 32),
         "tensor u: begins at byte 128, and t ends at 132"},
        {GgufBytes().floats("t", {1}, {1}).floats("t", {1}, {2}), "t is in it twice"},
        {GgufBytes().listed("t", {0, huge, huge}, 0, 0),
         "byte 61: tensor t: shape (1152921504606846976, 1152921504606846976, 0): too large for "
         "any file"},
    };
    for (const Fault& fault : faults) CHECK(refusal(fault.file) == "a: " + fault.message);
    CHECK(refusal(listed({1}, 42, 0)).starts_with("a:t: type 42 (1): not read; in Python: "));
}

TEST_CASE("GGUF: a file that is cut anywhere is refused, and a changed byte is no harm") {
    for (const std::string name : names) {
        const std::string whole = bytes_of(name);
        constexpr std::size_t padding = 28;
        for (std::size_t size = 4; size < whole.size() - padding; ++size) {
            CAPTURE(size);
            const std::string cut = whole.substr(0, size);
            CHECK_THROWS_AS(archive_of(cut), FormatError);
        }
        for (std::size_t place = 4; place < whole.size(); ++place) {
            for (const int change : {1, 0x80, 0xff}) {
                std::string changed = whole;
                changed[place] = static_cast<char>(changed[place] ^ change);
                try {
                    std::set<std::string> seen;
                    for (const ArchiveMember& member : archive_of(changed).members) {
                        CHECK(seen.insert(member.name).second);
                        if (member.name != "q") values_of(member);
                    }
                } catch (const FormatError&) {
                }
            }
        }
    }
}

TEST_CASE("GGUF: a large file is listed at once") {
    const TemporaryFolder folder;
    constexpr std::uint64_t rows = 1'000'000'000;
    const std::string head = GgufBytes().listed("a", {4, rows}, 0, 0).bytes();
    put(folder.path("a"), head);
    std::filesystem::resize_file(folder.path("a"), head.size() + 16 * rows);
    const Table table = read_array(folder.path("a"));
    CHECK(table.shape == Shape{rows, 4});
    CHECK(read_rows(table, {rows - 1, 1}) == Values{0, 0, 0, 0});
}
