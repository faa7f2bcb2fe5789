#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "files/archive.h"
#include "files/array_file.h"
#include "files/temporary_folder.h"

using namespace pegen;
using pegen::testing::content;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

/// Files that NumPy 1.24 and a script of a few lines wrote.
const std::string corpus = PEGEN_SOURCE_DIR "/tests/fuzz/corpus/archive/";

std::vector<double> values_of(const std::string& path) {
    const Table table = read_array(path);
    return read_rows(table, {0, table.shape.rows()});
}

std::string refusal(const std::string& path) {
    try {
        read_array(path);
    } catch (const FormatError& error) {
        const std::string text = error.what();
        return text.substr(text.rfind('/') + 1);
    }
    return "";
}

}  // namespace

TEST_CASE("archive: numpy.savez's arrays are read where they are stored") {
    const std::vector<double> x{0, 1, 2, 3, 4, 5};
    CHECK(values_of(corpus + "savez.npz:x") == x);
    CHECK(values_of(corpus + "savez.npz:fortran") == x);
    CHECK(values_of(corpus + "savez.npz:big_endian") == x);
    CHECK(values_of(corpus + "savez.npz:flags") == std::vector<double>{1, 0});
    CHECK(values_of(corpus + "savez.npz:scalar") == std::vector<double>{3});
    CHECK((read_array(corpus + "savez.npz:empty").shape == Shape{0, 3}));
}

TEST_CASE("archive: numpy.savez_compressed's arrays are inflated") {
    CHECK(values_of(corpus + "savez-compressed.npz:x") == std::vector<double>{0, 1, 2, 3, 4, 5});
    CHECK(values_of(corpus + "savez-compressed.npz:zeros") == std::vector<double>(2000, 0));
    const Table count = read_array(corpus + "savez-compressed.npz:count");
    CHECK((count.dtype == DType::int64));
    CHECK(read_rows(count, {598, 2}) == std::vector<double>{598, 599});
    CHECK(read_rows(count, {1, 2}) == std::vector<double>{1, 2});
}

TEST_CASE("archive: tensors of a safetensors file have the dtypes of their names") {
    const std::string file = corpus + "script.safetensors";
    CHECK(values_of(file + ":encoder.weight") == std::vector<double>{0, 1, 2, 3, 4, 5});
    CHECK(values_of(file + ":half") == std::vector<double>{1, 2});
    CHECK((read_array(file + ":brain").dtype == DType::bfloat16));
    CHECK(values_of(file + ":brain") == std::vector<double>{1, 2});
    CHECK(values_of(file + ":flags") == std::vector<double>{0, 1});
    CHECK(values_of(file + ":scalar") == std::vector<double>{-5});
    CHECK((read_array(file + ":empty").shape == Shape{0, 4}));
}

TEST_CASE("archive: what no table can hold is named") {
    CHECK(refusal(corpus + "unread.npz:text") ==
          "unread.npz:text: byte 20: dtype '<U1': text is not read; save numbers");
    CHECK(refusal(corpus + "script.safetensors:quarter")
              .starts_with("script.safetensors:quarter: dtype F8_E4M3, shape [4]: not one of F32"));
}

TEST_CASE("archive: a name that is not there is answered with those that are") {
    CHECK(refusal(corpus + "savez-compressed.npz:zeroes") ==
          "savez-compressed.npz: has no array 'zeroes'; there are x, zeros, count; did you mean "
          "'zeros'?");
    CHECK(refusal(corpus + "savez-compressed.npz") == "savez-compressed.npz:x");
}

TEST_CASE("archive: a file that exists under the whole path is that file") {
    const TemporaryFolder folder;
    const std::string archive = content(corpus + "savez-compressed.npz");
    put(folder.path("a.npz"), archive);
    CHECK(array_path(folder.path("a.npz:x")).file == folder.path("a.npz"));
    CHECK(array_path(folder.path("a.npz:x:y")).name == "x:y");
    put(folder.path("a.npz:x"), archive);
    CHECK(array_path(folder.path("a.npz:x")).file == folder.path("a.npz:x"));
    CHECK(array_path(folder.path("a.npz:x:y")).file == folder.path("a.npz"));
    CHECK(array_path("-:x").file == "-");
    CHECK(array_path(folder.path("none.npz:x")).file == folder.path("none.npz:x"));
}

TEST_CASE("archive: every truncation of a file is refused") {
    const TemporaryFolder folder;
    for (const std::string name : {"savez-compressed.npz", "script.safetensors"}) {
        const std::string whole = content(corpus + name);
        for (std::size_t size = 9; size < whole.size(); ++size) {
            put(folder.path("part"), whole.substr(0, size));
            const auto file = std::make_shared<const InputFile>(folder.path("part"));
            CHECK_THROWS_AS(open_archive(file), FormatError);
        }
    }
}

namespace {

/// Returns a safetensors file with one float32 vector of two elements, 1 and `second`.
std::string one_tensor(const std::string& name, const std::string& second) {
    const std::string header =
        "{\"" + name + "\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}";
    return std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header +
           std::string("\0\0\x80\x3f", 4) + second;
}

const std::string two("\0\0\0\x40", 4), three("\0\0\x40\x40", 4);

}  // namespace

TEST_CASE("archive: the other extents of a tensor without elements are limited") {
    const TemporaryFolder folder;
    const auto refusal_of = [&](const std::string& shape) {
        const std::string header =
            "{\"x\":{\"dtype\":\"F32\",\"shape\":" + shape + ",\"data_offsets\":[0,0]}}";
        put(folder.path("a.safetensors"),
            std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header);
        return refusal(folder.path("a.safetensors"));
    };
    CHECK(refusal_of("[16777216,0]") == "");
    CHECK(refusal_of("[16777217,0]") ==
          "a.safetensors:x: shape (16777217, 0): no elements, but other extents of more than 2^24 "
          "together");
}

TEST_CASE("archive: a folder is read by its index, each array from its own file") {
    const TemporaryFolder folder;
    put(folder.path("model-1.safetensors"), one_tensor("h.pos", two));
    put(folder.path("model-2.safetensors"), one_tensor("h.w", three));
    const std::string index = folder.path("model.safetensors.index.json");
    put(index, R"({"metadata": {"total_size": 16, "more": [{"a": null}]}, "weight_map":
        {"h.w": "model-2.safetensors", "h.pos": "model-1.safetensors",
         "lost": "model-3.safetensors", "absent": "model-1.safetensors"}})");
    CHECK(values_of(index + ":h.w") == std::vector<double>{1, 3});
    CHECK(values_of(folder.path("") + ":pos") == std::vector<double>{1, 2});
    CHECK(open_archive(folder.path("")).members.size() == 4);
    CHECK(refusal(index + ":lost") ==
          "model.safetensors.index.json:lost: shard 3 of 3, model-3.safetensors, is not there");
    CHECK(refusal(index + ":absent") ==
          "model.safetensors.index.json:absent: shard 1 of 3, model-1.safetensors, has no array of "
          "this name");
}

TEST_CASE("archive: an index names only files beside it, and one for each array") {
    const TemporaryFolder folder;
    const std::string index = folder.path("a.json");
    for (const char* const name : {"../a.safetensors", "/etc/passwd", "", "..", "b/c"}) {
        CAPTURE(name);
        put(index, std::string(R"({"weight_map": {"w": ")") + name + "\"}}");
        CHECK_THROWS_AS(open_archive(index), FormatError);
    }
    for (const char* const map : {"[]", "{\"w\": 1}", "{\"w\": [\"a\"]}", "{\"w\": {}}", "1",
                                  "{\"w\": \"a\"", "\"a\"", "{\"w\": \"a\", \"w\": \"b\"}"}) {
        CAPTURE(map);
        put(index, std::string(R"({"weight_map": )") + map + "}");
        CHECK_THROWS_AS(open_archive(index), FormatError);
    }
}

TEST_CASE("archive: an index names no more files than a model has") {
    const TemporaryFolder folder;
    const std::string index = folder.path("a.json");
    const auto with_files = [&](int count) {
        std::string map;
        for (int i = 0; i < count; ++i) {
            map += (i == 0 ? "" : ",") +
                   ("\"w" + std::to_string(i) + "\": \"f" + std::to_string(i) + "\"");
        }
        put(index, R"({"weight_map": {)" + map + "}}");
        return open_archive(index).members.size();
    };
    CHECK(with_files(1 << 13) == 1 << 13);
    CHECK_THROWS_WITH_AS(with_files((1 << 13) + 1),
                         (index + ": weight_map: names 8193 files, more than 2^13").c_str(),
                         FormatError);
}

TEST_CASE("archive: a folder has one file of arrays, or one with a usual name") {
    const TemporaryFolder folder;
    CHECK_THROWS_AS(open_archive(folder.path("")), FormatError);
    put(folder.path("a.safetensors"), one_tensor("w", two));
    CHECK(values_of(folder.path("")) == std::vector<double>{1, 2});
    put(folder.path("b.safetensors"), one_tensor("w", three));
    CHECK_THROWS_AS(open_archive(folder.path("")), FormatError);
    put(folder.path("model.safetensors"), one_tensor("v", three));
    CHECK(values_of(folder.path("") + ":v") == std::vector<double>{1, 3});
}
