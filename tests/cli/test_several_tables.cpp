#include <doctest/doctest.h>

#include <set>
#include <string>

#include "encodings/npy_file.h"
#include "files/temporary_folder.h"
#include "program.h"

using pegen::testing::content;
using pegen::testing::TemporaryFolder;

namespace {

using Names = std::set<std::string>;

void make(const TemporaryFolder& folder, const std::string& arguments) {
    const ProgramRun run = run_program(arguments, folder.path(""));
    CHECK_MESSAGE((run.status == 0), arguments, ": ", run.errors);
}

}  // namespace

TEST_CASE("several tables: each has its name in place of {table}, and is what it is alone") {
    const TemporaryFolder folder;
    make(folder, "rope --d 8 --len 5 --table cos,inv-freq --npy {table}.npy --csv x-{table}.csv");
    CHECK(folder.names() == Names{"cos.npy", "inv-freq.npy", "x-cos.csv", "x-inv-freq.csv"});
    for (const std::string table : {"cos", "inv-freq"}) {
        make(folder, "rope --d 8 --len 5 --npy alone.npy --table " + table);
        CHECK(content(folder.path("alone.npy")) == content(folder.path(table + ".npy")));
    }
}

TEST_CASE("several tables: all makes every table, and --dtype is of those that it fits") {
    const TemporaryFolder folder;
    make(folder, "t5 --len 3 --table all --dtype float16 --npy {table}.npy");
    CHECK(folder.names() == Names{"bias.npy", "bucket.npy"});
    CHECK(content(folder.path("bias.npy")).find("'<f2'") != std::string::npos);
    CHECK(content(folder.path("bucket.npy")).find("'<i8'") != std::string::npos);
}

TEST_CASE("several tables: one that cannot be made leaves none") {
    const TemporaryFolder folder;
    // The angles are beyond the largest number of float16.
    const ProgramRun run = run_program(
        "rope --d 8 --start 100000 --len 5 --dtype float16 --table cos,angles --npy {table}.npy",
        folder.path(""));
    CHECK(run.status == 2);
    CHECK(run.errors.find("the largest angle") != std::string::npos);
    CHECK(folder.names().empty());
}

TEST_CASE("several tables: without a file, each is printed below its name") {
    const ProgramRun run = run_program("rope --d 4 --len 2 --table cos,inv-freq");
    CHECK(run.status == 0);
    CHECK(run.output == "cos\n" + run_program("rope --d 4 --len 2 --table cos").output +
                            "inv-freq\n" +
                            run_program("rope --d 4 --len 2 --table inv-freq").output);
    CHECK(run_program("rope --d 4 --len 2 --table cos,sin --quiet").output.empty());
}

TEST_CASE("several tables: each needs a file, but for a figure") {
    const TemporaryFolder folder;
    const auto refusal = [&](const std::string& arguments) {
        const ProgramRun run = run_program("rope --d 8 --table " + arguments, folder.path(""));
        CHECK(run.status == 2);
        return run.errors;
    };
    CHECK(refusal("cos,sin --npy a.npy") ==
          "pe-gen: a.npy: 2 tables need a file each; use {table} in its name, as in --npy "
          "{table}.npy, or --npz for one file of all\n");
    CHECK(refusal("cos,sin --text -") ==
          "pe-gen: standard output: 2 tables need a file each; use {table} in its name, as in "
          "--text {table}.txt, "
          "or --npz for one file of all\n");
    CHECK(refusal("cos,cos --npy {table}.npy") == "pe-gen: --table cos,cos: names cos twice\n");
    CHECK(refusal("cos,sin --config - --npy {table}.npy </dev/null") ==
          "pe-gen: --config -: standard input can be read for one table only; give a file for 2\n");
    CHECK(refusal("all,cos --npy {table}.npy") ==
          "pe-gen: --table all,cos: all is every table; give it alone\n");
    CHECK(folder.names().empty());
}

TEST_CASE("several tables: a figure without {table} in its name has a panel for each") {
    const TemporaryFolder folder;
    make(folder,
         "rope --d 8 --len 5 --table cos,sin --dtype float64 --svg both.svg --npy {table}.npy");
    CHECK(folder.names() == Names{"both.svg", "cos.npy", "sin.npy"});
    const auto elements_of = [&](const char* name) {
        return content(folder.path(name)).substr(128);
    };
    pegen::testing::put(
        folder.path("stack.npy"),
        npy_file("<f8", "False", "(2, 5, 8)", elements_of("cos.npy") + elements_of("sin.npy")));
    make(folder, "plot stack.npy --axes head,position,channel --svg stack.svg");
    const auto images_of = [&](const char* name) {
        std::vector<std::string> images;
        const std::string svg = content(folder.path(name));
        for (auto at = svg.find("<image"); at != svg.npos; at = svg.find("<image", at + 1)) {
            images.push_back(svg.substr(at, svg.find('>', at) - at));
        }
        return images;
    };
    CHECK(images_of("both.svg").size() == 3);  // two panels and the colour bar
    CHECK(images_of("both.svg") == images_of("stack.svg"));

    const std::string svg = content(folder.path("both.svg"));
    for (const char* text : {">cos</text>", ">sin</text>", ">cos, sin</text>",
                             ">RoPE, Cosines, Sines (d=8, max_len=5)</text>"}) {
        CHECK_MESSAGE(svg.find(text) != svg.npos, text);
    }
    CHECK(run_program("info both.svg", folder.path(""))
              .output.find(
                  "pe-gen rope --table cos,sin --len 5 --d 8 --dtype float64 --svg both.svg\n") !=
          std::string::npos);
    make(folder, "rope --d 8 --len 5 --table cos,sin --dtype float64 --svg alone.svg");
    CHECK(content(folder.path("alone.svg")) == svg);
    CHECK(run_program("rope --d 8 --len 5 --table cos,sin --show").output.find("cos ") !=
          std::string::npos);
}

TEST_CASE("several tables: a figure follows a parameter that --animate changes") {
    const ProgramRun run =
        run_program("rope --d 8 --len 5 --table cos,sin --animate base=10..1000 --svg -");
    CHECK(run.status == 0);
    CHECK(run.output.find(">RoPE, Cosines, Sines (d=8, max_len=5), base = 1,000") !=
          std::string::npos);
}

TEST_CASE("several tables: panels have one shape and dtype, and two axes") {
    const TemporaryFolder folder;
    const auto refusal = [&](const std::string& arguments) {
        const ProgramRun run = run_program(arguments, folder.path(""));
        CHECK(run.status == 2);
        return run.errors;
    };
    const std::string advice = "; draw each by itself, as --png {table}.png does\n";
    CHECK(refusal("rope --d 8 --len 5 --table cos,inv-freq --png a.png") ==
          "pe-gen: inv-freq: has one axis, and panels of a figure have two" + advice);
    CHECK(
        refusal("rope --d 8 --len 5 --table cos,angles --show") ==
        "pe-gen: cos and angles: panels of a figure have the same axes and dtype, not float32 (5, "
        "8) of (position, channel) and float32 (5, 4) of (position, frequency)" +
            advice);
    // Of one shape by chance.
    CHECK(
        refusal("attention rope --tokens 8 --heads 2 --d-head 8 --table alpha,q --png a.png") ==
        "pe-gen: alpha and q: panels of a figure have the same axes and dtype, not float64 (2, 8, "
        "8) of (head, query, key) and float64 (2, 8, 8) of (head, query, channel)" +
            advice);
    CHECK(refusal("deberta --table all --dtype int32 --png a.png --npz a.npz") ==
          "pe-gen: a.png: shows all 2 tables, and a.npz holds each by itself; use {table} in the "
          "name "
          "of the figure, or give it a command of its own\n");
    CHECK(refusal("check rope --d 8 --len 5 --table cos,sin --png a.png") ==
          "pe-gen: --table: check takes one table; name one\n");
    CHECK(refusal("xpos --table cos-q,sin-q --plot similarity --select 0 --png a.png")
              .find("serves to turn queries and keys") != std::string::npos);
    CHECK(refusal("rope --table cos,sin --plot waves --png a.png")
              .find("2 panels, and this figure is of one; choose it with --select") !=
          std::string::npos);
    CHECK(folder.names().empty());
}

TEST_CASE("several tables: panels are masked only if each table is") {
    const auto title_of = [](const std::string& tables) {
        const std::string svg =
            run_program("attention rope --tokens 8 --heads 2 --causal --svg - --table " + tables)
                .output;
        const auto begin = svg.find("<title>") + 7;
        return svg.substr(begin, svg.find("</title>") - begin);
    };
    CHECK(title_of("alpha").ends_with(", under a causal mask"));
    CHECK(title_of("alpha,e") == "Attention Weights, RoPE: Products (tokens=8, heads=2)");
}
