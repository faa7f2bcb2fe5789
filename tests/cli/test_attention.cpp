#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "encodings/registry.h"
#include "files/temporary_folder.h"
#include "program.h"

using pegen::testing::TemporaryFolder;

TEST_CASE("attention: its help lists the mechanisms, and each mechanism has help") {
    const std::string help = run_program("attention --help").output;
    for (const pegen::Encoding* mechanism : pegen::all_mechanisms()) {
        const std::string name(mechanism->name);
        CHECK(help.find(" " + name.substr(name.find(' ') + 1) + " ") != std::string::npos);
        const ProgramRun run = run_program(name + " --help");
        CHECK(run.status == 0);
        CHECK(run.output == run_program("help " + name).output);
        CHECK(run_program("describe " + name).output.find("Formula") != std::string::npos);
    }
}

TEST_CASE("attention: every example of the help runs as it stands, but for its files") {
    const TemporaryFolder folder;
    for (const pegen::Encoding* mechanism : pegen::all_mechanisms()) {
        std::string_view examples = mechanism->examples;
        while (!examples.empty()) {
            const std::string_view example = examples.substr(0, examples.find('\n'));
            examples.remove_prefix(std::min(example.size() + 1, examples.size()));
            if (example.find("x.npy") != example.npos) continue;
            CAPTURE(example);
            CHECK(run_program(std::string(example), folder.path("")).status == 0);
        }
    }
}

TEST_CASE("attention: a wrong mechanism is refused with the nearest") {
    CHECK(run_program("attention shwa").errors ==
          "pe-gen: attention shwa: must be one of shaw, transformer-xl, xlnet, t5, alibi, swin, "
          "rope; did you mean 'shaw'?\n");
    CHECK(run_program("attention --causal").errors ==
          "pe-gen: --causal: the mechanism comes first, as in pe-gen attention shaw --causal\n");
}

TEST_CASE("attention: an array of one file is the input of the next run, and diff knows it") {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        return run_program(arguments, folder.path(""));
    };
    REQUIRE(run("attention alibi --tokens 6 --d 8 --heads 1 --npz a.npz").status == 0);
    REQUIRE(
        run("attention alibi --tokens 6 --d 8 --heads 1 --table score --npy score.npy").status ==
        0);
    CHECK(run("diff a.npz:score score.npy").status == 0);
    CHECK(run("diff a.npz:score -- attention alibi --tokens 6 --d 8 --heads 1 --table score "
              "--dtype float64")
              .status == 0);
    CHECK(run("attention rope --x a.npz:z --heads 1").errors ==
          "pe-gen: a.npz:z: shape (1, 6, 8): must be (tokens, d)\n");
}

TEST_CASE("attention: what is drawn is said, unless everything is") {
    const TemporaryFolder folder;
    REQUIRE(run_program("sinusoid --d 8 --len 4 --npy x.npy", folder.path("")).status == 0);
    CHECK(run_program("attention rope --x x.npy --heads 2 --seed 5 --npy z.npy", folder.path(""))
              .errors == "pe-gen: drawn with --seed 5: wq, wk, wv\n");
    CHECK(run_program("attention rope --heads 2 --seed 5 --npy z.npy", folder.path("")).errors ==
          "");
}

TEST_CASE("attention: a value that the dtype cannot hold leaves no file") {
    const TemporaryFolder folder;
    REQUIRE(run_program("index --len 4000 --npy x.npy", folder.path("")).status == 0);
    const ProgramRun run = run_program(
        "attention t5 --x x.npy --heads 1 --table content --dtype float16 --npy out.npy",
        folder.path(""));
    CHECK(run.status == 2);
    CHECK(run.errors.find("--dtype float16: cannot hold a value") != std::string::npos);
    CHECK(folder.names() == std::set<std::string>{"x.npy"});
}
