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

TEST_CASE("several tables: each needs a file") {
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
    CHECK(refusal("cos,sin --png a.png") ==
          "pe-gen: a.png: 2 tables need a file each; use {table} in its name, as in --png "
          "{table}.png\n");
    CHECK(refusal("cos,sin --show") ==
          "pe-gen: standard output: 2 tables need a file each; show one, with --table\n");
    CHECK(refusal("cos,cos --npy {table}.npy") == "pe-gen: --table cos,cos: names cos twice\n");
    CHECK(refusal("cos,sin --config - --npy {table}.npy </dev/null") ==
          "pe-gen: --config -: standard input can be read for one table only; give a file for 2\n");
    CHECK(refusal("all,cos --npy {table}.npy") ==
          "pe-gen: --table all,cos: all is every table; give it alone\n");
    CHECK(folder.names().empty());
}
