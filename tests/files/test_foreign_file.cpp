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
        CAPTURE(foreign.what);
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
    CHECK(kinds > 38);
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
    CHECK(names("t.csv", "{}") == "t.npy t.csv ");
    CHECK(names("t", "{}") == "t.npy t ");
    CHECK(names(".t", "{}") == ".t.npy .t ");
    CHECK(names("a.b/t", "{}") == "a.b/t.npy a.b/t ");
    CHECK(names("t.npy", "{}") == "t.new.npy t.npy ");
    CHECK(names("t.npy.gz", "\x1f\x8b") == "t.npy t.npy.gz ");
    CHECK(names("t", "\x1f\x8b") == "t.npy t ");
    CHECK(names("standard input", "{}") == "FILE.npy FILE ");
    CHECK(text_of("a\"\\.csv", "{}").find(R"x(open("a\"\\.csv"))x") != std::string::npos);
}
