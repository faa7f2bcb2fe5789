#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/signals.h"
#include "files/folders.h"
#include "files/temporary_folder.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

namespace fs = std::filesystem;

/// A folder that is the current one as long as this lives.
struct CurrentFolder {
    TemporaryFolder folder;
    fs::path before = fs::current_path();

    CurrentFolder() { fs::current_path(folder.path("")); }
    CurrentFolder(const CurrentFolder&) = delete;
    CurrentFolder& operator=(const CurrentFolder&) = delete;
    ~CurrentFolder() { fs::current_path(before); }
};

std::string failure_of(MadeFolders& folders, const std::string& path) {
    try {
        folders.make_for(path);
    } catch (const FileError& error) {
        return error.what();
    }
    return "made";
}

}  // namespace

TEST_CASE("made folders: a folder is there or not, however often that is asked") {
    const CurrentFolder here;
    fs::create_directory("old");
    MadeFolders folders;
    for (int time = 0; time < 2; ++time) {
        CHECK(folders.has_folder_of("old/a.npy"));
        CHECK(!folders.has_folder_of("new/a.npy"));
    }
    fs::create_directory("new");
    CHECK(folders.has_folder_of("new/a.npy"));
    folders.make_for("made/a.npy");
    CHECK(folders.has_folder_of("made/a.npy"));
}

TEST_CASE("made folders: those that stay empty go and those with files stay") {
    const CurrentFolder here;
    fs::create_directory("old");
    {
        MadeFolders folders;
        folders.make_for("a.npy");
        folders.make_for("old/a.npy");
        folders.make_for("x/y/z/a.npy");
        folders.make_for("x/y/full/a.npy");
        folders.make_for("empty/./inner//a.npy");
        CHECK(fs::is_directory("empty/inner"));
        put("x/y/full/a.npy", "");
    }
    CHECK(here.folder.names() == std::set<std::string>{"old", "x"});
    CHECK_FALSE(fs::exists("x/y/z"));
    CHECK(fs::exists("x/y/full/a.npy"));
}

TEST_CASE("made folders: threads may need the same ones") {
    const CurrentFolder here;
    MadeFolders folders;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&folders, i] {
            for (int k = 0; k < 50; ++k) {
                folders.make_for("a/" + std::to_string(k) + "/" + std::to_string(i % 2) + "/file");
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (int k = 0; k < 50; ++k) CHECK(fs::is_directory("a/" + std::to_string(k) + "/1"));
}

TEST_CASE("made folders: no link and no file is taken for a folder") {
    const CurrentFolder here;
    const TemporaryFolder elsewhere;
    fs::create_directory_symlink(elsewhere.path(""), "link");
    put("file", "");
    {
        MadeFolders folders;
        CHECK(failure_of(folders, "link/a/b.npy")
                  .starts_with("link/a/b.npy: cannot make the folder link: "));
        CHECK(failure_of(folders, "file/b.npy")
                  .starts_with("file/b.npy: cannot make the folder file: "));
        CHECK(failure_of(folders, std::string(300, 'x') + "/b").ends_with("File name too long"));
    }
    CHECK(elsewhere.names().empty());
    CHECK(here.folder.names() == std::set<std::string>{"file", "link"});
}

TEST_CASE("made folders: a link that takes the place of a folder does not lead elsewhere") {
    const CurrentFolder here;
    const TemporaryFolder elsewhere;
    fs::create_directory(elsewhere.path("b"));
    {
        MadeFolders folders;
        folders.make_for("a/b/file");
        fs::remove_all("a");
        fs::create_directory_symlink(elsewhere.path(""), "a");
    }
    CHECK(elsewhere.names() == std::set<std::string>{"b"});
}

TEST_CASE("made folders: a signal removes those that are empty") {
    const CurrentFolder here;
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGTERM, SIG_DFL);  // doctest has set its own handler
        watch_signals();
        MadeFolders folders;
        folders.make_for("a/b/c.npy");
        folders.make_for("full/c.npy");
        put("full/c.npy", "");
        ::raise(SIGTERM);
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(here.folder.names() == std::set<std::string>{"full"});
}
