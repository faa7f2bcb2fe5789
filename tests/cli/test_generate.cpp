#include <doctest/doctest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "files/temporary_folder.h"
#include "program.h"

using pegen::testing::TemporaryFolder;

namespace {

/// Runs pe-gen with `arguments` and ten seconds of processor time, in which a table whose passes
/// take hours can be refused, but not computed. Returns the exit status.
int status_in_seconds(const std::string& arguments, const std::string& limit = "true") {
    const std::string command =
        "ulimit -t 10; " + limit + "; \"" PEGEN_PROGRAM "\" " + arguments + " 2>/dev/null";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const std::string table = "sinusoid --d 512 --len 1000000000 --standardize 10 --npy ";

}  // namespace

TEST_CASE("generate: options of figures and of commands take expressions, too") {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        return run_program(arguments, folder.path(""));
    };
    REQUIRE(run("sinusoid --d 8 --len 8 --npy a.npy --png a.png --vmin=-1/2 --dpi 2^6").status ==
            0);
    CHECK(run("info a.png").output.find("--vmin -0.5 --dpi 64 ") != std::string::npos);
    CHECK(run("diff a.npy a.npy --atol 1/3").status == 0);
    CHECK(run("sinusoid --d 8 --png b.png --dpi d").errors ==
          "pe-gen: --dpi d: not a number: 'd' is none, and no parameter that has one\n");
}

TEST_CASE("generate: --dry-run aligns values behind the longest name of a parameter") {
    const std::string text = run_program("rope --dry-run").output;
    const std::string longest = "\n  original-max-position-embeddings  ";
    REQUIRE(text.find(longest + "none\n") != text.npos);
    const std::string before(longest.size() - std::string("\n  len").size(), ' ');
    CHECK(text.find("\n  len" + before + "512\n") != text.npos);
}

TEST_CASE("generate: bytes are not written to a terminal, texts are, and both to other devices") {
    int screen = -1, terminal = -1;
    REQUIRE(::openpty(&screen, &terminal, nullptr, nullptr, nullptr) == 0);
    const std::string name = ::ttyname(terminal);
    const TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        return run_program("index --len 2 " + arguments, folder.path(""));
    };
    for (const std::string format : {"npy", "npz", "png", "safetensors"}) {
        CHECK(run("--" + format + " " + name).errors ==
              "pe-gen: --" + format + " " + name + ": a terminal cannot show " + format +
                  "; redirect standard output to a file\n");
        CHECK(run("--" + format + " - >" + name).status == 2);
    }
    CHECK(run("--csv " + name).status == 0);
    CHECK(run("--npy /dev/null").status == 0);
    for (const int descriptor : {screen, terminal}) ::close(descriptor);
}

TEST_CASE("generate: what the files refuse is refused before a pass over the table") {
    const TemporaryFolder folder;
    const std::string file = folder.path("a.npy");
    CHECK(status_in_seconds(table + "'" + folder.path("nowhere/a.npy") + "'") == 4);
    std::ofstream(file) << "kept";
    CHECK(status_in_seconds(table + "'" + file + "' --no-clobber") == 4);
    CHECK(folder.names().size() == 1);
}

TEST_CASE("generate: a file size limit is found before a pass over the table") {
    const TemporaryFolder folder;
    CHECK(status_in_seconds(table + "'" + folder.path("a.npy") + "'", "ulimit -f 1000") == 4);
    CHECK(folder.names().empty());
}

TEST_CASE("generate: --no-clobber keeps a file that others make while the program works") {
    const TemporaryFolder folder;
    // The reader makes the file once it has got a byte; the program then waits for it to go on.
    const ProgramRun run = run_program(
        "sinusoid --d 64 --len 4000 --no-clobber --csv a.csv --npy - | "
        "{ head -c 1 >/dev/null; echo kept > a.csv; cat >/dev/null; }",
        folder.path(""));
    CHECK(run.errors == "pe-gen: a.csv: another program has made it meanwhile, and it stays\n");
    std::string content;
    std::getline(std::ifstream(folder.path("a.csv")), content);
    CHECK(content == "kept");
    CHECK(folder.names().size() == 1);
}

TEST_CASE("generate: the user is told once of a text of the table that a figure has no room for") {
    const TemporaryFolder folder;
    const std::string figures = "sinusoid --d 8 --len 4 --figsize 1x1 --png a.png --svg a.svg";
    const ProgramRun run = run_program(figures, folder.path(""));
    CHECK(run.status == 0);
    CHECK(
        run.errors ==
        "pe-gen: --xlabel: does not fit in 1 x 1 in and is left out; make --figsize larger or the "
        "text shorter\n"
        "pe-gen: --ylabel: does not fit in 1 x 1 in and is left out; make --figsize larger or the "
        "text shorter\n");
    CHECK(folder.names().size() == 2);
    CHECK(run_program(figures + " --quiet", folder.path("")).errors.empty());
}

TEST_CASE("generate: a text of the user's that a figure has no room for is refused") {
    const TemporaryFolder folder;
    const ProgramRun run = run_program(
        "sinusoid --d 8 --len 4 --figsize 1x1 --ylabel 'Position of the Token in the Sequence' "
        "--png a.png",
        folder.path(""));
    CHECK(run.status == 2);
    CHECK(
        run.errors ==
        "pe-gen: --ylabel: does not fit in 1 x 1 in; make --figsize larger or the text shorter\n");
    CHECK(folder.names().empty());
}

TEST_CASE("generate: an animation is not written beside a figure that would stand still") {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        return run_program(
            "sinusoid --d 8 --len 8 --animate base=10..100 --fps 1 --seconds 3 --figsize 3x3 " +
                arguments,
            folder.path(""));
    };
    CHECK(run("--pdf a.pdf").errors == "pe-gen: --animate: has no effect without --png or --svg\n");
    for (const std::string still : {"pdf", "html"}) {
        CHECK(run("--png a.png --" + still + " a." + still).errors ==
              "pe-gen: --animate: has no effect on --" + still +
                  ", which stands still; give it a command of its own\n");
    }
    CHECK(run("--png a.png --show").status == 2);
    CHECK(folder.names().empty());
    CHECK(run("--png a.png --svg a.svg --npy a.npy --csv a.csv").status == 0);
}

TEST_CASE("generate: a value that is refused in the midst of an animation leaves no file") {
    const TemporaryFolder folder;
    CHECK(run_program("sinusoid --d 8 --len 8 --out-scale '1/(base-20)' --animate base=10..30 "
                      "--fps 1 --seconds 3 --png a.png --npy a.npy",
                      folder.path(""))
              .errors == "pe-gen: --out-scale 1/(base-20): not a number: it divides by 0\n");
    CHECK(folder.names().empty());
}

TEST_CASE("generate: a number that a table needs may run without a value of its own") {
    const TemporaryFolder folder;
    const ProgramRun run = run_program(
        "rope --d 8 --len 8 --scaling linear --animate factor=2..4 --fps 2 --seconds 1 --png a.png",
        folder.path(""));
    CHECK(run.errors == "");
    CHECK(run_program("info a.png", folder.path("")).output.find("--factor 2 ") !=
          std::string::npos);
}

TEST_CASE("generate: an animation names the command that makes it") {
    const TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        return run_program(arguments, folder.path(""));
    };
    REQUIRE(run("sinusoid --d 8 --len 8 --animate base=10..100 --fps 1 --seconds 3 --png a.png "
                "--svg a.svg")
                .status == 0);
    for (const std::string name : {"a.png", "a.svg"}) {
        CHECK(run("info " + name).output.find("--animate base=10..100 --fps 1 --seconds 3") !=
              std::string::npos);
    }
    CHECK(run("info a.png").output.find("frames") != std::string::npos);
}
