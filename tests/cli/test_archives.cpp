#include <doctest/doctest.h>

#include <set>
#include <string>

#include "files/array_file.h"
#include "files/temporary_folder.h"
#include "program.h"

using namespace pegen;
using pegen::testing::content;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

/// Runs the program in a folder of its own, in which nothing stays when it fails.
struct Place {
    TemporaryFolder folder;

    std::string make(const std::string& arguments) const {
        const ProgramRun run = run_program(arguments, folder.path(""));
        CHECK_MESSAGE((run.status == 0), arguments, ": ", run.errors);
        return run.output;
    }
    std::string refusal(const std::string& arguments, int status = 2) const {
        const std::set<std::string> before = folder.names();
        const ProgramRun run = run_program(arguments, folder.path(""));
        CHECK(run.status == status);
        CHECK(folder.names() == before);
        return run.errors;
    }
    bool holds(const std::string& array) const {
        return run_program("info " + array, folder.path("")).status == 0;
    }
};

}  // namespace

TEST_CASE("archive: one file holds every table, and other files the first one") {
    const Place place;
    place.make("t5 --len 3 --npz a.npz --safetensors a.safetensors --npy a.npy");
    for (const std::string file : {"a.npz", "a.safetensors"}) {
        CHECK(place.make("info " + file).find("bucket") != std::string::npos);
        for (const std::string table : {"bucket", "bias"}) {
            place.make("diff " + file + ":" + table + " -- t5 --len 3 --table " + table);
        }
    }
    place.make("diff a.npy -- t5 --len 3");
}

TEST_CASE("archive: arrays have the names behind the colon") {
    const Place place;
    place.make("mae --d 8 --height 2 --width 2 --safetensors a.safetensors:b.npz:c");
    CHECK(place.make("info a.safetensors") ==
          "format    safetensors\narrays    b.npz:c  float32 (4, 8)\n"
          "command   pe-gen mae --height 2 --width 2 --d 8 --safetensors a.safetensors:b.npz:c\n");
    place.make("rope --d 4 --len 3 --table sin,cos -o 'R.NPZ:m.{table}'");
    CHECK(place.make("info R.NPZ") ==
          "format    npz\narrays    m.sin  float32 (3, 4)\n          m.cos  float32 (3, 4)\n");
    CHECK(place.refusal("rope --table cos,sin --npz a.npz:x") ==
          "pe-gen: a.npz:x: 2 tables need a name each; use {table}\n");
    CHECK(
        place.refusal("rope --npz a.npz:x --safetensors a.safetensors") ==
        "pe-gen: a.npz and a.safetensors: their arrays have the same names; write the same behind "
        "each ':'\n");
}

TEST_CASE("archive: --table says which tables it holds") {
    const Place place;
    place.make("rope --d 4 --len 3 --table sin,cos -o a.npz");
    CHECK(place.make("info a.npz") ==
          "format    npz\narrays    sin  float32 (3, 4)\n          cos  float32 (3, 4)\n");
    place.make("rope --d 4 --len 3 --table cos -o {table}.npz");
    CHECK(place.holds("cos.npz:cos"));
    CHECK(place.refusal("rope --table cos,sin --npz {table}.npz") ==
          "pe-gen: {table}.npz: holds all 2 tables; use a name without {table}\n");
}

TEST_CASE("archive: safetensors goes to standard output, NPZ needs a file") {
    const Place place;
    place.make("t5 --len 3 --safetensors - > a");
    place.make("t5 --len 3 --safetensors b");
    CHECK(content(place.folder.path("a")) == content(place.folder.path("b")));
    CHECK(place.refusal("t5 --npz - | cat", 0) ==
          "pe-gen: --npz -: needs a file, as checksums are filled in at the end; name one, or use "
          "--safetensors -\n");
    CHECK(place.make("info - < a").find("bucket  int64 (3, 3)") != std::string::npos);
    CHECK(place.make("info -:bias < a").find("shape     (8, 3, 3)") != std::string::npos);
}

TEST_CASE("archive: the command that made a safetensors file is recorded") {
    const Place place;
    for (const std::string command :
         {"t5 --len 3", "t5 --table bias --len 3", "t5 --len 3 --dtype float16",
          "llama3 --table cos,sin --len 3"}) {
        place.make(command + " --safetensors a.safetensors");
        const std::string line = "command   pe-gen " + command + " --safetensors a.safetensors\n";
        CHECK(place.make("info a.safetensors").ends_with(line));
    }
}

TEST_CASE("archive: dry-run says how large it will be") {
    const Place place;
    const std::string options = "t5 --len 300 --npz a.npz --safetensors a.safetensors";
    const std::string plan = place.make(options + " --dry-run");
    CHECK(place.folder.names().empty());
    place.make(options);
    for (const std::string file : {"a.npz", "a.safetensors"}) {
        const std::size_t size = content(place.folder.path(file)).size();
        CHECK(plan.find(file + ", " + std::to_string(size) + " bytes\n") != std::string::npos);
    }
    CHECK(place.make("sinusoid --d 512 --len 1000000000000 --dtype f64 --npz b.npz --dry-run")
              .ends_with("npz         b.npz, 4096000000004954 bytes\n"));
}

TEST_CASE("archive: what holds for other files holds for it") {
    const Place place;
    put(place.folder.path("a.npz"), "old");
    CHECK(place.refusal("t5 --npz a.npz --no-clobber", 4) ==
          "pe-gen: a.npz: exists, and --no-clobber was given\n");
    CHECK(place.refusal("t5 --npz a --safetensors ./a").find("give each its own file") !=
          std::string::npos);
    CHECK(place.refusal("t5 --npz b.npz --npy none/b.npy", 4).find("none/b.npy") !=
          std::string::npos);
    CHECK(content(place.folder.path("a.npz")) == "old");
    place.make("rope --d 8 --len 4 --npz a.npz");
    CHECK(place.refusal("fourier --points a.npz:cos --npz ./a.npz")
              .starts_with("pe-gen: --points a.npz:cos: would be replaced by the npz"));
}

TEST_CASE("archive: options that read an array read one of several") {
    const Place place;
    place.make("rope --d 8 --len 4 --npz a.npz --safetensors a.safetensors");
    place.make("fourier --points a.npz:cos --npy x.npy");
    place.make("fourier --points a.safetensors:cos --npy y.npy");
    CHECK(content(place.folder.path("x.npy")) == content(place.folder.path("y.npy")));
    place.make("apply add --x a.npz:cos --npz sum.npz --npy sum.npy -- sinusoid");
    CHECK(place.make("info sum.npz") == "format    npz\narrays    cos  float32 (4, 8)\n");
    place.make("diff sum.npz sum.npy");
    place.make("apply add --x sum.npy --safetensors sum.safetensors -- sinusoid");
    CHECK(place.holds("sum.safetensors:arr_0"));
}

TEST_CASE("archive: batch makes one, and leaves it alone while it is up to date") {
    const Place place;
    put(place.folder.path("m.json"),
        R"({"jobs": [{"encoding": "t5", "len": 3, "npz": "{encoding}.npz",
        "safetensors": "t5.safetensors", "npy": "t5.npy"}]})");
    CHECK(place.make("batch m.json --dry-run").find("t5.npz: t5, 2 tables, ") != std::string::npos);
    CHECK(
        place.make("batch m.json") ==
        "wrote t5.npy\nwrote t5.npz\nwrote t5.safetensors\n1 job: 3 files written, 0 up to date\n");
    CHECK(place.make("batch m.json") == "1 job: 0 files written, 3 up to date\n");
    place.make("t5 --len 4 --npz t5.npz");
    CHECK(place.refusal("batch m.json --check", 1).empty());
    CHECK(place.make("batch m.json") == "wrote t5.npz\n1 job: 1 file written, 2 up to date\n");
}
