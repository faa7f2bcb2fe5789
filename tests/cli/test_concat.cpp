#include <doctest/doctest.h>

#include <string>

#include "cli/folder.h"
#include "program.h"

using namespace pegen;
using pegen::testing::content;
using pegen::testing::Folder;
using pegen::testing::put;

TEST_CASE("concat: puts tables side by side") {
    const Folder folder;
    CHECK(folder.make("concat --csv - --no-header -- index --len 3 -- binary --bits 2 --len 3") ==
          "0,0,0\n1,1,0\n2,0,1\n");
    CHECK(folder.make("concat --keep-channels 2,0 --csv - --no-header -- index --len 3 -- binary "
                      "--bits 2 --len 3") == "0,0\n0,1\n1,2\n");
}

TEST_CASE("concat: puts tables below each other") {
    const Folder folder;
    CHECK(folder.make("concat --along positions --csv - --no-header -- binary --bits 2 --len 2 -- "
                      "binary --bits 2 --len 3 --start 1") == "0,0\n1,0\n1,0\n0,1\n1,1\n");
}

TEST_CASE("concat: every row is that of the parts, whatever their size") {
    const Folder folder;
    folder.make("learned --len 5000 --d 40 --npy left.npy");
    folder.make("sinusoid --len 5000 --d 300 --npy right.npy");
    folder.make("concat --npy both.npy -- left.npy -- sinusoid --len 5000 --d 300");
    for (const std::string side : {"left.npy 0:40", "right.npy 40:"}) {
        const std::string file = side.substr(0, side.find(' '));
        const std::string channels = side.substr(side.find(' ') + 1);
        folder.make("concat --npy part.npy --keep-channels " + channels +
                    " -- learned --len 5000 --d 40 -- right.npy");
        CHECK(folder.run("diff part.npy " + file).status == 0);
    }
}

TEST_CASE("concat: --keep-rows keeps a part of the first axis") {
    const Folder folder;
    CHECK(
        folder.make("concat --keep-rows 999998:1000000 --npy - -- sinusoid --d 6 --len 1000000") ==
        folder.make("sinusoid --d 6 --len 2 --start 999998 --npy -"));
    CHECK(folder.make("concat --keep-rows=-2: --csv - -- index --len 9") ==
          folder.make("index --len 2 --start 7 --csv -"));
    CHECK(folder.make("concat --keep-rows :2 --csv - -- sinusoid --d 2 --positions 5,3,8") ==
          "position,0,1\n0,-0.9589243,0.2836622\n1,0.14112,-0.9899925\n");
    folder.make("alibi --heads 4 --len 5 --npy all.npy");
    folder.make("concat --keep-rows 1:3 --npy part.npy -- alibi --heads 4 --len 5");
    CHECK(folder.run("info part.npy").output.find("shape     (2, 5, 5)") != std::string::npos);
    CHECK(folder.make("concat --keep-rows 1:3 --npy - -- all.npy") ==
          content(folder.path("part.npy")));
    CHECK(folder.make("concat --along positions --keep-rows 2:5 --csv - --no-header -- index "
                      "--len 3 -- index --len 3") == "2\n0\n1\n");
    CHECK(
        folder.make("concat --keep-rows 1:2 --csv - --no-header -- rope --table inv-freq --d 6") ==
        "0.046415888\n");
    for (const std::string range : {"0:10", "-10:", "3:3", "4:2"}) {
        CHECK(folder.run("concat --keep-rows=" + range + " -- index --len 9").errors ==
              "pe-gen: --keep-rows " + range + ": there are rows 0 to 8\n");
    }
    CHECK(folder.run("concat --keep-rows 3 -- index --len 9").errors ==
          "pe-gen: --keep-rows 3: must be FROM:TO\n");
}

TEST_CASE("concat: --sum adds tables of one shape") {
    const Folder folder;
    CHECK(folder.make("concat --sum --csv - --no-header -- binary --bits 2 --len 3 -- binary "
                      "--bits 2 --len 3 --start 1 -- binary --bits 2 --len 3") ==
          "1,0\n2,1\n1,3\n");
    CHECK(folder.make("concat --sum --csv - --no-header -- sinusoid --d 4 --len 9") ==
          folder.make("sinusoid --d 4 --len 9 --csv - --no-header"));
    CHECK(folder.run("concat --sum -- index --len 3 -- index --len 4").errors ==
          "pe-gen: concat: index has the shape (3, 1) and index (4, 1); tables that are added have "
          "one shape\n");
    CHECK(
        folder
            .run("concat --sum -- formula --value 'where(pos>0,-inf,0)' --len 2 -- formula --value "
                 "'where(pos>0,inf,0)' --len 2")
            .errors == "pe-gen: concat --sum: -inf + inf has no value in float64\n");
    CHECK(folder
              .run("concat --sum --dtype f16 -- formula --value 4e4+pos --len 1 -- formula --value "
                   "4e4+pos --len 1")
              .errors ==
          "pe-gen: --dtype float16: cannot hold a sum, 80000; its largest value is 65504\n");
    CHECK(folder.run("concat --sum --along channels -- index -- index").errors ==
          "pe-gen: --along channels: tables that are added stay in place; leave --along out\n");
}

TEST_CASE("concat: --parts and a manifest make the same file") {
    const Folder folder;
    const std::string text = "sinusoid --d 4 --len=3; rope --table cos -d 8 --len 3";
    folder.make("concat --npy a.npy -- sinusoid --d 4 --len 3 -- rope --table cos -d 8 --len 3");
    folder.make("concat --parts '" + text + "' --npy b.npy");
    put(folder.path("m.json"),
        R"({"jobs": [{"encoding": "concat", "parts": ")" + text + R"(", "npy": "c.npy"}]})");
    folder.make("batch m.json");
    CHECK(content(folder.path("a.npy")) == content(folder.path("b.npy")));
    CHECK(content(folder.path("a.npy")) == content(folder.path("c.npy")));
}

TEST_CASE("concat: a part may be any table of its encoding") {
    const Folder folder;
    for (const std::string part :
         {"rope --len 3 --d 4 --table sin", "rope --table=cos --len 3 --d 4"}) {
        CAPTURE(part);
        CHECK(folder.make("concat --csv - --no-header -- " + part) ==
              folder.make(part + " --csv - --no-header"));
    }
}

TEST_CASE("concat: a file is rounded to the dtype of the table") {
    const Folder folder;
    folder.make("sinusoid --d 4 --len 3 --dtype float64 --npy wide.npy");
    CHECK(folder.make("sinusoid --d 4 --len 3 --csv - --no-header") ==
          folder.make("concat --csv - --no-header -- wide.npy"));
}

TEST_CASE("concat: a manifest has the parts as a list, too") {
    const Folder folder;
    folder.make("concat --npy a.npy -- index --len 3 -- sinusoid --d 4 --len 3");
    put(folder.path("m.json"), R"({"jobs": [{"encoding": "concat", "npy": "b.npy",
        "parts": ["index --len 3", "sinusoid --d 4 --len 3"]},
        {"encoding": "concat", "npy": "c.npy", "parts": ["a.npy"]}]})");
    folder.make("batch m.json");
    CHECK(content(folder.path("c.npy")) == content(folder.path("a.npy")));
    CHECK(content(folder.path("b.npy")) == content(folder.path("a.npy")));
}

TEST_CASE("concat: words in quotes have spaces, semicolons and quotes in them") {
    const Folder folder;
    folder.make("index --len 3 --npy \"it's a; b.npy\"");
    folder.make("concat --npy a.npy -- \"it's a; b.npy\" -- index --len 3");
    folder.make("concat --npy b.npy --parts \"plot 'it''s a; b.npy'; index --len 3\"");
    folder.make("concat --npy c.npy -- index --len 3 -- index --len 3");
    CHECK(content(folder.path("a.npy")) == content(folder.path("c.npy")));
    CHECK(content(folder.path("b.npy")) == content(folder.path("c.npy")));
}

TEST_CASE("concat: a part may be one of several parts") {
    const Folder folder;
    folder.make(
        "concat --npy a.npy --parts \"concat --parts 'index --len 2; index --len 2'; index "
        "--len 2\"");
    folder.make("concat --npy b.npy -- index --len 2 -- index --len 2 -- index --len 2");
    CHECK(content(folder.path("a.npy")) == content(folder.path("b.npy")));
}

TEST_CASE("concat: refuses what does not fit together") {
    const Folder folder;
    const auto refused = [&](const std::string& arguments, const std::string& message) {
        const ProgramRun run = folder.run("concat " + arguments);
        CAPTURE(arguments);
        CHECK(run.status == 2);
        CHECK(run.errors == "pe-gen: " + message + "\n");
    };
    refused("", "concat: needs tables, as in pe-gen concat -- sinusoid --d 8 -- rope");
    refused(
        "-- index --len 3 -- index --len 4",
        "concat: index has the shape (3, 1) and index (4, 1); along the channels they must agree "
        "on all axes but the last");
    refused("--parts 'index; whispr'",
            "--parts 'whispr': is no encoding or preset; did you mean 'whisper'?");
    refused("--parts 'index --lenn 3'",
            "--parts 'index': has no parameter --lenn; did you mean 'len'?");
    refused("--parts 'rope --table tan'", "--parts 'rope': has no table tan");
    refused("--parts 'index --len'", "--parts 'index': --len needs a value");
    refused("--parts \"index 'x\"", "--parts 'index 'x': a quotation mark is missing");
    refused("--parts 'index;;index'", "--parts 'index;;index': a table is missing");
    refused("-- index --dtype float64",
            "concat: index: --dtype is that of the whole table; move it before the first --");
    put(folder.path("p.npy"), "");
    refused("--npy p.npy -- fourier --points p.npy -- index",
            "--points p.npy: would be replaced by the npy of the table; choose another name");
}
