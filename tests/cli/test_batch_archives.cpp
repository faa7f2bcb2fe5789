#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/batch.h"

using namespace pegen;
using namespace pegen::testing;
using Json = nlohmann::json;

namespace {

std::string run_in(const Batch& batch, const std::string& command) {
    const ProgramRun run = run_program(command, batch.folder.path(""));
    CHECK_MESSAGE(run.status == 0, command, ": ", run.errors);
    return run.output;
}

std::vector<Json> entries(const Batch& batch) {
    std::vector<Json> all;
    std::istringstream lines(batch.file("i.jsonl"));
    for (std::string line; std::getline(lines, line);) all.push_back(Json::parse(line));
    return all;
}

/// A manifest of a sample of sinusoids, with these settings, in whose index the files are.
std::string sinusoids(int count, const std::string& settings, const std::string& head = "") {
    return fmt::format(R"({{"index": "i.jsonl", {} "jobs": [{{"encoding": "sinusoid", "d": 6,
                            "len": 40, "sample": {}, "base": {{"loguniform": [10, 1e6]}}, {}}}]}})",
                       head, count, settings);
}

}  // namespace

TEST_CASE("batch archives: the arrays of several jobs are in one file, by their names") {
    for (const std::string format : {"npz", "safetensors"}) {
        CAPTURE(format);
        const Batch batch(fmt::format(R"({{"index": "i.jsonl", "jobs": [
            {{"encoding": "sinusoid", "len": 3, "sweep": {{"d": [2, 4]}}, "labels": {{"n": 1}},
              "{0}": "a.{0}:{{encoding}}_{{d}}"}},
            "rope --d 4 --len 3 --table cos,sin --dtype f64 --{0} a.{0}:rope.{{table}}",
            {{"encoding": "index", "len": 2, "npy": "own.npy"}}]}})",
                                      format));
        CHECK(batch.run().output == fmt::format("wrote a.{}\nwrote own.npy\nwrote i.jsonl\n"
                                                "4 jobs: 3 files written, 0 up to date\n",
                                                format));
        const std::string file = "a." + format;
        for (const auto& [array, command] :
             {std::pair("sinusoid_2", "sinusoid --d 2 --len 3"),
              std::pair("sinusoid_4", "sinusoid --d 4 --len 3"),
              std::pair("rope.cos", "rope --d 4 --len 3 --table cos --dtype f64"),
              std::pair("rope.sin", "rope --d 4 --len 3 --table sin --dtype f64")}) {
            run_in(batch, fmt::format("diff {}:{} -- {}", file, array, command));
        }
        CHECK(batch.run().output == "4 jobs: 0 files written, 3 up to date\n");
        const std::vector<Json> all = entries(batch);
        REQUIRE(all.size() == 6);
        CHECK(all[0]["array"] == "sinusoid_2");
        CHECK(all[0]["labels"] == Json{{"n", 1}});
        CHECK(all[0]["command"] == "pe-gen sinusoid --len 3 --d 2");
        CHECK(all[3]["array"] == "rope.sin");
        CHECK(all[3]["command"] == "pe-gen rope --table sin --len 3 --d 4 --dtype float64");
        CHECK(all[4]["arrays"] == 4);
        CHECK(all[4]["bytes"] == batch.file(file).size());
        CHECK(all[5]["path"] == "own.npy");
    }
}

TEST_CASE("batch archives: tables are stacked along a new first axis") {
    const Batch batch(sinusoids(150, R"("npz": "a.npz:x[]")"));
    CHECK(batch.run().status == 0);
    CHECK(run_in(batch, "info a.npz") == "format    npz\narrays    x  float32 (150, 40, 6)\n");
    const std::vector<Json> all = entries(batch);
    REQUIRE(all.size() == 151);
    std::string rows;
    for (int i = 0; i < 150; ++i) {
        CHECK(all[i]["index"] == i);
        const std::string command = all[i]["command"];
        rows += run_in(batch, command.substr(7) + " --npy -").substr(128);
    }
    run_in(batch, "plot a.npz:x --npy x.npy");
    CHECK(batch.file("x.npy").substr(128) == rows);
    // In a table with one axis each element is a row, in a stack of them each table.
    const Batch flat(
        R"({"jobs": [{"encoding": "sinusoid", "table": "frequencies", "npz": "a.npz:x[]",
                                   "sweep": {"base": [10, 100]}, "d": 8}]})");
    CHECK(flat.run().status == 0);
    CHECK(run_in(flat, "info a.npz") == "format    npz\narrays    x  float32 (2, 4)\n");
    CHECK(run_in(flat, "concat --keep-rows 1:2 --csv - --no-header -- a.npz:x") ==
          "1,0.31622776,0.1,0.031622775\n");
    // One job is a stack of one.
    const Batch one(R"({"jobs": ["index --len 3 --npz a.npz:x[]"]})");
    CHECK(one.run().status == 0);
    CHECK(run_in(one, "info a.npz") == "format    npz\narrays    x  float32 (1, 3, 1)\n");
}

TEST_CASE("batch archives: shards end before the size that is given, and hold each table once") {
    const std::string manifest =
        sinusoids(100, R"("npz": "{shard:03}.npz:{sample}")", R"("shard-size": "10K",)");
    const Batch batch(manifest);
    CHECK(batch.run("-j 1").status == 0);
    std::vector<int> seen(100);
    int files = 0;
    for (const Json& entry : entries(batch)) {
        if (entry.contains("array")) {
            ++seen[std::stoi(entry["array"].get<std::string>())];
        } else {
            CHECK(entry["path"] == fmt::format("{:03}.npz", files++));
            CHECK(entry["arrays"] == 10);  // 960 bytes each
        }
    }
    CHECK(files == 10);
    CHECK(std::ranges::count(seen, 1) == 100);
    const Batch parts(manifest);
    for (const char* shard : {"1/3", "2/3", "3/3"}) {
        CHECK(parts.run(fmt::format("-j 7 --shard {}", shard)).status == 0);
    }
    CHECK(parts.run().output == "wrote i.jsonl\n100 jobs: 1 file written, 10 up to date\n");
    for (const std::string& name : batch.folder.names())
        CHECK(parts.file(name) == batch.file(name));
}

TEST_CASE("batch archives: a shard with a job that fails is missing, and the others are there") {
    const Batch batch(R"({"shard-size": 480, "jobs": [{"encoding": "sinusoid", "len": 10,
        "npz": "{shard}.npz:{d}", "odd": "error", "sweep": {"d": [2, 4, 6, 7, 8, 10, 12]}}]})");
    const ProgramRun run = batch.run();
    CHECK(run.status == 3);
    CHECK(run.errors ==
          "pe-gen: m.json: jobs[0] with d 7: --d 7: must be even with --odd error; use 6, 8 or "
          "--odd exact\n");
    // 2, 4 and 6 have 480 bytes; 7 goes there, too.
    CHECK(batch.folder.names() == std::set<std::string>{"m.json", "1.npz", "2.npz", "3.npz"});
    CHECK(run_in(batch, "info 1.npz").find("8  float32 (10, 8)") != std::string::npos);
}

TEST_CASE("batch archives: what is out of date is said, and only that is written") {
    const Batch batch(sinusoids(5, R"("npz": "a.npz:{sample}")"));
    CHECK(batch.run().status == 0);
    batch.set(sinusoids(6, R"("npz": "a.npz:{sample}")"));
    CHECK(batch.run("--check").output.starts_with("out of date: a.npz: "));
    CHECK(batch.run("--dry-run").output.starts_with("a.npz: 6 arrays of several jobs, "));
    CHECK(batch.run().status == 0);
    CHECK(batch.run("--check").status == 0);
}

TEST_CASE("batch archives: an archive is whole or not at all") {
    const auto refusal = [](const std::string& job) {
        return batch_refusal(fmt::format(R"({{"jobs": [{}]}})", job));
    };
    // The third and the fifth job cannot be; no table comes without them.
    CHECK(refusal(R"({"encoding": "sinusoid", "odd": "error", "len": 3, "npz": "a.npz:{d}",
                      "sweep": {"d": [2, 4, 5, 6, 7]}})") ==
          "pe-gen: m.json: jobs[0] with d 5: --d 5: must be even with --odd error; use 4, 6 or "
          "--odd exact; 1 more job of a.npz fails");
    CHECK(refusal(R"({"encoding": "sinusoid", "len": 3, "npz": "a.npz:{d}",
                      "sweep": {"d": [2, 4, 0, 6]}})")
              .starts_with("pe-gen: m.json: jobs[0] with d 0: --d 0: must be"));
    // What is found when the values are computed.
    CHECK(refusal(R"({"encoding": "index", "dtype": "f16", "len": 2, "npz": "a.npz:{start}",
                      "sweep": {"start": [1, 70000]}})")
              .ends_with("--dtype float16: cannot hold the largest position, 70001; its largest "
                         "value is 65504"));
    CHECK(
        refusal(R"({"encoding": "sinusoid", "len": 3, "npz": "a.npz:x",
                      "sweep": {"d": [2, 4]}})") ==
        "pe-gen: m.json: jobs[0] with d 4: a.npz: has two arrays called x; put a {name} or a text "
        "of its own into the name of one, or [] behind both to stack them");
    CHECK(refusal(R"({"encoding": "sinusoid", "len": 3, "npz": "a.npz:x[]",
                      "sweep": {"d": [2, 4]}})") ==
          "pe-gen: m.json: jobs[0] with d 4: a.npz: x has tables (3, 2) float32 and (3, 4) "
          "float32; what is stacked has one shape and dtype");
    CHECK(refusal(R"("index --npz a.npz:x", "index --npz a.npz:y --compress")") ==
          "pe-gen: m.json: jobs[1]: a.npz: its jobs must have the same format and options of npz");
    CHECK(refusal(R"("index --npz a.npz:x", "index --npz a.npz:y --npy y.npy")") ==
          "pe-gen: m.json: jobs[1]: a.npz is also the target of jobs[0]");
    CHECK(refusal(R"("index --npz a.npz:x", "index --npz a.npz")") ==
          "pe-gen: m.json: jobs[1]: a.npz is also the target of jobs[0]");
    CHECK(refusal(R"("index --npz {shard}.npz:x")") ==
          "pe-gen: m.json: jobs[0]: {shard}.npz: needs \"shard-size\" beside \"jobs\", such as "
          "\"1G\"");
    CHECK(refusal(R"("index --npy {shard}.npy")") ==
          "pe-gen: m.json: jobs[0]: {shard}.npy: {shard} is for archives of several jobs, whose "
          "arrays have names: {shard}.npz:{sample}");
    CHECK(batch_refusal(R"({"shard-size": "1T", "jobs": []})") ==
          "pe-gen: m.json: shard-size: must be a number of bytes, such as 1000000, \"64M\" or "
          "\"1G\"");
}
