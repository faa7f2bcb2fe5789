#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <string>
#include <vector>

#include "kinds.h"
#include "strike.h"

// Odd folders, paths and descriptors.

namespace {

/// Makes the folder append-only, as chattr +a does: names can be added, but not removed. Or undoes
/// that.
bool set_append_only(const std::string& folder, bool is_append_only) {
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int flags = 0;
    bool is_done = ::ioctl(file, FS_IOC_GETFLAGS, &flags) == 0;
    flags = is_append_only ? flags | FS_APPEND_FL : flags & ~FS_APPEND_FL;
    is_done = is_done && ::ioctl(file, FS_IOC_SETFLAGS, &flags) == 0;
    ::close(file);
    return is_done;
}

}  // namespace

void append_only(Session& session) {
    const std::string place = session.stage.place();
    const char* const fault = "folders that names can only be added to";
    Tally tally;
    for (const Trial& trial : session.trials) {
        for (const char* lacks : {"", "unnamed"}) {
            Setup setup = with_fault(session, "", lacks);
            session.stage.before(trial.scene);
            if (!set_append_only(place, true)) {
                return session.skip(fault, "root, and a file system that knows chattr +a");
            }
            const Run run = session.stage.play_on(trial.scene, setup);
            set_append_only(place, false);
            judge(tally, trial, run, Words::line, fault);
        }
    }
    session.report(fault, tally);
}

void use_long_paths(Session& session) {
    const Trial& trial = session.trial("one old file");
    Tally tally;
    for (std::size_t length = PATH_MAX - 10; length < PATH_MAX; ++length) {
        const std::string name = "old.npy";
        std::string path;
        while (path.size() + 2 + name.size() <= length) path += "./";
        if (path.size() + name.size() < length) path += "/";
        Trial with_path = trial;
        std::string& arguments = with_path.scene.arguments;
        arguments.replace(arguments.rfind(name), name.size(), path + name);
        judge(tally, with_path, session.stage.play(with_path.scene), Words::line,
              fmt::format("{} bytes", length));
    }
    tally.expect_all_done("the system takes such paths");
    session.report("an old file with a path of 4086 to 4095 bytes: all done", tally);
}

namespace {

/// A file that the program inherits as an open descriptor.
struct Given {
    const char* words;
    int (*open)(const std::string& path);
};

constexpr const char* head = "head\n";

int open_memory(const std::string&) { return ::memfd_create("memory", 0); }

int open_removed(const std::string& path) {
    const int file = ::open(path.c_str(), O_CREAT | O_RDWR | O_TRUNC, 0600);
    ::unlink(path.c_str());
    return file;
}

int open_file(const std::string& path) {
    return ::open(path.c_str(), O_CREAT | O_RDWR | O_TRUNC, 0600);
}

int open_pipe(const std::string& path) {
    ::unlink(path.c_str());
    ::mkfifo(path.c_str(), 0600);
    return ::open(path.c_str(), O_RDWR | O_NONBLOCK);
}

constexpr std::array<Given, 4> given{{{"a memfd", open_memory},
                                      {"a file without a name", open_removed},
                                      {"a file", open_file},
                                      {"a pipe", open_pipe}}};

std::string content_of(int file) {
    ::lseek(file, 0, SEEK_SET);
    std::string bytes(PIPE_BUF, '\0');
    const ssize_t count = ::read(file, bytes.data(), bytes.size());
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    return bytes;
}

void put(int file, const char* text) {
    [[maybe_unused]] const ssize_t count = ::write(file, text, std::strlen(text));
}

}  // namespace

/// Writes a file between two lines of another writer, as in { echo; pe-gen; echo; } > file.
void write_to_descriptors(Session& session) {
    make_trial(session.stage, {"", "index --len 9 --csv a.csv", {}});
    const std::string table = content(session.stage.place() + "/a.csv");
    Tally tally;
    for (const Given& one : given) {
        for (const char* name : {"/dev/fd/{}", "/proc/self/fd/{}", "link.csv"}) {
            const int file = one.open(session.stage.aside("given"));
            const std::string path = fmt::format(fmt::runtime(name), file);
            const Scene scene{"",
                              "index --len 9 --csv " + path,
                              {{"link.csv", fmt::format("-> /dev/fd/{}", file)}}};
            const Snapshot before = session.stage.before(scene);
            put(file, head);
            const Run run = session.stage.play_on(scene);
            put(file, "tail\n");
            tally.count(run.status);
            const std::string about = fmt::format("{} as {}", one.words, name);
            if (run.after != before) tally.violate(about + ": a name is new");
            const std::string bytes = content_of(file);
            if (bytes != head + table + "tail\n") tally.violate(about + ": has " + bytes);
            ::close(file);
        }
    }
    tally.expect_all_done("what is open can be written");
    session.report("descriptors of files, as /dev/fd/N: all done", tally);
}

/// If a step of the commit and its undoing fail, the message names the file that has the old
/// content. No later run removes that, whether it fails or not.
void keep_what_is_named(Session& session) {
    const Scene scene{"",
                      "sinusoid -q --d 8 --len 50 --npy a.npy --csv b.csv",
                      {{"a.npy", "old"}, {"b.csv", "old"}}};
    const auto allow_no_bytes = [] {
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_FSIZE, &none);
    };
    Tally tally;
    const Look look = [&](const Run& run, const std::string& fault) {
        const auto named = std::ranges::find_if(run.after, [&](const auto& entry) {
            return is_temporary(entry.first) && run.errors.find(entry.first) != std::string::npos;
        });
        if (named == run.after.end()) return;
        tally.count(run.status);
        if (!named->second.ends_with(" old")) tally.violate(fault + ": not the old content");
        const Run failed = session.stage.play_on(scene, {.prepare = allow_no_bytes});
        if (!failed.after.contains(named->first)) tally.violate(fault + ": gone after a failure");
        const Run done = session.stage.play_on(scene);
        if (done.status != 0) tally.violate(fault + ": next run says " + done.errors);
        if (!done.after.contains(named->first)) tally.violate(fault + ": gone after the next run");
    };
    for (const char* lacks : {"", "unnamed", "unnamed,exchange"}) {
        strike_each(
            session, scene,
            {.call = "commit", .what = fmt::format("{}", EIO), .lacks = lacks, .goes_on = true},
            look);
    }
    if (tally.runs == 0) tally.violate("no message names old content");
    session.report("old content that cannot be put back stays where the message says", tally);
}

void lose_current_folder(Session& session) {
    const std::string lose =
        "mkdir gone && cd gone && rmdir ../gone && shift && exec ../../pe-gen \"$@\"";
    const Setup setup{.wrapper = {"sh", "-c", lose, "sh"}};
    Tally tally;
    for (const Trial& trial : session.trials) {
        judge(tally, trial, session.stage.play(trial.scene, setup), Words::line, "no folder");
        // A dry run writes nothing, and fails as well.
        Trial planned = trial;
        planned.scene.arguments += " --dry-run";
        planned.after = trial.before;
        judge(tally, planned, session.stage.play(planned.scene, setup), Words::line, "dry run");
    }
    session.report("a current folder that has been removed", tally);
}
