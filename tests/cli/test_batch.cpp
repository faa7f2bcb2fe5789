#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "encodings/registry.h"
#include "files/temporary_folder.h"
#include "formats/shell_word.h"
#include "program.h"

using namespace pegen;
using pegen::testing::content;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

constexpr const char* small = R"({
  "defaults": {"dtype": "float64", "cmap": "viridis"},
  "jobs": [
    {"encoding": "sinusoid", "len": 3, "sweep": {"d": [2, 4], "base": [10, 100]},
     "npy": "{encoding}_{d}_{base}.npy"},
    {"encoding": "index", "len": 3, "csv": "index.csv", "figsize": "2x2", "png": "index.png"}]})";

std::string one_job(const std::string& settings) {
    return fmt::format(R"({{"jobs": [{{"encoding": "sinusoid", "d": 4, "len": 2, {}}}]}})",
                       settings);
}

struct Batch {
    TemporaryFolder folder;

    explicit Batch(std::string_view manifest) { put(folder.path("m.json"), manifest); }
    ProgramRun run(const std::string& options = "") const {
        return run_program("batch m.json " + options, folder.path(""));
    }
};

/// The message that refuses a manifest; nothing is made.
std::string refusal_of(const std::string& manifest, int status = 3) {
    const Batch batch(manifest);
    const ProgramRun run = batch.run("-q");
    CHECK(run.status == status);
    CHECK(run.output.empty());
    CHECK(batch.folder.names() == std::set<std::string>{"m.json"});
    return run.errors.substr(0, run.errors.find('\n'));
}

}  // namespace

TEST_CASE("batch: makes what its jobs would make one by one, and nothing else") {
    const Batch batch(small);
    const ProgramRun run = batch.run();
    CHECK(run.status == 0);
    CHECK(run.output ==
          "wrote sinusoid_2_10.npy\nwrote sinusoid_2_100.npy\nwrote sinusoid_4_10.npy\n"
          "wrote sinusoid_4_100.npy\nwrote index.csv\nwrote index.png\n"
          "5 jobs: 6 files written, 0 up to date\n");
    CHECK(batch.folder.names().size() == 7);
    run_program("sinusoid --len 3 --d 4 --base 100 --dtype float64 --npy a.npy",
                batch.folder.path(""));
    CHECK(content(batch.folder.path("a.npy")) == content(batch.folder.path("sinusoid_4_100.npy")));
    run_program("index --len 3 --dtype float64 --figsize 2x2 --cmap viridis --png a.png",
                batch.folder.path(""));
    CHECK(content(batch.folder.path("a.png")) == content(batch.folder.path("index.png")));
}

TEST_CASE("batch: what templates expand to is limited") {
    const std::string positions = "1" + [] {
        std::string more;
        for (int i = 2; i < 500; ++i) more += "," + std::to_string(i);
        return more;
    }();
    const auto manifest = [&](int times) {
        std::string path;
        for (int i = 0; i < times; ++i) path += "{positions}";
        return fmt::format(
            R"({{"jobs": [{{"encoding": "index", "positions": "{}", "npy": "{}"}}]}})", positions,
            path);
    };
    CHECK(refusal_of(manifest(2), 4).ends_with("File name too long"));
    for (const int times : {3, 100'000}) {
        const std::string message = refusal_of(manifest(times));
        CHECK(message.starts_with("pe-gen: m.json: jobs[0]: {positions}{positions}"));
        CHECK(message.ends_with("{positions}: is longer than 4095 bytes"));
    }
    // 100,000 names of 1,000 bytes.
    std::string numbers = "1";
    for (int i = 2; i <= 100'000; ++i) numbers += fmt::format(",{}", i);
    std::string folders;
    for (int i = 0; i < 5; ++i) folders += std::string(200, 'x') + "/";
    CHECK(
        refusal_of(
            fmt::format(
                R"({{"jobs": [{{"encoding": "index", "sweep": {{"len": [{}]}}, "npy": "{}{{len}}"}}]}})",
                numbers, folders))
            .ends_with(
                "the names of all files up to here are longer than 67108864 bytes together"));
}

TEST_CASE("batch: a file that is up to date is not touched, and check names those that are not") {
    const Batch batch(small);
    batch.run();
    CHECK(batch.run("--check").status == 0);
    const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(5);
    for (const std::string& name : batch.folder.names()) {
        std::filesystem::last_write_time(batch.folder.path(name), long_ago);
    }
    put(batch.folder.path("index.csv"), "position,0\n0,0\n1,1\n2,9\n");
    std::filesystem::remove(batch.folder.path("sinusoid_2_10.npy"));
    const ProgramRun check = batch.run("--check");
    CHECK(check.status == 1);
    CHECK(check.output ==
          "missing: sinusoid_2_10.npy\nout of date: index.csv\n"
          "5 jobs: 2 files out of date or missing, 4 up to date\n");
    CHECK_FALSE(std::filesystem::exists(batch.folder.path("sinusoid_2_10.npy")));
    CHECK(batch.run().output ==
          "wrote sinusoid_2_10.npy\nwrote index.csv\n5 jobs: 2 files written, 4 up to date\n");
    for (const char* name : {"sinusoid_4_10.npy", "index.png"}) {
        CHECK(std::filesystem::last_write_time(batch.folder.path(name)) == long_ago);
    }
    CHECK(batch.run("--check -q").status == 0);
}

TEST_CASE("batch: what a figure has no room for is said with the job's place, unless quiet") {
    const Batch batch(one_job(R"("figsize": "1x1", "png": "a.png")"));
    const ProgramRun run = batch.run();
    CHECK(run.status == 0);
    CHECK(run.errors.starts_with("pe-gen: m.json: jobs[0]: --xlabel: does not fit in 1 x 1 in"));
    const Batch quiet(one_job(R"("figsize": "1x1", "png": "a.png")"));
    CHECK(quiet.run("-q").errors.empty());
    const Batch given(one_job(R"("figsize": "1x1", "ylabel": "Position of the Token in a Sequence",
                                 "png": "a.png")"));
    CHECK(given.run().status == 3);
}

TEST_CASE("batch: a picture is out of date if its pixels are, whatever its bytes") {
    const Batch batch(one_job(R"("figsize": "2x2", "png": "a.png")"));
    batch.run();
    const std::string file = content(batch.folder.path("a.png"));
    // A chunk that no reader knows, before IEND: different bytes, the same picture.
    const std::string unknown("\0\0\0\0pgTx\x87\xea\xc3\x7b", 12);
    const std::size_t end = file.size() - 12;
    put(batch.folder.path("a.png"), file.substr(0, end) + unknown + file.substr(end));
    CHECK(batch.run("--check").status == 0);
    std::string other = file;
    other[other.find("pHYs") + 6] ^= 1;  // and with it the checksum
    put(batch.folder.path("a.png"), other);
    CHECK(batch.run("--check").status == 1);
}

TEST_CASE("batch: a job that fails does not stop the others") {
    const Batch batch(
        R"({"jobs": [{"encoding": "sinusoid", "sweep": {"d": [3, 4]}, "len": 2, "npy": "{d}.npy"},
                     {"encoding": "index", "npy": "nowhere/a.npy"}]})");
    const ProgramRun run = batch.run();
    CHECK(run.status == 3);
    CHECK(run.errors ==
          "pe-gen: m.json: jobs[0] with d 3: --d 3: must be even with --odd error; use 2, 4 or "
          "--odd exact\n"
          "pe-gen: m.json: jobs[1]: nowhere/a.npy: the folder nowhere does not exist\n");
    CHECK(run.output == "wrote 4.npy\n3 jobs: 1 file written, 0 up to date, 2 jobs failed\n");
    CHECK(batch.folder.names() == std::set<std::string>{"4.npy", "m.json"});
}

TEST_CASE("batch: links and pipes that a job reads or writes do not stop the others") {
    const Batch batch(R"({"jobs": [
        {"encoding": "index", "npy": "a.npy"},
        {"encoding": "rope", "config": "link", "npy": "b.npy"},
        {"encoding": "rope", "config": "pipe", "npy": "c.npy"},
        {"encoding": "fourier", "points": "link", "npy": "d.npy"},
        {"encoding": "index", "npy": "pipe out"},
        {"encoding": "index", "npy": "link out"}]})");
    for (const char* name : {"link", "link out"}) {
        std::filesystem::create_symlink("/etc/hostname", batch.folder.path(name));
    }
    for (const char* name : {"pipe", "pipe out"}) {
        REQUIRE(::mkfifo(batch.folder.path(name).c_str(), 0600) == 0);
    }
    const ProgramRun run = batch.run();
    CHECK(run.status == 3);
    CHECK(std::ranges::count(run.errors, '\n') == 5);
    for (int job = 1; job <= 5; ++job) {
        CHECK(run.errors.find(fmt::format("pe-gen: m.json: jobs[{}]: ", job)) != std::string::npos);
    }
    CHECK(batch.folder.names() ==
          std::set<std::string>{"a.npy", "link", "link out", "m.json", "pipe", "pipe out"});
}

TEST_CASE("batch: a faulty manifest is refused before anything is made") {
    CHECK(refusal_of(one_job(R"("npi": "a.npy")")) ==
          "pe-gen: m.json: jobs[0]: npi: no option of sinusoid; did you mean 'npy'?");
    CHECK(refusal_of(one_job(R"("npy": true)")) ==
          "pe-gen: m.json: jobs[0]: npy: must be a text, \"true\"");
    CHECK(refusal_of(one_job(R"("json": "m.json")")) ==
          "pe-gen: m.json: jobs[0]: m.json is this manifest itself");
    CHECK(refusal_of(R"({"jobs": [{"encoding": "list", "npy": "a.npy"}]})") ==
          "pe-gen: m.json: jobs[0]: 'list': is a command, not an encoding or a preset");
    CHECK(refusal_of(one_job(fmt::format(R"("npy": "{}")", std::string(300, 'x'))), 4)
              .ends_with("File name too long"));
    CHECK(refusal_of(one_job(R"("npy": "a.npy", "dim": 8)")) ==
          "pe-gen: m.json: jobs[0]: dim: is there twice, under another name");
    CHECK(refusal_of(one_job(R"("npy": "a.npy", "help": true)")).find("no option of sinusoid") !=
          std::string::npos);
    CHECK(refusal_of(R"({"jobs": [{"encoding": "index", "npy": "a.npy"},
                                  {"encoding": "mae", "npy": "./a.npy"}]})") ==
          "pe-gen: m.json: jobs[1]: ./a.npy is also the target of jobs[0]");
    CHECK(refusal_of(R"({"jobs": [{"encoding": "indx", "npy": "a.npy"}]})") ==
          "pe-gen: m.json: jobs[0]: 'indx': no such encoding, preset or command; did you mean "
          "'index'?");
    CHECK(refusal_of(one_job(R"("start": 1)")) ==
          "pe-gen: m.json: jobs[0]: writes no file; give it \"npy\": \"name.npy\"");
}

TEST_CASE("batch: paths stay in the folder of the manifest") {
    const auto path_refusal = [](const std::string& path) {
        return refusal_of(one_job(fmt::format(R"("npy": "{}")", path)));
    };
    CHECK(path_refusal("/tmp/a.npy") ==
          "pe-gen: m.json: jobs[0]: /tmp/a.npy: is absolute; a path of a manifest stays in the "
          "manifest's folder");
    CHECK(path_refusal("b/../../a.npy").find("leads upwards") != std::string::npos);
    CHECK(path_refusal("-") == "pe-gen: m.json: jobs[0]: npy: a job writes files");
    CHECK(path_refusal("{e}.npy") == "pe-gen: m.json: jobs[0]: {e}.npy: no parameter is called e");
    CHECK(refusal_of(R"({"jobs": [{"encoding": "fourier", "points": "../p.npy", "npy": "a"}]})")
              .find("leads upwards") != std::string::npos);
    CHECK(refusal_of(R"({"jobs": [{"encoding": "fourier", "freqs": "1/2", "npy": "{freqs}.npy"}]})")
              .find("freqs is 1/2; a name of a file has no '/'") != std::string::npos);

    const TemporaryFolder elsewhere;
    const Batch batch(one_job(R"("npy": "way/a.npy")"));
    std::filesystem::create_directory_symlink(elsewhere.path(""), batch.folder.path("way"));
    const ProgramRun run = batch.run();
    CHECK(run.status == 3);
    CHECK(run.errors.find("way is a symbolic link") != std::string::npos);
    CHECK(elsewhere.names().empty());
}

TEST_CASE("batch: files do not depend on where it is started nor on how many jobs run") {
    const Batch batch(small);
    CHECK(run_program("batch -j 1 " + shell_word(batch.folder.path("m.json"))).status == 0);
    CHECK(batch.run("--check -j 5").status == 0);
    CHECK(run_program("batch --check -j 3 - < m.json", batch.folder.path("")).status == 0);
}

TEST_CASE("batch: dry-run says what would be made") {
    const Batch batch(small);
    CHECK(batch.run("--dry-run").output ==
          "sinusoid_2_10.npy: sinusoid, (3, 2) float64, 176 bytes\n"
          "sinusoid_2_100.npy: sinusoid, (3, 2) float64, 176 bytes\n"
          "sinusoid_4_10.npy: sinusoid, (3, 4) float64, 224 bytes\n"
          "sinusoid_4_100.npy: sinusoid, (3, 4) float64, 224 bytes\n"
          "index.csv: index, (3, 1) float64, size depends on the values\n"
          "index.png: index, (3, 1) float64, size depends on the values\n");
    CHECK(batch.folder.names() == std::set<std::string>{"m.json"});
}

TEST_CASE("batch: the schema names every encoding and every option once") {
    const ProgramRun run = run_program("batch --schema");
    CHECK(run.status == 0);
    const nlohmann::json schema = nlohmann::json::parse(run.output);
    const nlohmann::json& conditions = schema["properties"]["jobs"]["items"]["allOf"];
    std::vector<const Encoding*> all(all_encodings().begin(), all_encodings().end());
    all.insert(all.end(), all_mechanisms().begin(), all_mechanisms().end());
    REQUIRE(conditions.size() == all.size());
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        const Encoding& encoding = *all[i];
        CHECK(conditions[i]["if"]["properties"]["encoding"]["enum"][0] == encoding.name);
        const nlohmann::json& options = conditions[i]["then"]["properties"];
        for (const ParameterSpec& spec : encoding.parameters) {
            CHECK(options.contains(std::string(spec.name)));
            CHECK(options["sweep"]["properties"].contains(std::string(spec.name)));
        }
        for (const char* option : {"npy", "png", "cmap", "dtype", "output"}) {
            CHECK(options[option]["$ref"] == fmt::format("#/definitions/{}", option));
            CHECK(schema["definitions"].contains(option));
        }
        CHECK_FALSE(options.contains("help"));
    }
}

TEST_CASE("batch: the pictures of the docs are up to date, all of them") {
    const std::string docs = std::string(PEGEN_SOURCE_DIR) + "/docs";
    const ProgramRun run = run_program("batch --check figures.json", docs);
    CHECK(run.output.find("0 files out of date or missing") != std::string::npos);
    CHECK(run.status == 0);
    const std::string list = run_program("batch --dry-run figures.json", docs).output;
    for (const auto& entry : std::filesystem::directory_iterator(docs + "/img")) {
        const std::string name = "img/" + entry.path().filename().string() + ":";
        CAPTURE(name);
        CHECK(list.find(name) != std::string::npos);
    }
}
