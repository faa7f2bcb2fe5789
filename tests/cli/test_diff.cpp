#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/folder.h"
#include "encodings/npy_file.h"
#include "program.h"

using namespace std::string_literals;
using pegen::testing::content;
using pegen::testing::Folder;
using pegen::testing::put;

TEST_CASE("diff: a file is equal to the encoding it was made of in any dtype") {
    const Folder folder;
    for (const char* dtype : {"float32", "float64", "float16", "bfloat16"}) {
        CAPTURE(dtype);
        REQUIRE(folder.run("fairseq --d 16 --len 40 --npy a.npy --dtype "s + dtype).status == 0);
        const ProgramRun run = folder.run("diff a.npy -- fairseq --d 16 --len 40");
        CHECK(run.status == 0);
        CHECK(run.output == "A         a.npy: (40, 16), "s + dtype +
                                "\nB         fairseq --d 16 --len 40: (40, 16), " + dtype +
                                "\nverdict   equal: all values are the same\n");
    }
    CHECK(folder.run("diff a.npy -- fairseq --d 16 --len 40 --dtype float32").status == 1);
}

TEST_CASE("diff: says how far tables are apart and where") {
    const Folder folder;
    put(folder.path("a.npy"), npy_file("<f4", "False", "(2, 1)", "\0\0\x80\x3f\0\0\0\x40"s));
    put(folder.path("b.npy"), npy_file("<f4", "False", "(2, 1)", "\0\0\x80\x3f\1\0\0\x40"s));
    const ProgramRun run = folder.run("diff a.npy b.npy");
    CHECK(run.status == 1);
    CHECK(run.output ==
          "A         a.npy: (2, 1), float32\n"
          "B         b.npy: (2, 1), float32\n"
          "differing 1 of 2 values (50 %), 1 beyond the tolerance\n"
          "largest   2.38419e-07 at (1, 0): 2 in A, 2.0000002 in B\n"
          "ULP       1 of float32 at (1, 0): 2 in A, 2.0000002 in B\n"
          "verdict   different\n"
          "reason    The differences are as large as those of float32 arithmetic: at most 2 p "
          "2^-23 at position p. --position-tolerance 2 allows them.\n");
    CHECK(folder.run("diff a.npy b.npy --ulp 1").status == 0);
    CHECK(folder.run("diff a.npy b.npy --atol 2.4e-7").status == 0);
    CHECK(folder.run("diff a.npy b.npy --rtol 1e-7").status == 1);
    CHECK(folder.run("diff --position-tolerance a.npy b.npy").status == 1);
    CHECK(folder.run("diff --position-tolerance 2 a.npy b.npy").status == 0);
    CHECK(folder.run("diff --position-axis 1 --position-tolerance 2 a.npy b.npy").status == 1);
    const ProgramRun quiet = folder.run("diff -q a.npy b.npy");
    CHECK(quiet.status == 1);
    CHECK((quiet.output + quiet.errors).empty());
    const auto json = nlohmann::json::parse(folder.run("diff --json a.npy b.npy").output);
    CHECK(json["equal"] == false);
    CHECK(json["share"] == 0.5);
    CHECK(json["largest_at"]["index"] == nlohmann::json{1, 0});
    CHECK(json["largest_ulps"] == 1);
}

TEST_CASE("diff: says what is the other one, rounded, exchanged or with a NaN") {
    const Folder folder;
    folder.run("sinusoid --len 40 --d 16 -q --npy a.npy");
    folder.run("sinusoid --len 40 --d 16 -q --dtype float64 --npy double.npy");
    folder.run("sinusoid --len 40 --d 16 -q --dtype float16 --npy half.npy");
    const auto reason = [&](const std::string& files) {
        const std::string output = folder.run("diff " + files).output;
        return output.substr(output.find("\nreason") + 11);
    };
    CHECK(reason("a.npy double.npy") == "A is B, rounded to float32.\n");
    CHECK(reason("double.npy half.npy") == "B is A, rounded to float16.\n");
    folder.run("t5 --len 6 --key-len 6 -q --npy t5.npy");
    // The same bytes in Fortran's order are the matrix transposed.
    const std::string data = content(folder.path("t5.npy")).substr(128);
    put(folder.path("exchanged.npy"), npy_file("<i8", "True", "(6, 6)", data));
    if (PEGEN_HAS_RECOGNITION) {
        CHECK(reason("t5.npy exchanged.npy").find("; transposed") != std::string::npos);
        // Of float32 code, whose angles are off by some units at high positions.
        folder.run("fairseq --len 3000 --start 2 --d 64 -q --npy exact.npy");
        folder.run("fairseq --len 3000 --start 2 --d 64 -q --arith float32 --npy code.npy");
        const std::string both = reason("exact.npy code.npy");
        CAPTURE(both);
        CHECK(both.find("exact.npy and code.npy are both made by pe-gen sinusoid --len 3000") == 0);
        CHECK(both.find("--position-tolerance --first-position 2 allows") != std::string::npos);
        CHECK(
            folder.run("diff exact.npy code.npy --position-tolerance --first-position 2").status ==
            0);
    }
    std::string spoiled = content(folder.path("a.npy"));
    spoiled.replace(spoiled.size() - 4, 4, "\xff\xff\xff\x7f");
    put(folder.path("nan.npy"), spoiled);
    const std::string output = folder.run("diff a.npy nan.npy").output;
    CHECK(output.find("largest   nan at (39, 15): ") != std::string::npos);
    CHECK(output.find("ULP") == std::string::npos);
}

TEST_CASE("diff: a bare position tolerance is that of float32") {
    const Folder folder;
    put(folder.path("a.npy"), npy_file("<f4", "False", "(2,)", "\0\0\x80\x3f\1\0\x80\x3f"s));
    put(folder.path("b.npy"), npy_file("<f4", "False", "(2,)", "\0\0\x80\x3f\0\0\x80\x3f"s));
    CHECK(folder.run("diff a.npy b.npy").status == 1);
    CHECK(folder.run("diff a.npy b.npy --position-tolerance").status == 0);
    CHECK(folder.run("diff --position_tolerance a.npy b.npy").status == 0);
    CHECK(folder.run("diff --position-tolerance 0.9 a.npy b.npy").status == 1);
}

TEST_CASE("diff: an encoding takes the extents of the file that it leaves open") {
    const Folder folder;
    const auto second_line = [&](const std::string& arguments) {
        const ProgramRun run = folder.run("diff a.npy -- " + arguments);
        CHECK(run.status == 0);
        const std::size_t begin = run.output.find('\n') + 1;
        return run.output.substr(begin, run.output.find('\n', begin) - begin);
    };
    REQUIRE(folder.run("fairseq --d 16 --len 40 --npy a.npy").status == 0);
    CHECK(second_line("fairseq") == "B         fairseq --len 40 --d 16: (40, 16), float32");
    CHECK(second_line("fairseq --d 16") == "B         fairseq --d 16 --len 40: (40, 16), float32");
    REQUIRE(folder.run("mae --d 32 --height 5 --width 5 --npy a.npy").status == 0);
    CHECK(second_line("mae").starts_with("B         mae --height 5 "));
    REQUIRE(folder.run("detr --num-pos-feats 6 --height 4 --width 3 --npy a.npy").status == 0);
    CHECK(second_line("detr") ==
          "B         detr --num-pos-feats 6 --height 4 --width 3: (1, 12, 4, 3), float32");
    CHECK(folder.run("diff a.npy -- detr --height 5").output.find("shapes are not equal") !=
          std::string::npos);
}

TEST_CASE("diff: axes of extent 1 are not counted, and a class token has its row") {
    const Folder folder;
    folder.make("mae --height 5 --width 5 --d 16 --prefix-rows 1 --npy a.npy");
    put(folder.path("batch.npy"),
        npy_file("<f4", "False", "(1, 26, 16)", content(folder.path("a.npy")).substr(128)));
    CHECK(folder.make("diff batch.npy -- mae") ==
          "A         batch.npy: (1, 26, 16), float32\n"
          "B         mae --height 5 --width 5 --d 16 --prefix-rows 1: (26, 16), float32\n"
          "verdict   equal: all values are the same (axes of extent 1 are not counted)\n");
    CHECK(folder.make("diff a.npy batch.npy").find("equal: all values") != std::string::npos);
    const auto json = nlohmann::json::parse(folder.make("diff --json batch.npy a.npy"));
    CHECK(json["a"]["shape"] == nlohmann::json{1, 26, 16});
    CHECK(folder.run("diff batch.npy -- mae --height 26 --width 1 --prefix-rows 0").status == 1);
    CHECK(folder.make("compare batch.npy mae") ==
          "batch.npy and mae are the same table: all 416 values are equal.\n"
          "batch.npy has shape (1, 26, 16), mae has shape (26, 16).\n"
          "batch.npy is made by pe-gen mae --height 5 --width 5 --d 16 --prefix-rows 1.\n");
    // The row of a class token may be trained.
    std::string trained = content(folder.path("a.npy"));
    trained.replace(128, 4, "\0\0\x80\x3f"s);
    put(folder.path("a.npy"), trained);
    CHECK(folder.run("compare a.npy mae")
              .output.starts_with("a.npy is mae, but for row 0, which is zeros in mae.\n"));
    if (!PEGEN_HAS_RECOGNITION) return;
    CHECK(folder.run("identify a.npy").output ==
          "verdict     not identified\n"
          "nearest     pe-gen grid --height 5 --width 5 --d 16 --order afk --axes xy --prefix-rows "
          "1\n"
          "departure   one value, at (0, 0): 1 instead of 0\n");
}

TEST_CASE("diff: positions of two files count from --first-position") {
    const Folder folder;
    put(folder.path("a.npy"), npy_file("<f4", "False", "(2,)", "\1\0\x80\x3f\0\0\x80\x3f"s));
    put(folder.path("b.npy"), npy_file("<f4", "False", "(2,)", "\0\0\x80\x3f\0\0\x80\x3f"s));
    CHECK(folder.run("diff a.npy b.npy --position-tolerance").status == 1);
    CHECK(folder.run("diff a.npy b.npy --position-tolerance --first-position 2").status == 0);
    CHECK(folder.run("diff a.npy --first-position 2 -- index --len 2").errors ==
          "pe-gen: --first-position: is for two files; an encoding says its own, as in -- fairseq "
          "--start 2\n");
}

TEST_CASE("diff: either side may be an encoding or standard input") {
    const Folder folder;
    CHECK(folder.run("diff -- whisper --d 8 --len 9 -- marian --d 8 --len 9").status == 0);
    CHECK(folder.run("diff -- whisper --d 8 --len 9 -- vaswani --d 8 --len 9").status == 1);
    REQUIRE(folder.run("index --len 9 --npy a.npy").status == 0);
    CHECK(folder.run("diff - a.npy <a.npy").status == 0);
    CHECK(folder.run("list >/dev/null; cat a.npy | '" PEGEN_PROGRAM "' diff a.npy -").status == 0);
}

TEST_CASE("diff: says why a checkpoint is off by two") {
    const Folder folder;
    REQUIRE(folder.run("fairseq --start 2 --d 16 --len 40 --npy a.npy").status == 0);
    const ProgramRun shifted = folder.run("diff a.npy -- fairseq --d 16 --len 40");
    CHECK(shifted.status == 1);
    CHECK(shifted.output.ends_with(
        "reason    Row r of A is row r + 2 of B, judging by the first rows.\n"));
    const ProgramRun longer = folder.run("diff a.npy -- fairseq --d 16 --len 42");
    CHECK(longer.status == 1);
    CHECK(longer.output.ends_with(
        "verdict   different: the shapes are not equal\nreason    B has 2 more rows; row r of A is "
        "row r + 2 of B, judging by the first rows.\n"));
}

TEST_CASE("diff: a shift by one row has its sign") {
    const Folder folder;
    REQUIRE(folder.run("sinusoid --d 16 --len 40 --npy a.npy").status == 0);
    for (const auto& [start, row] : {std::pair("1", "r - 1"), std::pair("-1", "r + 1")}) {
        const std::string answer =
            folder.run(fmt::format("diff a.npy -- sinusoid --d 16 --len 40 --start={}", start))
                .output;
        CHECK(answer.find(fmt::format("Row r of A is row {} of B", row)) != std::string::npos);
    }
}

TEST_CASE("diff: draws the difference whole or not at all") {
    const Folder folder;
    REQUIRE(folder.run("vaswani --d 16 --len 40 --npy a.npy").status == 0);
    CHECK(folder.run("diff a.npy --png d.png --figsize 3x2 -- whisper --d 16 --len 40").status ==
          1);
    CHECK(folder.run("info d.png").output ==
          "format    png\npixels    300x200\ncommand   not known\n");
    CHECK(folder.run("diff a.npy --png e.png -- whisper --d 16 --len 40 >/dev/full").status == 4);
    CHECK(folder.run("diff a.npy --png e.png -- whisper --d 16 --len 41").status == 2);
    CHECK(folder.run("diff a.npy --png a.npy -- whisper --d 16 --len 40").status == 2);
    CHECK(folder.names() == std::set<std::string>{"a.npy", "d.png"});
}

TEST_CASE("diff: 0 has the colour in the middle unless limits are given") {
    const Folder folder;
    REQUIRE(folder.run("vaswani --d 4 --len 2 --npy a.npy").status == 0);
    REQUIRE(folder.run("vaswani --d 4 --len 2 --out-scale 3 --npy b.npy").status == 0);
    const auto drawn = [&](const std::string& options) {
        folder.run("diff a.npy b.npy --no-axes --png d.png " + options);
        return content(folder.path("d.png"));
    };
    const std::string usual = drawn("");
    CHECK(drawn("--vcentre 0") == usual);
    CHECK(drawn("--vmin -2 --vmax 2") == usual);
    CHECK(drawn("--vcentre 1") != usual);
}

TEST_CASE("diff: its help has its own options and those of figures") {
    const ProgramRun run = run_program("diff --help all");
    CHECK(run.status == 0);
    CHECK(run.output.find("--position-tolerance X") != std::string::npos);
    CHECK(run.output.find("--cmap WORD") != std::string::npos);
    CHECK(run.output.find("--show-size") == std::string::npos);
    CHECK(run.output.find("--animate") == std::string::npos);
    CHECK(run_program("info --help").output.starts_with("info: what a file contains"));
}

TEST_CASE("diff: what cannot be compared is refused with the rule") {
    const Folder folder;
    put(folder.path("a.npy"), npy_file("<f4", "False", "(1,)", "\0\0\0\0"s));
    const auto check = [&](const std::string& arguments, int status, const std::string& message) {
        CAPTURE(arguments);
        const ProgramRun run = folder.run("diff " + arguments);
        CHECK(run.status == status);
        CHECK(run.errors == "pe-gen: " + message + "\n");
        CHECK(run.output.empty());
    };
    const std::string two =
        "diff: needs two tables: files, or encodings after '--', as in pe-gen diff "
        "mine.npy -- fairseq --d 512 --len 1024";
    check("", 2, two);
    check("a.npy", 2, two);
    check("a.npy a.npy -- index", 2, two);
    check("- -", 2, "diff: standard input can be only one of the tables");
    check("a.npy --", 2,
          "diff: a name must follow '--', as in pe-gen diff mine.npy -- fairseq --d 512");
    check("a.npy -- index --npy b.npy", 2,
          "diff: only what makes a table may stand after '--'; move all else before it");
    check("a.npy -- index --threads 1", 2,
          "diff: only what makes a table may stand after '--'; move all else before it");
    check("a.npy -- indeks", 2,
          "'indeks': no such encoding, preset or command; did you mean 'index'?");
    check("a.npy fairseq --d 16", 2,
          "diff: there is no file 'fairseq'; put an encoding last, after --: pe-gen diff FILE -- "
          "fairseq");
    check("a.npy a.npy --cmap gray", 2, "--cmap: has no effect without --png");
    for (const std::string name : {"-", "/dev/stdout"}) {
        check("a.npy a.npy --png " + name, 2,
              "--png " + name + ": standard output has the report; name a file");
    }
    check("a.npy a.npy --position-axis 1", 2, "--position-axis 1: the tables have 1 axes");
    check("a.npy a.npy --atol -1", 2, "--atol -1: must be at least 0");
    check("a.npy none.npy", 4, "none.npy: cannot open: No such file or directory");
    check("a.npy /proc/self/ns", 3,
          "/proc/self/ns: is a folder without a file of arrays: none ends with "
          ".safetensors.index.json, .bin.index.json, .safetensors, .bin, .pth, .pt, .gguf, .npz");
    put(folder.path("short.npy"), npy_file("<f4", "False", "(2,)", "\0\0\0\0"s));
    check("a.npy short.npy", 3,
          "short.npy: byte 70: the file has 70 bytes where shape (2,) of float32 needs 74");
}
