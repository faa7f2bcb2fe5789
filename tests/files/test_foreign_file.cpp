#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <string>

#include "files/foreign_file.h"
#include "files/foreign_files.h"
#include "files/read_zip.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

std::string text_of(const std::string& path, const std::string& bytes) {
    const auto file = InputFile::in_memory(path, bytes);
    std::vector<std::string> members;
    if (bytes.starts_with("PK")) {
        for (const ZipMember& member : read_zip(file)) members.push_back(member.name);
    }
    return foreign_text(*file, members);
}

}  // namespace

TEST_CASE("foreign_text: says what each kind of file is, and what to do") {
    for (const ForeignFile& foreign : foreign_files()) {
        const std::string text = text_of("a.x", foreign.bytes);
        CAPTURE(text);
        const std::string begin = "is " + foreign.what;
        CHECK(text.starts_with(begin));
        const std::string rest = text.substr(begin.size());
        CHECK((rest.starts_with(", which is not read; in Python") || rest.starts_with("; ")));
        CHECK(rest.find("{}") == (rest.find("d = {}") == rest.npos ? rest.npos : rest.find("{}")));
    }
}

TEST_CASE("foreign_text: the list of the tests has every kind") {
    std::ifstream source(PEGEN_SOURCE_DIR "/src/files/foreign_file.cpp");
    const std::string text{std::istreambuf_iterator<char>(source), {}};
    std::set<std::string> tested;
    for (const ForeignFile& foreign : foreign_files()) tested.insert(foreign.what);
    std::size_t kinds = 0;
    const std::string opening = "Kind{\"";
    for (std::size_t at = text.find(opening); at != text.npos; at = text.find(opening, at + 1)) {
        const std::size_t begin = at + opening.size();
        CHECK(tested.count(text.substr(begin, text.find('"', begin) - begin)) == 1);
        ++kinds;
    }
    CHECK(kinds > 40);
}

TEST_CASE("foreign_text: names in Python are those of the file, and of another beside it") {
    const auto names = [](const std::string& path, const std::string& bytes) {
        const std::string text = text_of(path, bytes);
        std::string found;
        for (std::size_t at = 0; (at = text.find("(\"", at)) != text.npos;) {
            const std::size_t end = text.find('"', at + 2);
            found += text.substr(at + 2, end - at - 2) + " ";
            at = end;
        }
        return found;
    };
    CHECK(names("b/vit.h5", "\x89HDF\r\n\x1a\n") == "b/vit.h5 b/vit.npz ");
    CHECK(names("t.csv", "1,2\n") == "t.npy t.csv ");
    CHECK(names("t", "1,2\n") == "t.npy t ");
    CHECK(names(".t", "1,2\n") == ".t.npy .t ");
    CHECK(names("a.b/t", "1,2\n") == "a.b/t.npy a.b/t ");
    CHECK(names("t.npy", "1,2\n") == "t.new.npy t.npy ");
    CHECK(names("t.npy.gz", "\x1f\x8b") == "t.npy t.npy.gz ");
    CHECK(names("t", "\x1f\x8b") == "t.npy t ");
    CHECK(names("standard input", "1,2\n") == "FILE.npy FILE ");
    CHECK(text_of("a\"\\.csv", "1,2\n").find(R"(("a\"\\.npy", numpy.genfromtxt("a\"\\.csv",)") !=
          std::string::npos);
}

TEST_CASE("foreign_text: a text of numbers is read with its delimiter, header and indices") {
    const auto reading = [](const std::string& bytes) {
        const std::string text = text_of("t", bytes);
        const std::size_t at = text.find("genfromtxt(\"t\"");
        return at == text.npos ? text : text.substr(at + 14);
    };
    CHECK(reading("position,0,1\n0,0,1\n") == ", delimiter=\",\", skip_header=1, ndmin=2)[:, 1:])");
    CHECK(reading("position,0,1\n,0,0\n0,0,0.5403023\n") ==
          ", delimiter=\",\", dtype=\"float32\", skip_header=1, ndmin=2)[:, 1:])");
    CHECK(reading("position,0\n0,0.54030230586813977\n") ==
          ", delimiter=\",\", skip_header=1, ndmin=2)[:, 1:])");
    CHECK(reading("position,frequency,0,1\n0,0,1,0\n") ==
          ", delimiter=\",\", skip_header=1, ndmin=2)[:, 2:])");
    CHECK(reading("position,value\n0,1\n") == ", delimiter=\",\", skip_header=1, ndmin=2)[:, 1:])");
    CHECK(reading("x,y\n0,1\n") == ", delimiter=\",\", skip_header=1, ndmin=2))");
    CHECK(reading(",0,1\n0,5,6\n") == ", delimiter=\",\", skip_header=1, ndmin=2)[:, 1:])");
    CHECK(reading("0,1\r\n2,3\r\n") == ", delimiter=\",\", ndmin=2))");
    // A first row with a missing number is not a header.
    for (const std::string row : {",1", "NA,1", "1,NA", " null,1"}) {
        CAPTURE(row);
        CHECK(reading(row + "\n2,3\n") == ", delimiter=\",\", ndmin=2))");
    }
    CHECK(reading("\xef\xbb\xbf"
                  "0,1\n2,3\n") == ", delimiter=\",\", encoding=\"utf-8-sig\", ndmin=2))");
    const std::string no_numbers =
        "is a text, but not of numbers; arrays are read from NPY, NPZ and safetensors files";
    for (const char* row : {"0x10,2", "1_000,2", "1,2,"}) {
        CAPTURE(row);
        CHECK(reading(row + std::string("\n3,4\n")) == no_numbers);
    }
    CHECK(reading("0\t1\n2\t3\n") == ", delimiter=\"\\t\", ndmin=2))");
    CHECK(reading("0;1\n2;3\n") == ", delimiter=\";\", ndmin=2))");
    CHECK(reading("0 1\n 2 3\n") == ", ndmin=2))");
    CHECK(reading("1e-05\n") == ", ndmin=2))");
    // The row is longer than the part of the file that is examined.
    std::string row = "0.5";
    while (row.size() < 200000) row += ",0.123456789";
    CHECK(reading(row + "\n" + row + "\n") == ", delimiter=\",\", dtype=\"float32\", ndmin=2))");
    CHECK(reading(std::string(70000, '7')).starts_with(", ndmin=2))"));
    CHECK(reading("0,5;0,7\n") == no_numbers);
}
