#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "encodings/registry.h"
#include "files/temporary_folder.h"
#include "program.h"

using pegen::testing::content;
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
          "decomposed, "
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
    const auto drawn_by = [&](const std::string& mechanism) {
        return run_program("attention " + mechanism + " --heads 2 --npy z.npy", folder.path(""))
            .errors;
    };
    REQUIRE(run_program("shaw --table key --d 4 --npy k.npy", folder.path("")).status == 0);
    CHECK(drawn_by("shaw --x x.npy") ==
          "pe-gen: drawn with --seed 0: wq, wk, wv, table-k, table-v\n");
    CHECK(drawn_by("shaw --x x.npy --table-k k.npy").find("wv\n") != std::string::npos);
    CHECK(drawn_by("t5 --x x.npy") == "pe-gen: drawn with --seed 0: wq, wk, wv, bias-table\n");
    CHECK(drawn_by("shaw --tokens 4 --d 8") == "");
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

TEST_CASE("attention: without vectors for the values all tables can still be made") {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        return run_program(arguments, folder.path(""));
    };
    REQUIRE(run("shaw --table key --d 4 --max-distance 2 --npy k.npy").status == 0);
    const ProgramRun made =
        run("attention shaw --tokens 3 --d 8 --heads 2 --table-k k.npy --npz a.npz");
    CHECK(made.status == 0);
    CHECK(made.errors.find("without --table-v the values have no positions") != std::string::npos);
    CHECK(run("diff a.npz:z a.npz:z-content").status == 0);
}

TEST_CASE("attention rope: the configuration of a model says how its heads turn") {
    const TemporaryFolder folder;
    pegen::testing::put(folder.path("c.json"),
                        R"({"model_type": "llama", "hidden_size": 16, "num_attention_heads": 2,)"
                        R"( "rope_theta": 500000})");
    const auto run = [&](const std::string& arguments) {
        return run_program(arguments, folder.path(""));
    };
    const std::string sizes = "attention rope --tokens 4 --d 16 --heads 2 --npy ";
    CHECK(run(sizes + "a.npy --config c.json").status == 0);
    CHECK(run(sizes + "b.npy --base 500000").status == 0);
    CHECK(run("diff a.npy b.npy").status == 0);
    CHECK(run("attention rope --tokens 4 --d 16 --heads 4 --config c.json").status == 2);
}

TEST_CASE("attention: the command that info prints makes the same picture") {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        return run_program(arguments, folder.path(""));
    };
    REQUIRE(run("sinusoid --d 8 --len 6 --npy x.npy").status == 0);
    REQUIRE(run("attention shaw --x x.npy --heads 2 --png a.png").status == 0);
    const std::string facts = run("info a.png").output;
    const std::string command = facts.substr(facts.find("pe-gen ") + 7);
    const std::string options = command.substr(0, command.find(" --png"));
    REQUIRE(run(options + " --png b.png").status == 0);
    CHECK(content(folder.path("a.png")) == content(folder.path("b.png")));
}

TEST_CASE("apply: an archive of several arrays is not replaced by one of them") {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        return run_program(arguments, folder.path(""));
    };
    REQUIRE(run("rope --d 8 --len 4 --table cos,sin --npz a.npz").status == 0);
    CHECK(run("apply add --x a.npz:cos --npz a.npz -- sinusoid").errors ==
          "pe-gen: --x a.npz:cos: would be replaced by the npz of the table; choose another "
          "name\n");
}

TEST_CASE("outputs: each -o is a file") {
    const TemporaryFolder folder;
    CHECK(
        run_program("sinusoid --d 4 --len 4 -o a.npy -o b.csv -o c.npy", folder.path("")).status ==
        0);
    CHECK(folder.names() == std::set<std::string>{"a.npy", "b.csv", "c.npy"});
}

TEST_CASE("batch: a job does not read what another one writes") {
    const TemporaryFolder folder;
    pegen::testing::put(
        folder.path("m.json"),
        R"({"jobs": [{"encoding": "attention rope", "x": "x.npy", "heads": 2, "npy": "y.npy"},)"
        R"( {"encoding": "sinusoid", "len": 6, "d": 8, "npy": "x.npy"}]})");
    const ProgramRun run = run_program("batch m.json", folder.path(""));
    CHECK(run.status == 3);
    CHECK(run.errors ==
          "pe-gen: m.json: jobs[0]: reads x.npy, which is also the target of jobs[1]; jobs run in "
          "any order\n");
    CHECK(folder.names() == std::set<std::string>{"m.json"});
}
