#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/batch.h"
#include "files/sha256.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// Files of every kind.
constexpr const char* kinds = R"({
  "index": "index.jsonl",
  "jobs": [
    {"encoding": "bert", "len": 3, "d": 4, "npy": "a.npy", "csv": "a.csv", "no-header": true,
     "json": "a.json", "text": "a.txt", "labels": {"split": "train", "n": 1, "big": true, "x": 0.5}},
    {"encoding": "rope", "len": 2, "head-dim": 8, "npz": "b.npz", "safetensors": "b.safetensors"},
    {"encoding": "rope", "len": 2, "head-dim": 8, "table": "sin", "dtype": "float64",
     "npy": "c d.npy", "title": "it's", "figsize": "2x2", "png": "c.png", "svg": "c.svg"},
    {"encoding": "attention shaw", "dtype": "float32", "npy": "e.npy"}]})";

std::vector<Json> entries_of(const std::string& index) {
    std::vector<Json> entries;
    for (std::size_t begin = 0; begin < index.size();) {
        const std::size_t end = index.find('\n', begin);
        entries.push_back(Json::parse(index.substr(begin, end - begin)));
        begin = end + 1;
    }
    return entries;
}

std::string of_two(const std::string& more) {
    return R"({"index": "i.jsonl", "jobs": [{"encoding": "index", "len": 2, "npy": "a.npy"})" +
           more + "]}";
}

}  // namespace

TEST_CASE("batch index: each line tells what the file is and how to make it") {
    const Batch batch(kinds);
    const ProgramRun run = batch.run();
    REQUIRE(run.errors == "");
    const std::vector<Json> entries = entries_of(batch.file("index.jsonl"));
    std::vector<std::string> paths;
    for (const Json& entry : entries) {
        const std::string path = entry["path"];
        CAPTURE(path);
        paths.push_back(path);
        const std::string made = batch.file(path);
        CHECK(entry["bytes"] == made.size());
        CHECK(entry["sha256"] == sha256_of(InputFile(batch.folder.path(path))).hex());
        // The command of an entry runs in a shell, in the manifest's folder.
        fs::remove(batch.folder.path(path));
        const std::string command = entry["command"];
        REQUIRE(command.starts_with("pe-gen "));
        CHECK(run_program(command.substr(7), batch.folder.path("")).status == 0);
        CHECK((batch.file(path) == made));
    }
    CHECK(paths == std::vector<std::string>{"a.npy", "a.csv", "a.json", "a.txt", "b.npz",
                                            "b.safetensors", "c d.npy", "c.png", "c.svg", "e.npy"});
    const Json& first = entries[0];
    CHECK(first["format"] == "npy");
    CHECK(first["shape"] == Json({3, 4}));
    CHECK(first["dtype"] == "float32");
    CHECK(first["encoding"] == "learned");
    CHECK(first["preset"] == "bert");
    CHECK(first["parameters"]["d"] == 4);
    CHECK(first["labels"].dump() == R"({"split":"train","n":1,"big":true,"x":0.5})");
    CHECK(entries[4]["tables"]["cos"].dump() == R"({"shape":[2,8],"dtype":"float32"})");
    CHECK(entries[6]["table"] == "sin");
    CHECK(entries[6]["preset"].is_null());
}

TEST_CASE("batch index: is written once and then up to date") {
    const Batch batch(of_two(R"(, {"encoding": "index", "len": 3, "npz": "b.npz"})"));
    CHECK(batch.run().output.ends_with("wrote i.jsonl\n2 jobs: 3 files written, 0 up to date\n"));
    const std::string index = batch.file("i.jsonl");
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(5);
    fs::last_write_time(batch.folder.path("i.jsonl"), long_ago);
    CHECK(batch.run().output == "2 jobs: 0 files written, 3 up to date\n");
    CHECK(fs::last_write_time(batch.folder.path("i.jsonl")) == long_ago);
    CHECK(batch.run("--check -j 3").status == 0);
    fs::remove(batch.folder.path("i.jsonl"));
    CHECK(batch.run("--check").output ==
          "missing: i.jsonl\n2 jobs: 1 file out of date or missing, 2 up to date\n");
    CHECK(batch.run("--dry-run").output.ends_with("\ni.jsonl: a line for each file\n"));
    CHECK_FALSE(batch.has("i.jsonl"));
    batch.run("-q");
    CHECK(batch.file("i.jsonl") == index);
}

TEST_CASE("batch index: check says why it is out of date") {
    const Batch batch(of_two(R"(, {"encoding": "index", "len": 3, "npy": "b.npy"})"));
    batch.run("-q");
    const std::string index = batch.file("i.jsonl");
    const std::size_t second = index.find('\n') + 1;
    const auto reason = [&](const std::string& text) {
        put(batch.folder.path("i.jsonl"), text);
        const ProgramRun run = batch.run("--check");
        CHECK(run.status == 1);
        const std::string start = "out of date: i.jsonl: ";
        REQUIRE(run.output.starts_with(start));
        return run.output.substr(start.size(), run.output.find('\n') - start.size());
    };
    CHECK(reason("") == "lists 0 files -> 2");
    CHECK(reason(index.substr(0, second)) == "lists 1 files -> 2");
    CHECK(reason(index + index) == "lists 4 files -> 2");
    CHECK(reason(index.substr(second) + index.substr(0, second)) ==
          "lists b.npy where a.npy must be");
    CHECK(reason(index.substr(0, index.size() - 1)) == "ends within a line");
    CHECK(reason("garbage\n") == "is not an index");
    CHECK(reason("[]\n") == "is not an index");
    CHECK(reason("{\"path\": 3}\n") == "is not an index");
    std::string other = index;
    const std::size_t digit = other.find("\"sha256\":\"") + 10;
    other[digit] = other[digit] == '0' ? '1' : '0';
    CHECK(reason(other) == "a.npy: sha256 differs");
    // The index is up to date even if a file is missing: everything but the size and hash of the
    // file is known.
    put(batch.folder.path("i.jsonl"), index);
    fs::remove(batch.folder.path("a.npy"));
    CHECK(batch.run("--check").output ==
          "missing: a.npy\n2 jobs: 1 file out of date or missing, 2 up to date\n");
}

TEST_CASE("batch index: lists the files that are there and right, whatever failed") {
    const Batch batch(of_two(R"(, {"encoding": "index", "len": 3, "npy": "no/b.npy"},
                                  {"encoding": "sinusoid", "d": 3, "npy": "c.npy"},
                                  {"encoding": "index", "len": 3, "npy": "d.npy", "csv": "no/d"})"));
    put(batch.folder.path("c.npy"), "of the past");
    CHECK(batch.run().status == 4);
    REQUIRE(entries_of(batch.file("i.jsonl")).size() == 1);
    CHECK(entries_of(batch.file("i.jsonl"))[0]["path"] == "a.npy");
    // d.npy is up to date, though another file of its job fails.
    run_program("index --len 3 --npy d.npy", batch.folder.path(""));
    CHECK(batch.run().status == 4);
    REQUIRE(entries_of(batch.file("i.jsonl")).size() == 2);
    CHECK(entries_of(batch.file("i.jsonl"))[1]["path"] == "d.npy");
}

TEST_CASE("batch index: is one file among the others") {
    CHECK(batch_refusal(
              R"({"index": "a.jsonl", "jobs": [{"encoding": "index", "npy": "a.jsonl"}]})") ==
          "pe-gen: m.json: jobs[0]: a.jsonl is the index");
    CHECK(batch_refusal(R"({"index": "m.json", "jobs": []})") ==
          "pe-gen: m.json: index: must be a name that ends in .jsonl, such as \"index.jsonl\"");
    CHECK(batch_refusal(R"({"index": "../i.jsonl", "jobs": []})")
              .starts_with("pe-gen: m.json: index: ../i.jsonl: leads upwards"));
    const Batch batch(
        R"({"index": "no/i.jsonl", "jobs": [{"encoding": "index", "npy": "a.npy"}]})");
    const ProgramRun run = batch.run();
    CHECK(run.status == 4);
    CHECK(run.errors ==
          "pe-gen: m.json: index: no/i.jsonl: the folder no does not exist; make it, or "
          "let \"mkdir\": true of a manifest in JSON do so\n");
    batch.set(
        R"({"mkdir": true, "index": "no/i.jsonl", "jobs": [{"encoding": "index", "npy": "a.npy"}]})");
    CHECK(batch.run().status == 0);
    CHECK(batch.has("no/i.jsonl"));
}

TEST_CASE("batch orphans: files that the index lists and the manifest does not make") {
    const Batch batch(
        of_two(R"(, {"encoding": "index", "len": 3, "npy": "b.npy", "csv": "b.csv"})"));
    CHECK(batch.run("--orphans").status == 0);
    batch.run("-q");
    CHECK(batch.run("--orphans").output.empty());
    batch.set(of_two(""));
    fs::remove(batch.folder.path("b.csv"));
    const std::string index = batch.file("i.jsonl");
    const ProgramRun orphans = batch.run("--orphans");
    CHECK(orphans.status == 1);
    CHECK(orphans.output == "orphan: b.npy\n");
    CHECK(batch.run("--orphans --json").output ==
          R"({"job":null,"path":"b.npy","from_cwd":"b.npy","format":null,"status":"orphan"})"
          "\n");
    CHECK(batch.file("i.jsonl") == index);
    const ProgramRun run = batch.run();
    CHECK(run.status == 0);
    CHECK(run.output ==
          "orphan: b.npy\nwrote i.jsonl\n1 job: 1 file written, 1 up to date, 1 orphan\n");
    CHECK(batch.has("b.npy"));
    CHECK(batch.run("--orphans").status == 0);
}

TEST_CASE("batch orphans: no list is given that could be wrong") {
    CHECK(batch_refusal(R"({"jobs": [{"encoding": "index", "npy": "a.npy"}]})", 3, "--orphans") ==
          "pe-gen: m.json: --orphans needs an index; give it \"index\": \"index.jsonl\"");
    CHECK(
        batch_refusal(of_two(R"(, {"encoding": "index", "len": "x", "npy": "b"})"), 3, "--orphans")
            .starts_with("pe-gen: m.json: jobs[1]: --len x: "));
    const Batch batch(of_two(""));
    batch.run("-q");
    put(batch.folder.path("i.jsonl"), "{\"path\": \"/etc/passwd\"}\n{\"path\": \"../x\"}\n");
    CHECK(batch.run("--orphans").status == 0);
    put(batch.folder.path("i.jsonl"), "{\"path\": \"m.json\"}\n{\"path\": \n");
    const ProgramRun run = batch.run("--orphans");
    CHECK(run.status == 3);
    CHECK(run.errors.starts_with("pe-gen: i.jsonl: line 2: "));
    CHECK(batch.run().status == 0);
}

TEST_CASE("batch index: an interrupted run leaves the old one and the next one mends it") {
    const Batch batch(of_two(""));
    batch.run("-q");
    const std::string index = batch.file("i.jsonl");
    batch.set(R"({"index": "i.jsonl", "mkdir": true, "jobs": [
        {"encoding": "index", "len": 3, "npy": "a.npy"},
        {"encoding": "sinusoid", "d": 4096, "len": 400000, "csv": "big/b.csv"}]})");
    const ProgramRun run = run_program(
        "batch -j 2 m.json & while ! [ -d big ]; do sleep 0.01; done; sleep 0.2; kill $!; wait $!",
        batch.folder.path(""));
    CHECK(run.status == 128 + SIGTERM);
    CHECK(batch.file("i.jsonl") == index);
    CHECK(batch.folder.names() == std::set<std::string>{"a.npy", "i.jsonl", "m.json"});
    batch.set(R"({"index": "i.jsonl", "jobs": [{"encoding": "index", "len": 3, "npy": "a.npy"}]})");
    CHECK(batch.run("--check").status == 1);
    CHECK(batch.run().status == 0);
    CHECK(batch.run("--check").status == 0);
}

TEST_CASE("batch: the data set of the docs is made at the first try") {
    const std::string docs = content(std::string(PEGEN_SOURCE_DIR) + "/docs/batch.md");
    const std::size_t section = docs.find("## A data set"), begin = docs.find("```json\n", section);
    REQUIRE(begin != std::string::npos);
    const Batch batch(docs.substr(begin + 8, docs.find("```", begin + 8) - begin - 8));
    const ProgramRun run = batch.run();
    CHECK(run.status == 0);
    CHECK(run.output.starts_with("wrote train/0000.npy\n"));
    CHECK(
        run.output.ends_with("wrote train/0019.npy\n"
                             "wrote 181 more files; --verbose names them\n"
                             "200 jobs: 201 files written, 0 up to date\n"));
    const std::vector<Json> entries = entries_of(batch.file("index.jsonl"));
    REQUIRE(entries.size() == 200);
    std::set<std::string> hashes;
    int train = 0;
    for (const Json& entry : entries) {
        hashes.insert(entry["sha256"].get<std::string>());
        train += entry["labels"]["split"] == "train" ? 1 : 0;
    }
    CHECK(hashes.size() == 200);
    CHECK(train == 180);
    CHECK(batch.has("train/0179.npy"));
    // The entry that the page shows, with line breaks.
    const std::size_t shown = docs.find("{\"path\":\"train/0000.npy\"");
    CHECK(Json::parse(docs.substr(shown, docs.find("```", shown) - shown)) == entries[0]);
    CHECK(batch.run("--check").status == 0);
}
