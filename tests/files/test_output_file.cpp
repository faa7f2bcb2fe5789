#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "core/error.h"
#include "files/open_file.h"
#include "files/output_file.h"
#include "files/system.h"
#include "files/target.h"
#include "files/temporary_folder.h"

using namespace pegen;
using namespace pegen::testing;
namespace fs = std::filesystem;

namespace {

void commit_alone(OutputFile& file) {
    OutputFile* const files[]{&file};
    commit(files);
}

void save(const std::string& path, std::string_view bytes) {
    OutputFile file(path);
    file.write(bytes);
    file.finish();
    commit_alone(file);
}

/// Returns what the FileError says after the path, or "" if there is none.
std::string failure(const std::string& path) {
    try {
        save(path, "new");
    } catch (const FileError& error) {
        const std::string message = error.what();
        REQUIRE(message.starts_with(path + ": "));
        return message.substr(path.size() + 2);
    }
    return "";
}

}  // namespace

TEST_CASE("output file: appears with its content at commit and not before") {
    const TemporaryFolder folder;
    {
        OutputFile file(folder.path("a"));
        file.write("one ");
        file.write("two");
        file.finish();
        CHECK(!fs::exists(folder.path("a")));
        commit_alone(file);
        CHECK(content(folder.path("a")) == "one two");
    }
    CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("output file: destroyed before commit it leaves the old content and no new name") {
    const TemporaryFolder folder;
    put(folder.path("a"), "old");
    {
        OutputFile file(folder.path("a"));
        file.write("new");
        file.finish();
        OutputFile other(folder.path("b"));
        other.write("new");
    }
    CHECK(content(folder.path("a")) == "old");
    CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("output file: an exception that unwinds it leaves the old content") {
    const TemporaryFolder folder;
    put(folder.path("a"), "old");
    try {
        OutputFile file(folder.path("a"));
        const OutputFile moved(std::move(file));
        throw FileError("disk", "full");
    } catch (const FileError&) {
    }
    CHECK(content(folder.path("a")) == "old");
    CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("output file: a moved file is the same file") {
    const TemporaryFolder folder;
    OutputFile file(folder.path("a"));
    file.write("one ");
    OutputFile moved(std::move(file));
    moved.write("two");
    moved.finish();
    commit_alone(moved);
    CHECK(content(folder.path("a")) == "one two");
    CHECK(moved.path() == folder.path("a"));
}

TEST_CASE("output file: the mode of an existing file is kept") {
    const TemporaryFolder folder;
    put(folder.path("a"), "old");
    fs::permissions(folder.path("a"), fs::perms(0640));
    save(folder.path("a"), "new");
    CHECK(content(folder.path("a")) == "new");
    CHECK(fs::status(folder.path("a")).permissions() == fs::perms(0640));
}

TEST_CASE("output file: a new file has the mode the umask leaves") {
    const TemporaryFolder folder;
    const mode_t before = ::umask(027);
    save(folder.path("a"), "new");
    ::umask(before);
    CHECK(fs::status(folder.path("a")).permissions() == fs::perms(0640));
}

TEST_CASE("output file: symbolic links are followed and stay") {
    const TemporaryFolder folder;
    fs::create_directory(folder.path("there"));
    put(folder.path("there/a"), "old");
    fs::create_symlink("there/a", folder.path("link"));
    fs::create_symlink("link", folder.path("link to link"));
    save(folder.path("link to link"), "new");
    CHECK(content(folder.path("there/a")) == "new");
    CHECK(fs::is_symlink(folder.path("link")));
    CHECK(fs::is_symlink(folder.path("link to link")));

    fs::create_symlink("there/b", folder.path("dangling"));
    save(folder.path("dangling"), "new");
    CHECK(content(folder.path("there/b")) == "new");
    CHECK(fs::is_symlink(folder.path("dangling")));
}

TEST_CASE("output file: a path that cannot be written to is refused at once") {
    const TemporaryFolder folder;
    fs::create_directory(folder.path("sub"));
    put(folder.path("file"), "old");
    fs::create_symlink("round", folder.path("round"));
    CHECK(failure(folder.path("none/a")) ==
          "the folder " + folder.path("none") + " does not exist");
    CHECK(failure(folder.path("none/")) == "cannot create: No such file or directory");
    CHECK(failure(folder.path("sub")) == "cannot create: Is a directory");
    CHECK(failure(folder.path("sub/")) == "cannot create: Is a directory");
    CHECK(failure(folder.path("file/a")) == "cannot create: Not a directory");
    CHECK(failure(folder.path("round")) == "cannot create: Too many levels of symbolic links");
    CHECK(failure("") == "cannot create: No such file or directory");
    if (::geteuid() != 0) {
        fs::permissions(folder.path("file"), fs::perms(0444));
        CHECK(failure(folder.path("file")) == "cannot replace: Permission denied");
    }
    CHECK(folder.names() == std::set<std::string>{"file", "round", "sub"});
}

TEST_CASE("output file: a full device is a file error") {
    CHECK(failure("/dev/full") == "cannot write: No space left on device");
    CHECK(failure("/dev/null") == "");
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("output file: standard output is named in its errors and stays open") {
    const int kept = ::dup(STDOUT_FILENO);
    const int full = ::open("/dev/full", O_WRONLY);
    ::dup2(full, STDOUT_FILENO);
    std::string message;
    try {
        save("-", "new");
    } catch (const FileError& error) {
        message = error.what();
    }
    const bool still_open = ::fcntl(STDOUT_FILENO, F_GETFD) >= 0;
    ::dup2(kept, STDOUT_FILENO);
    ::close(kept);
    ::close(full);
    CHECK(message == "standard output: cannot write: No space left on device");
    CHECK(still_open);
}

TEST_CASE("output file: several are committed together") {
    const TemporaryFolder folder;
    put(folder.path("a"), "old");
    put(folder.path("c"), "older");
    std::vector<OutputFile> files;
    for (const char* name : {"a", "b", "c"}) files.emplace_back(folder.path(name));
    for (OutputFile& file : files) {
        file.write("new");
        file.finish();
    }
    OutputFile* const all[]{&files[0], &files[1], &files[2]};
    commit(all);
    for (const char* name : {"a", "b", "c"}) CHECK(content(folder.path(name)) == "new");
    CHECK(folder.names() == std::set<std::string>{"a", "b", "c"});
}

TEST_CASE("output file: when the last of several fails all others are put back") {
    const TemporaryFolder folder;
    put(folder.path("a"), "old");
    {
        std::vector<OutputFile> files;
        for (const char* name : {"a", "b", "c"}) files.emplace_back(folder.path(name));
        for (OutputFile& file : files) {
            file.write("new");
            file.finish();
        }
        // A folder that was created meanwhile cannot be replaced.
        fs::create_directory(folder.path("c"));
        OutputFile* const all[]{&files[0], &files[1], &files[2]};
        CHECK_THROWS_AS(commit(all), FileError);
    }
    CHECK(content(folder.path("a")) == "old");
    CHECK(folder.names() == std::set<std::string>{"a", "c"});
}

TEST_CASE("output file: a file that was created meanwhile is replaced") {
    const TemporaryFolder folder;
    {
        OutputFile file(folder.path("a"));
        file.write("new");
        file.finish();
        put(folder.path("a"), "faster");
        commit_alone(file);
    }
    CHECK(content(folder.path("a")) == "new");
    CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("output file: what replaces a file is waited for, and what the user asks for") {
    const TemporaryFolder folder;
    put(folder.path("old"), "old");
    const auto is_waited_for = [&](const std::string& path, Sync sync) {
        return OutputFile(path, {.sync = sync}).is_waited_for();
    };
    // Nothing in memory is waited for.
    const Descriptor opened(::open(folder.path("").c_str(), O_RDONLY | O_DIRECTORY));
    const bool has_disk = !is_in_memory(opened);
    CHECK(is_waited_for(folder.path("old"), Sync::replacing) == has_disk);
    CHECK(!is_waited_for(folder.path("new"), Sync::replacing));
    CHECK(is_waited_for(folder.path("new"), Sync::all) == has_disk);
    CHECK(!is_waited_for(folder.path("old"), Sync::none));
    CHECK(!is_waited_for("/dev/null", Sync::all));
}

TEST_CASE("output file: a file that was created meanwhile stays if existing ones are kept") {
    const TemporaryFolder folder;
    {
        OutputFile file(folder.path("a"), {.existing = Existing::kept});
        file.write("new");
        file.finish();
        put(folder.path("a"), "faster");
        CHECK_THROWS_AS(commit_alone(file), FileError);
    }
    CHECK(content(folder.path("a")) == "faster");
    CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("output file: files with hidden names like its own are left alone") {
    const TemporaryFolder folder;
    put(folder.path("a"), "old");
    for (const char* name : {".pe-gen-a-1", ".pe-gen-a-1-0123456789abcdef"}) {
        put(folder.path(name), "precious");
    }
    save(folder.path("a"), "new");
    save(folder.path("a"), "newer");
    CHECK(folder.names() ==
          std::set<std::string>{"a", ".pe-gen-a-1", ".pe-gen-a-1-0123456789abcdef"});
}

TEST_CASE("output file: a descriptor is written where it stands") {
    const TemporaryFolder folder;
    const Descriptor file(::open(folder.path("a").c_str(), O_CREAT | O_WRONLY, 0600));
    REQUIRE(::write(file.number(), "head ", 5) == 5);
    save(fmt::format("/dev/fd/{}", file.number()), "new");
    REQUIRE(::write(file.number(), " tail", 5) == 5);
    CHECK(content(folder.path("a")) == "head new tail");
    CHECK(folder.names() == std::set<std::string>{"a"});
}

TEST_CASE("output file: a descriptor of a file without a name is written") {
    const Descriptor file(::memfd_create("memory", 0));
    save(fmt::format("/proc/self/fd/{}", file.number()), "new");
    char bytes[4]{};
    CHECK(::pread(file.number(), bytes, 4, 0) == 3);
    CHECK(std::string(bytes) == "new");
}

TEST_CASE("output file: a descriptor that the program was not given is refused") {
    const Descriptor own(::memfd_create("memory", MFD_CLOEXEC));
    CHECK(failure(fmt::format("/dev/fd/{}", own.number())) == "cannot write: Bad file descriptor");
    CHECK(failure("/dev/fd/12345") == "cannot create: No such file or directory");
}

TEST_CASE("output file: names of 255 bytes can be replaced") {
    const TemporaryFolder folder;
    const std::string name(255, 'a');
    put(folder.path(name), "old");
    save(folder.path(name), "new");
    CHECK(folder.names() == std::set<std::string>{name});
}

TEST_CASE("output file: paths as long as the system takes can be created and replaced") {
    const TemporaryFolder folder;
    constexpr std::size_t longest = PATH_MAX - 1;
    std::string path = folder.path("");
    while (path.size() + 200 < longest) {
        path += std::string(150, 'a') + "/";
        REQUIRE(::mkdir(path.c_str(), 0700) == 0);
    }
    path += std::string(longest - path.size(), 'b');
    for (const char* bytes : {"new", "newer"}) {
        save(path, bytes);
        CHECK(content(path) == bytes);
    }
}

TEST_CASE("output file: bytes reserved but not written are not part of the file") {
    const TemporaryFolder folder;
    OutputFile file(folder.path("a"));
    file.reserve(1'000'000);
    file.write("new");
    file.finish();
    commit_alone(file);
    CHECK(content(folder.path("a")) == "new");
}

TEST_CASE("output file: bytes written beyond the reserved ones are part of the file") {
    const TemporaryFolder folder;
    const std::string bytes(20'000'001, 'x');
    OutputFile file(folder.path("a"));
    file.reserve(5'000);
    for (std::size_t at = 0; at < bytes.size(); at += 3'000'000) {
        file.write(std::string_view(bytes).substr(at, 3'000'000));
    }
    file.finish();
    commit_alone(file);
    CHECK((content(folder.path("a")) == bytes));
}

TEST_CASE("output file: more than the disk has is refused before a byte is written") {
    const TemporaryFolder folder;
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    {
        OutputFile file(folder.path("a"));
        CHECK_THROWS_AS(file.reserve(most), FileError);
    }
    CHECK(folder.names().empty());
    // Outputs without a size have room for everything.
    OutputFile("/dev/null").reserve(most);
}

TEST_CASE("output file: a FIFO is written directly") {
    const TemporaryFolder folder;
    const std::string path = folder.path("fifo");
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    std::string received;
    std::thread reader([&] { received = content(path); });
    save(path, std::string(300'000, 'x'));
    reader.join();
    CHECK(received == std::string(300'000, 'x'));
    CHECK(fs::is_fifo(path));
}

TEST_CASE("output file: same_file recognises all names of an existing file") {
    const TemporaryFolder folder;
    put(folder.path("a"), "");
    put(folder.path("b"), "");
    fs::create_symlink("a", folder.path("link"));
    fs::create_hard_link(folder.path("a"), folder.path("hard"));
    CHECK(same_file(folder.path("a"), folder.path("./a")));
    CHECK(same_file(folder.path("a"), folder.path("link")));
    CHECK(same_file(folder.path("a"), folder.path("hard")));
    CHECK(!same_file(folder.path("a"), folder.path("b")));
    CHECK(!same_file(folder.path("a"), folder.path("new")));
}

TEST_CASE("output file: same_file recognises all names of a file that does not exist yet") {
    const TemporaryFolder folder;
    fs::create_directory(folder.path("sub"));
    fs::create_symlink("new", folder.path("dangling"));
    CHECK(same_file(folder.path("new"), folder.path("sub/../new")));
    CHECK(same_file(folder.path("new"), folder.path("dangling")));
    CHECK(same_file("new", "./new"));
    CHECK(!same_file(folder.path("new"), folder.path("sub/new")));
}

TEST_CASE("output file: same_file knows standard output by both names") {
    CHECK(same_file("-", "-"));
    CHECK(same_file("-", "/dev/stdout"));
    CHECK(!same_file("-", "./-"));
}
