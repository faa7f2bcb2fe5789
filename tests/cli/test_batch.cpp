#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "cli/batch.h"
#include "formats/command.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

constexpr const char* small = R"({
  "defaults": {"dtype": "float64", "cmap": "viridis"},
  "jobs": [
    {"encoding": "sinusoid", "len": 3, "sweep": {"d": [2, 4], "base": [10, 100]},
     "npy": "{encoding}_{d}_{base}.npy"},
    {"encoding": "index", "len": 3, "csv": "index.csv", "figsize": "2x2", "png": "index.png"}]})";

}  // namespace

TEST_CASE("batch: defaults without an effect on a job's picture are passed over, its own refused") {
    const Batch batch(R"({
      "defaults": {"figsize": "2x2", "cmap": "gray", "channels": [1], "no-colorbar": true},
      "jobs": [
        {"encoding": "sinusoid", "d": 4, "len": 5, "png": "heatmap.png"},
        {"encoding": "sinusoid", "d": 4, "len": 5, "cell": 3, "png": "bare.png"},
        {"encoding": "sinusoid", "d": 4, "len": 5, "plot": "waves", "png": "waves.png"},
        {"encoding": "sinusoid", "d": 4, "table": "frequencies", "png": "curve.png"}]})");
    CHECK(batch.run().status == 0);
    const auto command = [&](const std::string& file) {
        const std::string lines = run_program("info " + file, batch.folder.path("")).output;
        return lines.substr(lines.find("command   ") + 10);
    };
    CHECK(command("heatmap.png") ==
          "pe-gen sinusoid --len 5 --d 4 --cmap gray --no-colorbar --figsize 2x2 --png "
          "heatmap.png\n");
    CHECK(command("bare.png") ==
          "pe-gen sinusoid --len 5 --d 4 --cmap gray --cell 3 --png bare.png\n");
    CHECK(command("waves.png") ==
          "pe-gen sinusoid --len 5 --d 4 --plot waves --channels 1 --figsize 2x2 --png "
          "waves.png\n");
    CHECK(command("curve.png") ==
          "pe-gen sinusoid --table frequencies --d 4 --figsize 2x2 --png curve.png\n");
    CHECK(batch.run("--check").status == 0);
    CHECK(batch_refusal(one_job(R"("cell": 3, "figsize": "2x2", "png": "a.png")"))
              .ends_with("--figsize: has no effect on a bare heatmap; leave it out, or --no-axes "
                         "and --cell"));
}

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
    CHECK(batch_refusal(manifest(2), 4).ends_with("File name too long"));
    for (const int times : {3, 100'000}) {
        const std::string message = batch_refusal(manifest(times));
        CHECK(message.starts_with("pe-gen: m.json: jobs[0]: {positions}{positions}"));
        CHECK(message.ends_with("{positions}: is longer than 4095 bytes"));
    }
    // The job would make 100,000 names of more than 1,000 bytes.
    std::string numbers = "1";
    for (int i = 2; i <= 100'000; ++i) numbers += fmt::format(",{}", i);
    std::string folders;
    for (int i = 0; i < 5; ++i) folders += std::string(200, 'x') + "/";
    CHECK(
        batch_refusal(
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
          "out of date: index.csv: line 4 differs\nmissing: sinusoid_2_10.npy\n"
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
    // An unknown chunk before IEND changes the bytes, but not the picture.
    const std::string unknown("\0\0\0\0pgTx\x87\xea\xc3\x7b", 12);
    const std::size_t end = file.size() - 12;
    put(batch.folder.path("a.png"), file.substr(0, end) + unknown + file.substr(end));
    CHECK(batch.run("--check").status == 0);
    std::string other = file;
    other[other.find("pHYs") + 6] ^= 1;  // makes the checksum wrong, too
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
          "pe-gen: m.json: jobs[1]: nowhere/a.npy: the folder nowhere does not exist; make it, or "
          "let \"mkdir\": "
          "true of a manifest in JSON do so\n");
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
    CHECK(batch_refusal(one_job(R"("npi": "a.npy")")) ==
          "pe-gen: m.json: jobs[0]: npi: no option of sinusoid; did you mean 'npy'?");
    CHECK(batch_refusal(one_job(R"("npy": true)")) ==
          "pe-gen: m.json: jobs[0]: npy: must be a text, \"true\"");
    CHECK(batch_refusal(one_job(R"("json": "m.json")")) ==
          "pe-gen: m.json: jobs[0]: m.json is this manifest itself");
    CHECK(batch_refusal(R"({"jobs": [{"encoding": "list", "npy": "a.npy"}]})") ==
          "pe-gen: m.json: jobs[0]: 'list': is a command, not an encoding or a preset");
    CHECK(batch_refusal(one_job(fmt::format(R"("npy": "{}")", std::string(300, 'x'))), 4)
              .ends_with("File name too long"));
    CHECK(batch_refusal(one_job(R"("npy": "a.npy", "dim": 8)")) ==
          "pe-gen: m.json: jobs[0]: dim: is there twice, under another name");
    CHECK(batch_refusal(one_job(R"("npy": "a.npy", "help": true)")).find("no option of sinusoid") !=
          std::string::npos);
    CHECK(batch_refusal(R"({"jobs": [{"encoding": "index", "npy": "a.npy"},
                                  {"encoding": "mae", "npy": "./a.npy"}]})") ==
          "pe-gen: m.json: jobs[1]: ./a.npy is also the target of jobs[0]");
    CHECK(batch_refusal(R"({"jobs": [{"encoding": "indx", "npy": "a.npy"}]})") ==
          "pe-gen: m.json: jobs[0]: 'indx': no such encoding, preset or command; did you mean "
          "'index'?");
    CHECK(batch_refusal(one_job(R"("start": 1)")) ==
          "pe-gen: m.json: jobs[0]: writes no file; give it -o name.npy, in JSON \"npy\": "
          "\"name.npy\"");
}

TEST_CASE("batch: a default that no job could have is refused") {
    const auto refusal = [](const std::string& defaults) {
        return batch_refusal(fmt::format(
            R"({{"defaults": {{{}}}, "jobs": [{{"encoding": "sinusoid", "d": 4, "png": "a.png"}}]}})",
            defaults));
    };
    CHECK(refusal(R"("figszie": "5x4")") ==
          "pe-gen: m.json: defaults: figszie: no option of any encoding or format; did you mean "
          "'figsize'?");
    CHECK(refusal(R"("quiet": true)").starts_with("pe-gen: m.json: defaults: quiet: no option"));
    CHECK(refusal(R"("show": true)").starts_with("pe-gen: m.json: defaults: show: no option"));
    // Defaults may name options of other encodings and formats.
    const Batch batch(
        R"({"defaults": {"heads": 4, "no_header": true, "num-pos-feats": 4, "encoding": "index"},
            "jobs": [{"len": 2, "npy": "a.npy"}]})");
    CHECK(batch.run().status == 0);
}

TEST_CASE("batch: what a job is not for is refused with the way out") {
    CHECK(batch_refusal(R"({"jobs": [{"preset": "bert", "npy": "a.npy"}]})") ==
          "pe-gen: m.json: jobs[0]: needs an \"encoding\": the name of an encoding or of a preset, "
          "such as \"sinusoid\" or \"bert\"");
    CHECK(batch_refusal(one_job(R"("preset": "bert", "npy": "a.npy")")) ==
          "pe-gen: m.json: jobs[0]: preset: the name of a preset stands in \"encoding\"");
    for (const char* option : {"show", "show-size", "show_colours"}) {
        CHECK(batch_refusal(one_job(fmt::format(R"("{}": "10x8", "npy": "a.npy")", option)))
                  .ends_with(": shows a table, and a job writes files"));
    }
}

TEST_CASE("batch: groups of files that replace others, whatever may be open at once") {
    const auto manifest = [](const std::string& base) {
        return fmt::format(
            R"({{"jobs": [{{"encoding": "sinusoid", "len": 2, "d": 4, "base": {},
                "sweep": {{"start": {{"from": 0, "to": 299}}}}, "npy": "{{start}}.npy"}}]}})",
            base);
    };
    const Batch batch(manifest("10"));
    CHECK(batch.run("--quiet").status == 0);
    const std::string first = batch.file("299.npy");
    const auto replaced = [&](const std::string& base, const std::string& options) {
        batch.set(manifest(base));
        const ProgramRun run = batch.run(options);
        CHECK(run.status == 0);
        CHECK(run.output.ends_with("300 jobs: 300 files written, 0 up to date\n"));
        CHECK(batch.folder.names().size() == 301);
        CHECK(batch.file("299.npy") != first);
        CHECK(batch.run("--check").status == 0);
    };
    replaced("20", "");
    replaced("30", "--sync");
    // With few descriptors left, files are opened one at a time.
    replaced("40", "--dry-run -q; ulimit -n 16; '" PEGEN_PROGRAM "' batch m.json --jobs 1");
}

TEST_CASE("batch: one mode at a time") {
    const Batch batch(one_job(R"("npy": "a.npy")"));
    const ProgramRun run = batch.run("--check --dry-run");
    CHECK(run.status == 2);
    CHECK(run.errors == "pe-gen: --dry-run: does not go together with --check; leave one out\n");
}

TEST_CASE("batch: a file cannot stand where another needs a folder") {
    CHECK(batch_refusal(R"({"mkdir": true, "jobs": [{"encoding": "index", "npy": "x"},
                                                    {"encoding": "index", "npy": "x/a.npy"}]})") ==
          "pe-gen: m.json: x/a.npy: x cannot be a folder: it is also the target of jobs[0]");
    CHECK(batch_refusal(R"({"mkdir": true, "jobs": [{"encoding": "index", "npy": "m.json/a"}]})") ==
          "pe-gen: m.json: m.json/a: m.json cannot be a folder: it is this manifest itself");
}

TEST_CASE("batch: a name of a figure may have the options that are swept over") {
    const Batch batch(R"({"jobs": [{"encoding": "sinusoid", "d": 4, "len": 4, "png":
        "{cmap}_{figsize}.png", "sweep": {"cmap": ["gray", "RdBu-r"], "figsize": ["2x2"]}}]})");
    CHECK(batch.run().status == 0);
    CHECK(batch.folder.names() ==
          std::set<std::string>{"RdBu-r_2x2.png", "gray_2x2.png", "m.json"});
}

TEST_CASE("batch: a name of a figure has no texts of the figure") {
    for (const char* option : {"title", "xlabel", "ylabel", "colorbar-label"}) {
        CAPTURE(option);
        CHECK(batch_refusal(one_job(fmt::format(R"("{0}": "a", "png": "{{{0}}}.png")", option)))
                  .ends_with(fmt::format("{{{0}}}.png: no parameter is called {0}", option)));
    }
}

TEST_CASE("batch: numbers in names are padded, and nothing else is") {
    const Batch batch(
        R"({"jobs": [{"encoding": "index", "len": 7, "npy": "{len:04}_{start:03}_{n:02d}_{len}.npy",
                      "start": -5, "labels": {"n": "7"}}]})");
    CHECK(batch.run("-q").status == 0);
    CHECK(batch.has("0007_-05_07_7.npy"));
    const auto refusal = [](const std::string& name) {
        const std::string message = batch_refusal(
            one_job(fmt::format(R"("dtype": "float64", "base": 0.5, "npy": "{}")", name)));
        return message.substr(message.find("jobs[0]: ") + 9);
    };
    for (const char* name : {"{d:4}", "{d:}", "{d:00}", "{d:0100}", "{d:04x}", "{d:04:4}"}) {
        CHECK(refusal(name) == fmt::format("{}: {}: must have 0 and a width from 1 to 99 behind "
                                           "the ':', as in {{seed:04}}",
                                           name, name));
    }
    const Batch reals(R"({"jobs": [{"encoding": "sinusoid", "d": 2, "len": 2,
        "start": -0.5, "sweep": {"base": [0.25, 10, 1e22]}, "npy": "{base:06}_{start:05}.npy"}]})");
    CHECK(reals.run("-q").status == 0);
    for (const char* name : {"000.25_-00.5.npy", "000010_-00.5.npy", "01e+22_-00.5.npy"}) {
        CHECK(reals.has(name));
    }
    CHECK(refusal("{dtype:04}").ends_with("is float64; only a number is padded with zeros"));
    CHECK(refusal("{e:04}") == "{e:04}: no parameter is called e");
}

TEST_CASE("batch: labels are names for paths") {
    const Batch batch(
        R"({"mkdir": true, "defaults": {"labels": {"split": "train"}}, "jobs": [
            {"encoding": "index", "len": 2, "npy": "{split}/a.npy"},
            {"encoding": "index", "len": 2, "npy": "{split}/{my_fold:02}.npy",
             "labels": {"split": "test"}, "sweep": {"labels": {"my-fold": [1, 2]}}}]})");
    CHECK(batch.run().output ==
          "wrote train/a.npy\nwrote test/01.npy\nwrote test/02.npy\n"
          "3 jobs: 3 files written, 0 up to date\n");
    for (const char* name : {"d", "d_model", "dtype", "npy", "encoding", "show"}) {
        CHECK(
            batch_refusal(one_job(fmt::format(R"("npy": "a.npy", "labels": {{"{}": 1}})", name))) ==
            fmt::format("pe-gen: m.json: jobs[0]: labels: {}: is the name of an option of "
                        "sinusoid; choose another",
                        name));
    }
    CHECK(batch_refusal(one_job(R"("npy": "{s}/a.npy", "labels": {"s": ".."})"))
              .find("leads upwards") != std::string::npos);
    CHECK(batch_refusal(one_job(R"("npy": "{s}.npy", "labels": {"s": "a/b"})"))
              .ends_with("s is a/b; a name of a file has no '/'"));
}

TEST_CASE("batch: folders are made for files that are written, and only then") {
    const Batch batch(
        R"({"mkdir": true, "jobs": [{"encoding": "index", "len": 2, "npy": "a/b/c.npy"},
                                    {"encoding": "sinusoid", "d": 3, "npy": "odd/c.npy"},
                                    {"encoding": "index", "npy": "long/)" +
        std::string(300, 'x') + R"("}]})");
    const std::set<std::string> nothing{"m.json"};
    CHECK(batch.run("--check").status == 3);
    CHECK(batch.run("--dry-run").status == 3);
    CHECK(batch.folder.names() == nothing);
    CHECK(batch.run().output ==
          "wrote a/b/c.npy\n3 jobs: 1 file written, 0 up to date, 2 jobs failed\n");
    CHECK(batch.folder.names() == std::set<std::string>{"a", "m.json"});
}

TEST_CASE("batch: made folders stay in the folder of the manifest") {
    const TemporaryFolder elsewhere;
    const Batch batch(R"({"mkdir": true, "jobs": [{"encoding": "index", "npy": "way/b/a.npy"}]})");
    std::filesystem::create_directory_symlink(elsewhere.path(""), batch.folder.path("way"));
    CHECK(batch.run().status == 3);
    CHECK(elsewhere.names().empty());
    CHECK(batch_refusal(R"({"mkdir": true, "jobs": [{"encoding": "index", "npy": "b/../../a"}]})")
              .find("leads upwards") != std::string::npos);
}

TEST_CASE("batch: paths are shown from where it is started") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path("docs"));
    put(folder.path("docs/m.json"), R"({"jobs": [{"encoding": "index", "len": 2, "npy": "a.npy"},
                                                 {"encoding": "index", "npy": "no/a.npy"}]})");
    const ProgramRun run = run_program("batch docs/m.json", folder.path(""));
    CHECK(run.output == "wrote docs/a.npy\n2 jobs: 1 file written, 0 up to date, 1 job failed\n");
    CHECK(run.errors ==
          "pe-gen: docs/m.json: jobs[1]: docs/no/a.npy: the folder docs/no does not exist; "
          "make it, or let \"mkdir\": true of a manifest in JSON do so\n");
    CHECK(run_program("batch ./docs/m.json --dry-run", folder.path(""))
              .output.starts_with("./docs/a.npy: index, (2, 1)"));
}

TEST_CASE("batch: json has a line for each file") {
    const Batch batch(R"({"jobs": [{"encoding": "index", "len": 2, "sweep": {"step": [1, 2]},
                                    "npy": "{step}.npy", "csv": "{step}.csv"},
                                   {"encoding": "index", "npy": "no/a.npy"},
                                   {"encoding": "sinusoid", "d": 3, "npy": "b.npy"},
                                   {"encoding": "index", "len": "x", "npy": "c.npy"}]})");
    const auto line = [](const char* job, const char* path, const char* format,
                         const std::string& rest) {
        return fmt::format(R"({{"job":"{}","path":"{}","from_cwd":"{}","format":"{}","status":{}}})"
                           "\n",
                           job, path, path, format, rest);
    };
    batch.run("-q");
    put(batch.folder.path("1.csv"), "position,0\n0,0\n1,7\n");
    std::filesystem::remove(batch.folder.path("2.npy"));
    const char* const one = "jobs[0] with step 1";
    const char* const two = "jobs[0] with step 2";
    const std::string check =
        line(one, "1.npy", "npy", R"("up to date")") +
        line(one, "1.csv", "csv", R"("out of date","reason":"line 3 differs")") +
        line(two, "2.npy", "npy", R"("missing")") + line(two, "2.csv", "csv", R"("up to date")") +
        line("jobs[1]", "no/a.npy", "npy", R"("missing")");
    CHECK(batch.run("--check --json -q").output.starts_with(check));
    const ProgramRun run = batch.run("--json");
    CHECK(run.status == 4);
    CHECK(run.output.find(line(one, "1.csv", "csv", R"("written","reason":"line 3 differs")")) !=
          std::string::npos);
    CHECK(run.output.find(line(two, "2.npy", "npy", R"("written")")) != std::string::npos);
    CHECK(
        run.output.find(R"("path":"no/a.npy","from_cwd":"no/a.npy","format":"npy",)"
                        R"("status":"failed","message":"m.json: jobs[1]: no/a.npy: the folder)") !=
        std::string::npos);
    CHECK(run.output.find(
              R"({"job":"jobs[3]","status":"failed","message":"m.json: jobs[3]: --len)") !=
          std::string::npos);
    CHECK(batch.run("--json --dry-run")
              .output.starts_with(line(one, "1.npy", "npy",
                                       R"("planned","plan":"index, (2, 1) float32, 136 bytes")")));
}

TEST_CASE("batch: paths stay in the folder of the manifest") {
    const auto path_refusal = [](const std::string& path) {
        return batch_refusal(one_job(fmt::format(R"("npy": "{}")", path)));
    };
    CHECK(path_refusal("/tmp/a.npy") ==
          "pe-gen: m.json: jobs[0]: /tmp/a.npy: is absolute; a path of a manifest stays in the "
          "manifest's folder");
    CHECK(path_refusal("b/../../a.npy").find("leads upwards") != std::string::npos);
    CHECK(path_refusal("-") == "pe-gen: m.json: jobs[0]: npy: a job writes files");
    CHECK(path_refusal("{e}.npy") == "pe-gen: m.json: jobs[0]: {e}.npy: no parameter is called e");
    CHECK(batch_refusal(R"({"jobs": [{"encoding": "fourier", "points": "../p.npy", "npy": "a"}]})")
              .find("leads upwards") != std::string::npos);
    CHECK(batch_refusal(
              R"({"jobs": [{"encoding": "fourier", "freqs": "1/2", "npy": "{freqs}.npy"}]})")
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

TEST_CASE(
    "batch: of many files the first twenty are named, of failures the first of each kind, or all") {
    const Batch batch(R"({"jobs": [{"encoding": "sinusoid", "len": 2, "odd": "error",
        "sweep": {"d": {"from": 2, "to": 60}}, "npy": "{d:02}.npy"}]})");
    const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
    const ProgramRun run = batch.run();
    CHECK(run.status == 3);
    CHECK(lines(run.output) == 22);
    CHECK(run.output.starts_with("wrote 02.npy\n"));
    CHECK(
        run.output.ends_with("wrote 40.npy\nwrote 10 more files; --verbose names them\n"
                             "59 jobs: 30 files written, 0 up to date, 29 jobs failed\n"));
    CHECK(lines(run.errors) == 2);
    CHECK(run.errors.starts_with("pe-gen: m.json: jobs[0] with d 3: --d 3: must be even"));
    CHECK(run.errors.ends_with(
        "pe-gen: m.json: 28 more failures of these kinds; --verbose names them\n"));
    std::filesystem::remove(batch.folder.path("08.npy"));
    put(batch.folder.path("60.npy"), "other");
    CHECK(batch.run("--check").output ==
          "out of date: 60.npy: is not in the format npy\nmissing: 08.npy\n"
          "59 jobs: 2 files out of date or missing, 28 up to date, 29 jobs failed\n");
    const ProgramRun whole = Batch(batch.file("m.json")).run("--verbose");
    CHECK(lines(whole.output) == 31);
    CHECK(lines(whole.errors) == 29);
    std::string commands;
    for (char name = 'a'; name <= 'x'; ++name) {
        commands += fmt::format("\"plot {0}.npy -o {0}.png\",", name);
    }
    const ProgramRun various =
        Batch(fmt::format(R"({{"jobs": [{} "sinusoid --odd error --d 7 -o z.npy"]}})", commands))
            .run();
    CHECK(lines(various.errors) == 3);
    CHECK(various.errors.find("a.npy: cannot open") != std::string::npos);
    CHECK(various.errors.find("--d 7: must be even") != std::string::npos);
    CHECK(various.errors.ends_with("23 more failures of these kinds; --verbose names them\n"));
}
