#include <fmt/format.h>
#include <grp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "kinds.h"

namespace {

namespace fs = std::filesystem;

void limit(__rlimit_resource resource, rlim_t value) {
    const rlimit both{value, value};
    ::setrlimit(resource, &both);
}

/// Sends messages to a pipe, since the limit would also apply to a file.
void limit_size(rlim_t value) {
    int ends[2];
    if (::pipe(ends) == 0) ::dup2(ends[1], STDERR_FILENO);
    limit(RLIMIT_FSIZE, value);
}

void limit_files(rlim_t value) { limit(RLIMIT_NOFILE, value); }
void limit_memory(rlim_t value) { limit(RLIMIT_AS, value); }

struct Limit {
    const char* name;
    void (*set)(rlim_t value);
    rlim_t first, last, step, quick_step;
};

constexpr rlim_t megabyte = 1 << 20;

constexpr std::array<Limit, 3> limits{
    {{"RLIMIT_FSIZE, 0 to 3 MB", limit_size, 0, 3'000'000, 30'011, 400'009},
     {"RLIMIT_NOFILE, 0 to 15", limit_files, 0, 15, 1, 3},
     {"RLIMIT_AS, 1 to 200 MB", limit_memory, megabyte, 200 * megabyte, megabyte, 16 * megabyte}}};

void try_limit(const Session& session, Tally& tally, const Trial& trial, const Limit& one) {
    const rlim_t step = session.is_whole ? one.step : one.quick_step;
    for (rlim_t value = one.first; value <= one.last; value += step) {
        const Run run = session.stage.play(trial.scene, {.prepare = [&] { one.set(value); }});
        judge(tally, trial, run, Words::none, fmt::format("{}: {}", one.name, value));
    }
}

/// Makes the limit of processes hold, from which root is exempt. Fails in a user namespace that
/// maps no other user, whose root is not exempt.
void stop_being_root() {
    constexpr unsigned nobody = 65534;
    if (::geteuid() != 0) return;
    [[maybe_unused]] const bool is_done =
        ::setgroups(0, nullptr) == 0 && ::setgid(nobody) == 0 && ::setuid(nobody) == 0;
}

/// Gives this process a mount namespace of its own; returns false where that is not permitted.
bool have_own_mounts() {
    return ::unshare(CLONE_NEWNS) == 0 &&
           ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

/// Mount options that limit the size of a tmpfs.
std::vector<std::string> disk_sizes(int kilobyte_step) {
    std::vector<std::string> sizes;
    for (int k = 48; k < 3500; k += kilobyte_step) sizes.push_back(fmt::format("size={}k", k));
    for (int inodes = 2; inodes < 9; ++inodes) sizes.push_back(fmt::format("nr_inodes={}", inodes));
    return sizes;
}

void play_on_disk(const Session& session, Tally& tally, const Trial& trial,
                  const std::string& size) {
    const std::string place = session.stage.place();
    if (::mount("none", place.c_str(), "tmpfs", 0, size.c_str()) != 0) return;
    try {
        judge(tally, trial, session.stage.play(trial.scene), Words::line, size);
    } catch (const fs::filesystem_error&) {  // leaves no room for the files that are there before
    }
    ::umount(place.c_str());
}

}  // namespace

void set_limits(Session& session) {
    for (const Limit& one : limits) {
        Tally tally;
        for (const Trial& trial : session.trials_of_part()) try_limit(session, tally, trial, one);
        session.report(one.name, tally);
    }
}

void allow_few_files(Session& session) {
    Tally tally;
    for (const Trial& trial : session.trials) {
        const Run run = session.stage.play(trial.scene, {.prepare = [] { limit_files(16); }});
        judge(tally, trial, run, Words::line, "16 files");
    }
    tally.expect_all_done("16 open files should do");
    session.report("`ulimit -n 16`: all done", tally);
}

void forbid_threads(Session& session) {
    const Trial& trial = session.trial("one new file");
    const auto prepare = [] {
        stop_being_root();
        limit(RLIMIT_NPROC, 1);
    };
    Tally tally;
    judge(tally, trial, session.stage.play(trial.scene, {.prepare = prepare}), Words::line,
          "no threads");
    tally.expect_all_done("one thread should do");
    session.report("`ulimit -u 1`: all done", tally);
}

void fill_disks(Session& session) {
    if (!have_own_mounts()) return session.skip("small file systems", "root");
    const std::vector<std::string> sizes = disk_sizes(session.is_whole ? 44 : 700);
    Tally tally;
    for (const Trial& trial : session.trials) {
        for (const std::string& size : sizes) play_on_disk(session, tally, trial, size);
    }
    session.report("file systems of 48 kB to 3.5 MB, of 2 to 8 inodes", tally);
}
