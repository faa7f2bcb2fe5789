#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/error.h"
#include "files/temporary_folder.h"
#include "formats/csv.h"
#include "formats/fake_table.h"
#include "formats/npy.h"
#include "formats/write.h"
#include "inspect/out_of_date.h"
#include "program.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

/// A file, and the reason why it is not the file of a table of counted numbers.
struct Case {
    TemporaryFolder folder;
    std::string path = folder.path("file");

    void write(const Format& format, const Table& table) const {
        std::vector<Output> outputs;
        outputs.push_back({&format, Parameters(format.parameters()), OutputFile(path)});
        if (format.archive) {
            write_archive(std::span(&table, 1), outputs.front());
        } else {
            write_table(table, outputs);
        }
        commit(outputs);
    }

    std::string why(const Format& format, const Table& table) const {
        const Parameters parameters(format.parameters());
        const std::span<const Table> tables(&table, 1);
        const Standing standing = compare_with_file(path, tables, format, parameters);
        CHECK(standing.state == Freshness::out_of_date);
        return why_out_of_date(path, standing, tables, format, parameters);
    }
};

Table counted(const Shape& shape, DType dtype = DType::float32) {
    Table table = counting_table(shape, dtype);
    table.name = "a";
    return table;
}

}  // namespace

TEST_CASE("out of date: NPY files by shape, dtype, length and row") {
    const Case file;
    const Table table = counted({3, 4});
    for (const auto& [before, reason] :
         {std::pair(counted({3, 8}), "shape (3, 8) -> (3, 4)"),
          std::pair(counted({12}), "shape (12,) -> (3, 4)"),
          std::pair(counted({3, 4}, DType::float64), "dtype float64 -> float32")}) {
        file.write(formats::npy, before);
        CHECK(file.why(formats::npy, table) == reason);
    }
    file.write(formats::npy, table);
    const std::string whole = content(file.path);
    const std::size_t header = whole.size() - 48;
    for (std::size_t i = 0; i < 48; ++i) {
        std::string other = whole;
        other[header + i] ^= 1;
        put(file.path, other);
        CHECK(file.why(formats::npy, table) == "row " + std::to_string(i / 16) + " differs");
    }
    put(file.path, whole.substr(0, whole.size() - 1));
    CHECK(file.why(formats::npy, table) == "ends too early, after 175 bytes");
    put(file.path, whole + "x");
    CHECK(file.why(formats::npy, table) == "goes on after its end");
    std::string other = whole;
    other[header - 2] = '\t';
    put(file.path, other);
    CHECK(file.why(formats::npy, table) == "its header differs");
    for (const char* garbage : {"", "garbage", "\x93NPY"}) {
        put(file.path, garbage);
        CHECK(file.why(formats::npy, table) == "is not in the format npy");
    }
}

TEST_CASE("out of date: CSV files by shape and line") {
    const Case file;
    const Table table = counted({3, 4});
    file.write(formats::csv, counted({3, 8}));
    CHECK(file.why(formats::csv, table) == "shape (3, 8) -> (3, 4)");
    file.write(formats::csv, counted({2, 4}));
    CHECK(file.why(formats::csv, table) == "shape (2, 4) -> (3, 4)");
    file.write(formats::csv, table);
    std::string text = content(file.path);
    text[text.size() - 2] = '7';
    put(file.path, text);
    CHECK(file.why(formats::csv, table) == "line 4 differs");
    put(file.path, "garbage\n");
    CHECK(file.why(formats::csv, table) == "line 1 differs");
    put(file.path, "");
    CHECK(file.why(formats::csv, table) == "ends too early, after 0 bytes");
    file.write(formats::csv, counted({2, 3, 5}));
    CHECK(file.why(formats::csv, counted({2, 3, 4})) == "line 1 differs");
}

TEST_CASE("out of date: texts by line, however long they are") {
    const Case file;
    const Table table = counted({40'000, 2}, DType::int64);
    file.write(formats::csv, table);
    const std::string text = content(file.path);
    for (const std::size_t line : {1u, 2u, 20'000u, 40'000u}) {
        std::size_t begin = 0;
        for (std::size_t i = 1; i < line; ++i) begin = text.find('\n', begin) + 1;
        std::string other = text;
        other[begin] = 'x';
        put(file.path, other);
        CHECK(file.why(formats::csv, table) == "line " + std::to_string(line) + " differs");
    }
}

TEST_CASE("out of date: NPZ files by their arrays") {
    const Case file;
    const Table table = counted({3, 4});
    file.write(formats::npz, counted({3, 8}));
    CHECK(file.why(formats::npz, table) == "a: shape (3, 8) -> (3, 4)");
    file.write(formats::npz, counted({3, 4}, DType::int32));
    CHECK(file.why(formats::npz, table) == "a: dtype int32 -> float32");
    Table other = counted({3, 4});
    other.name = "b";
    file.write(formats::npz, other);
    CHECK(file.why(formats::npz, table) == "has no array a");
    file.write(formats::npz, counted({12, 1}));
    CHECK(file.why(formats::npz, counted({12, 1}, DType::int32)) == "a: dtype float32 -> int32");
}

TEST_CASE("out of date: what is no file is said to be none") {
    const Case file;
    std::filesystem::create_directory(file.path);
    CHECK(file.why(formats::npy, counted({1, 1})) == "is not a regular file");
}

TEST_CASE("changed origin: names what is otherwise as a user would type it") {
    const auto change = [](const char* before, const char* now) {
        return changed_origin("a.png", before, now);
    };
    const std::string same = R"({"encoding": "mae", "parameters": {"d": 64}})";
    CHECK(change(same.c_str(), same.c_str()).empty());
    CHECK(change(R"({"parameters": {"d": 64}})", R"({"parameters": {"d": 128}})") ==
          "d: 64 -> 128");
    CHECK(change(R"({"figure": {"title": "MAE"}})", R"({"figure": {"title": "MAE, new"}})") ==
          "title: 'MAE' -> 'MAE, new'");
    CHECK(change("{}", R"({"figure": {"title": "x", "figsize": [5.0, 4.5], "no-axes": true}})") ==
          "title: none -> 'x'; figsize: 10x8 -> 5x4.5; no-axes: false -> true");
    CHECK(change(R"({"dtype": "float64", "preset": "bert"})", "{}") ==
          "dtype: 'float64' -> 'float32'; preset: 'bert' -> none");
    CHECK(change(R"({"parameters": {"p": [1.0, 2.5]}})", R"({"parameters": {"p": null}})") ==
          "p: 1,2.5 -> none");
    CHECK(change("{}", R"({"parameters": {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}})") ==
          "a: none -> 1; b: none -> 2; c: none -> 3; and 2 more");
    CHECK_THROWS_AS(change("[]", "{}"), FormatError);
}

TEST_CASE("changed origin: a stranger's texts are short and without control characters") {
    const std::string long_text(1000, 'x');
    const std::string text =
        changed_origin("a.png", R"({"figure": {"title": "\u001b[31m)" + long_text + "\"}}", "{}");
    CHECK(text.starts_with("title: '\\x1b[31mxxx"));
    CHECK(text.size() < 200);
    const std::string letters = [] {
        std::string many;
        for (int i = 0; i < 100; ++i) many += "\xc3\xa4";
        return many;
    }();
    for (const std::string& before : {letters, "x" + letters}) {
        const std::string cut =
            changed_origin("a.png", R"({"figure": {"title": ")" + before + "\"}}", "{}");
        CHECK(cut.find("\xc3...") == std::string::npos);
    }
}

TEST_CASE("out of date: what carries its origin is compared by it") {
    const TemporaryFolder folder;
    const auto manifest = [&](const std::string& settings) {
        put(folder.path("m.json"), R"({"jobs": [{"encoding": "rope", "table": "cos", "len": 4,
            "figsize": "2x2", "png": "a.png", "svg": "a.svg", "pdf": "a.pdf", "html": "a.html",
            "json": "a.json",
            "safetensors": "a.safetensors")" +
                                       settings + "}]}");
    };
    const auto check = [&] {
        std::string text = run_program("batch --check m.json", folder.path("")).output;
        return text.substr(0, text.rfind("1 job"));
    };
    manifest("");
    run_program("batch -q m.json", folder.path(""));
    manifest(R"(, "base": 500)");
    std::string all;
    for (const char* name : {"a.png", "a.svg", "a.pdf", "a.html", "a.json", "a.safetensors"}) {
        all += std::string("out of date: ") + name + ": base: 10000 -> 500\n";
    }
    CHECK(check() == all);
    manifest(R"(, "dtype": "float64")");
    CHECK(check().find("a.safetensors: cos: 'float32' -> 'float64'\n") != std::string::npos);
    manifest("");
    std::string svg = content(folder.path("a.svg"));
    put(folder.path("a.svg"), svg.replace(svg.find("<g>"), 3, "<g >"));
    std::string pdf = content(folder.path("a.pdf"));
    put(folder.path("a.pdf"), pdf.replace(pdf.find("[0 0 144"), 8, "[0 0 145"));
    std::string json = content(folder.path("a.json"));
    put(folder.path("a.json"), json.replace(json.rfind("0."), 2, "9."));
    std::string tensors = content(folder.path("a.safetensors"));
    tensors.back() ^= 1;
    put(folder.path("a.safetensors"), tensors);
    const std::string reasons = check();
    CHECK(reasons.find("out of date: a.json: line ") != std::string::npos);
    CHECK(reasons.find("out of date: a.svg: line ") != std::string::npos);
    CHECK(reasons.find("out of date: a.pdf: what it shows differs\n") != std::string::npos);
    CHECK(reasons.find("out of date: a.safetensors: byte " + std::to_string(tensors.size() - 1) +
                       " differs") != std::string::npos);
    put(folder.path("a.png"), "garbage");
    CHECK(check().find("out of date: a.png: is not in the format png\n") != std::string::npos);
}
