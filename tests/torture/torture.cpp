/// torture PROGRAM FAULTS_LIBRARY FOLDER [whole]
///
/// Lets one thing go wrong in each of many runs of the program, and looks at what is in the folder
/// afterwards. After status 0 every file must be, byte for byte, what a run without faults writes;
/// after any other, everything must be as it was before, and the reason said in one line. Prints
/// one row for each kind of fault. Ends with 1 if a run broke the rule.

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "scene.h"

namespace {

namespace fs = std::filesystem;

const std::string table = "sinusoid --d 64 --len 2100 ";

const std::vector<Scene> scenes{
    {"one new file", table + "--npy new.npy", {}},
    {"one old file", table + "--npy old.npy", {{"old.npy", "old"}}},
    {"three files",
     table + "--npy old.npy --csv new.csv --json link.json",
     {{"old.npy", "old"}, {"there/old.json", "older"}, {"link.json", "-> there/old.json"}}},
    {"three old files",
     table + "--npy a.npy --svg b.svg --png c.png",
     {{"a.npy", "old"}, {"b.svg", "older"}, {"c.png", "oldest"}}}};

/// What has to be said of a failure: a line, or nothing, where the fault may strike the C library
/// before the program begins, or ends it.
enum class Words { line, none };

/// What the runs with one kind of fault came to.
struct Tally {
    int runs = 0, done = 0, failed = 0, killed = 0, strays = 0;
    double slowest = 0;
    std::map<std::string, int> violations;

    void print(const std::string& fault) const {
        int broken = 0;
        for (const auto& [what, count] : violations) broken += count;
        fmt::print("| {} | {} | {} | {} | {} | {} |\n", fault, runs, done, failed, killed,
                   broken == 0 ? "holds" : fmt::format("BROKEN {} times", broken));
        for (const auto& [what, count] : violations) fmt::print("  {} times: {}\n", count, what);
        std::fflush(stdout);
    }
};

struct Torture {
    Stage stage;
    std::string library;
    bool is_whole;  ///< not only what takes some seconds
    bool is_broken = false;

    void report(const std::string& fault, const Tally& tally) {
        tally.print(fault);
        if (!tally.violations.empty()) is_broken = true;
    }
};

bool is_one_line(const std::string& text) {
    return text.starts_with("pe-gen: ") && text.find('\n') == text.size() - 1;
}

/// OpenMP's run time says what it lacks and ends the process by itself.
bool is_by_openmp(const Run& run) {
    return run.status == 1 && run.errors.starts_with("\nlibgomp: ");
}

std::string names_in(const Snapshot& folder) {
    std::string names;
    for (const auto& [name, what] : folder) names += " " + name;
    return names;
}

/// The rule.
void judge(Tally& tally, const Scene& scene, const Run& run, const Snapshot& before,
           const Snapshot& after, Words words, const std::string& fault) {
    ++tally.runs;
    tally.slowest = std::max(tally.slowest, run.seconds);
    const auto violate = [&](const std::string& what) {
        ++tally.violations[fmt::format("{} ({}, status {}): {}", fault, scene.name, run.status,
                                       what)];
    };
    if (run.status == 0) {
        ++tally.done;
        if (run.after != after) violate("done, but not what it should be:" + names_in(run.after));
        return;
    }
    ++(run.status > 128 ? tally.killed : tally.failed);
    if (run.after != before) violate("not as before:" + names_in(run.after));
    if (words == Words::none || is_by_openmp(run)) return;
    if (run.status == 128 + SIGABRT || run.status == 128 + SIGSEGV)
        violate("crashed: " + run.errors);
    if (run.status < 128 && run.status != 4 && run.status != 5) violate("status");
    if (run.status < 128 && !is_one_line(run.errors)) violate("says '" + run.errors + "'");
}

/// A run without faults: what all others are held against.
Run finished(const Torture& torture, const Scene& scene) {
    Run run = torture.stage.play(scene);
    if (run.status != 0) throw std::runtime_error("without a fault: " + run.errors);
    return run;
}

Setup with_fault(const Torture& torture, const std::string& fault, const std::string& lacks = "") {
    return {{"LD_PRELOAD=" + torture.library, "PEGEN_FAULT=" + fault, "PEGEN_LACKS=" + lacks,
             "PEGEN_SEEN=" + torture.stage.aside("seen")},
            {},
            {},
            {}};
}

/// What a file is called for a moment.
bool is_temporary(const std::string& name) { return name.find(".pe-gen-") != std::string::npos; }

/// Where no name can be removed, nobody can remove one.
Run without_strays(Run run, Tally& tally) {
    const auto removed =
        std::erase_if(run.after, [](const auto& entry) { return is_temporary(entry.first); });
    tally.strays += removed > 0 ? 1 : 0;
    return run;
}

/// The call goes wrong the first time, the second, and so on until there are no more of them;
/// with a `stride` above 1 only some of them.
void strike_each(const Torture& torture, Tally& tally, const Scene& scene, const std::string& call,
                 const std::string& what, int stride = 1, const std::string& lacks = "",
                 int first = 1) {
    const Snapshot before = torture.stage.before(scene);
    const Snapshot after = finished(torture, scene).after;
    for (int nth = first;; nth += stride) {
        const std::string number =
            what.starts_with('+') ? fmt::format("{}+", nth) : fmt::format("{}", nth);
        const std::string fault =
            fmt::format("{}:{}:{}", call, number, what.substr(what[0] == '+'));
        fs::remove(torture.stage.aside("seen"));
        Run run = torture.stage.play(scene, with_fault(torture, fault, lacks));
        if (!fs::exists(torture.stage.aside("seen"))) return;
        if (call == "unlink" && std::isdigit(what[0])) run = without_strays(std::move(run), tally);
        judge(tally, scene, run, before, after, Words::line, fault + " " + lacks);
    }
}

struct FailingCall {
    const char* call;
    std::vector<int> errors;
    enum { always, sometimes } made;  ///< by a run that replaces files
};

const std::vector<FailingCall> failing_calls{
    {"open", {EIO, EMFILE, EACCES, ENOSPC}, FailingCall::always},
    {"write", {EIO, ENOSPC, EDQUOT, EFBIG}, FailingCall::always},
    {"fallocate", {EIO, ENOSPC, EOPNOTSUPP}, FailingCall::sometimes},
    {"fdatasync", {EIO, ENOSPC}, FailingCall::always},
    {"sync_file_range", {EIO}, FailingCall::sometimes},
    {"fstatfs", {EIO}, FailingCall::always},
    {"access", {EIO}, FailingCall::always},
    {"fchmod", {EPERM}, FailingCall::always},
    {"fchown", {EPERM}, FailingCall::always},
    {"linkat", {EIO, EEXIST, ENOSPC}, FailingCall::always},
    {"link", {EIO}, FailingCall::sometimes},
    {"renameat2", {EIO, ENOSPC}, FailingCall::always},
    {"rename", {EIO, ENOSPC}, FailingCall::always},
    {"unlink", {EIO}, FailingCall::always},
    {"fsync", {EIO}, FailingCall::always},
    {"dup", {EMFILE}, FailingCall::sometimes},
    {"close", {EIO}, FailingCall::always}};

/// File systems: what they cannot do.
const std::vector<std::string> abilities{"", "unnamed", "exchange", "unnamed,exchange,link"};

void fail_calls(Torture& torture) {
    for (const FailingCall& failing : failing_calls) {
        Tally tally;
        for (const std::string& lacks : abilities) {
            for (const Scene& scene : scenes) {
                // The rest of the combinations takes minutes.
                if (!torture.is_whole && (scene.name != "three files" || lacks == "exchange"))
                    continue;
                for (const int error : failing.errors) {
                    if (!torture.is_whole && error != failing.errors[0]) continue;
                    strike_each(torture, tally, scene, failing.call, fmt::format("{}", error), 1,
                                lacks);
                }
            }
        }
        if (tally.runs == 0 && failing.made == FailingCall::always) {
            tally.violations[fmt::format("{} is never called", failing.call)] = 1;
        }
        const std::string strays =
            tally.strays > 0 ? fmt::format("; {} left a name", tally.strays) : "";
        torture.report(fmt::format("`{}` fails{}", failing.call, strays), tally);
    }
}

void do_without(Torture& torture) {
    Tally tally;
    for (const std::string& lacks : abilities) {
        for (const Scene& scene : scenes) {
            const Snapshot before = torture.stage.before(scene);
            const Snapshot after = finished(torture, scene).after;
            const Run run = torture.stage.play(scene, with_fault(torture, "", lacks));
            judge(tally, scene, run, before, after, Words::line, "without " + lacks);
        }
    }
    if (tally.done != tally.runs) tally.violations["there is another way"] = 1;
    torture.report("no O_TMPFILE, RENAME_EXCHANGE, links, and done all the same", tally);
}

void interrupt_writes(Torture& torture) {
    Tally tally;
    for (const char* what : {"short", "+short", "4", "11"}) {  // EINTR, EAGAIN
        // Byte by byte takes long.
        const Scene& scene =
            what[0] == '+' ? Scene{"small", "index --len 50 --csv new.csv", {}} : scenes[2];
        strike_each(torture, tally, scene, "write", what);
    }
    for (const char* call : {"fdatasync", "fallocate"}) {
        strike_each(torture, tally, scenes[2], call, fmt::format("{}", EINTR));
    }
    if (tally.done != tally.runs) tally.violations["an interruption is no failure"] = 1;
    torture.report("short writes, EINTR, EAGAIN, and done all the same", tally);
}

void fail_memory(Torture& torture) {
    Tally once, always;
    // Before main, CLI11 makes constants; nobody can catch what that throws.
    constexpr int first = 20;
    for (const Scene& scene : scenes) {
        if (!torture.is_whole && &scene != &scenes[2]) continue;
        strike_each(torture, once, scene, "malloc", "12", torture.is_whole ? 7 : 97, "", first);
        strike_each(torture, always, scene, "malloc", "+12", torture.is_whole ? 41 : 197, "",
                    first);
    }
    torture.report("`malloc` fails once", once);
    torture.report("`malloc` fails from some call on", always);
}

void fail_threads(Torture& torture) {
    Tally tally, always;
    strike_each(torture, tally, scenes[2], "pthread_create", "11");
    torture.report("`pthread_create` fails once", tally);
    const Scene& scene = scenes[2];
    const Snapshot before = torture.stage.before(scene);
    const Snapshot after = finished(torture, scene).after;
    const std::string fault = "pthread_create:1+:11";
    judge(always, scene, torture.stage.play(scene, with_fault(torture, fault)), before, after,
          Words::line, fault);
    if (always.done != always.runs) always.violations["one thread should do"] = 1;
    torture.report("`pthread_create` always fails, and done all the same", always);
}

void send_signals_at_calls(Torture& torture) {
    for (const auto& [name, number] :
         std::map<std::string, int>{{"INT", SIGINT}, {"TERM", SIGTERM}, {"HUP", SIGHUP}}) {
        Tally tally;
        for (const FailingCall& failing : failing_calls) {
            for (const std::string& lacks : abilities) {
                for (const Scene& scene : scenes) {
                    if (!torture.is_whole && (&scene != &scenes[2] || name != "INT")) continue;
                    if (!torture.is_whole && lacks == "exchange") continue;
                    strike_each(torture, tally, scene, failing.call, name, 1, lacks);
                }
            }
        }
        if (tally.failed > 0) tally.violations["a signal is no failure"] = tally.failed;
        if (tally.runs > 0)
            torture.report(fmt::format("SIG{} before each of these calls", name), tally);
    }
}

std::mt19937 random_engine(6);

void send_signals_at_random(Torture& torture) {
    const int runs = torture.is_whole ? 150 : 8;
    for (const auto& [name, number] :
         std::map<std::string, int>{{"INT", SIGINT}, {"TERM", SIGTERM}, {"HUP", SIGHUP}}) {
        Tally tally;
        double slowest = 0;
        for (const Scene& scene : scenes) {
            const Snapshot before = torture.stage.before(scene);
            const Run clean = finished(torture, scene);
            std::uniform_real_distribution<double> moment(0, clean.seconds * 1.2);
            for (int i = 0; i < runs; ++i) {
                const double wait = moment(random_engine);
                const int signal = number;
                const Run run = torture.stage.play(
                    scene, {{}, {}, {}, [&](int process) {
                                std::this_thread::sleep_for(std::chrono::duration<double>(wait));
                                ::kill(process, signal);
                            }});
                judge(tally, scene, run, before, clean.after, Words::line, "at random");
                slowest = std::max(slowest, run.seconds - wait);
            }
        }
        if (tally.failed > 0) tally.violations["a signal is no failure"] = tally.failed;
        // Not before main has begun to watch, in a shell's child: the default, to die, is the same.
        if (slowest > 0.5 && torture.is_whole)
            tally.violations[fmt::format("took {} s", slowest)] = 1;
        torture.report(
            fmt::format("SIG{} at random times; gone after {:.2f} s at most", name, slowest),
            tally);
    }
}

/// Nobody can do anything at SIGKILL: each file is whole, old or new. A file that is to be replaced
/// needs a name for a moment, and that may stay.
void kill_runs(Torture& torture) {
    const auto look = [](Tally& tally, const Scene& scene, const Run& run, const Snapshot& before,
                         const Snapshot& after) {
        ++tally.runs;
        ++(run.status == 0 ? tally.done : tally.killed);
        bool has_stray = false;
        for (const auto& [name, what] : run.after) {
            const bool is_stray = is_temporary(name);
            has_stray = has_stray || is_stray;
            const bool is_old = before.contains(name) && before.at(name) == what;
            const bool is_new = after.contains(name) && after.at(name) == what;
            if (!is_stray && !is_old && !is_new) ++tally.violations[scene.name + ": torn " + name];
        }
        for (const auto& [name, what] : before) {
            if (!run.after.contains(name)) ++tally.violations[scene.name + ": lost " + name];
        }
        tally.strays += has_stray ? 1 : 0;
        if (has_stray && before.empty()) ++tally.violations["a new file left a name"];
    };
    Tally random, exact;
    for (const Scene& scene : scenes) {
        const Snapshot before = torture.stage.before(scene);
        const Run clean = finished(torture, scene);
        std::uniform_real_distribution<double> moment(0, clean.seconds * 1.2);
        for (int i = 0; i < (torture.is_whole ? 400 : 8); ++i) {
            const Setup setup{{}, {}, {}, [&](int process) {
                                  std::this_thread::sleep_for(
                                      std::chrono::duration<double>(moment(random_engine)));
                                  ::kill(process, SIGKILL);
                              }};
            look(random, scene, torture.stage.play(scene, setup), before, clean.after);
        }
        for (const FailingCall& failing : failing_calls) {
            for (int nth = 1;; ++nth) {
                fs::remove(torture.stage.aside("seen"));
                const Run run = torture.stage.play(
                    scene, with_fault(torture, fmt::format("{}:{}:KILL", failing.call, nth)));
                if (!fs::exists(torture.stage.aside("seen"))) break;
                look(exact, scene, run, before, clean.after);
            }
        }
    }
    torture.report(fmt::format("SIGKILL at random times; {} left a name", random.strays), random);
    torture.report(fmt::format("SIGKILL before each of these calls; {} left a name", exact.strays),
                   exact);
}

void limit(int resource, rlim_t value) {
    const rlimit both{value, value};
    ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

void set_limits(Torture& torture) {
    struct Limit {
        const char* name;
        int resource;
        rlim_t first, last, step;
        Words words;
    };
    constexpr rlim_t megabyte = 1 << 20;
    const std::vector<Limit> limits{
        {"RLIMIT_FSIZE, 0 to 3 MB", RLIMIT_FSIZE, 0, 3'000'000,
         torture.is_whole ? 30'011U : 400'009U, Words::line},
        {"RLIMIT_NOFILE, 0 to 15", RLIMIT_NOFILE, 0, 15, torture.is_whole ? 1U : 3U, Words::none},
        {"RLIMIT_AS, 1 to 200 MB", RLIMIT_AS, megabyte, 200 * megabyte,
         torture.is_whole ? megabyte : 16 * megabyte, Words::none}};
    for (const Limit& one : limits) {
        Tally tally;
        for (const Scene& scene : scenes) {
            if (!torture.is_whole && &scene != &scenes[2]) continue;
            const Snapshot before = torture.stage.before(scene);
            const Snapshot after = finished(torture, scene).after;
            for (rlim_t value = one.first; value <= one.last; value += one.step) {
                // What is said goes to a file too, which is not to be limited.
                const Setup setup{{},
                                  {},
                                  [&] {
                                      if (one.resource == RLIMIT_FSIZE) {
                                          int ends[2];
                                          if (::pipe(ends) == 0) ::dup2(ends[1], STDERR_FILENO);
                                      }
                                      limit(one.resource, value);
                                  },
                                  {}};
                const Words words = one.resource == RLIMIT_FSIZE ? Words::none : one.words;
                judge(tally, scene, torture.stage.play(scene, setup), before, after, words,
                      fmt::format("{} {}", one.name, value));
            }
        }
        torture.report(one.name, tally);
    }
    Tally enough;
    for (const Scene& scene : scenes) {
        const Snapshot before = torture.stage.before(scene);
        const Snapshot after = finished(torture, scene).after;
        judge(enough, scene,
              torture.stage.play(scene, {{}, {}, [] { limit(RLIMIT_NOFILE, 16); }, {}}), before,
              after, Words::line, "16 files");
    }
    if (enough.done != enough.runs) enough.violations["16 open files should do"] = 1;
    torture.report("`ulimit -n 16`, and done all the same", enough);
}

void forbid_threads(Torture& torture) {
    Tally tally;
    const Scene& scene = scenes[0];
    const Snapshot before = torture.stage.before(scene);
    const Snapshot after = finished(torture, scene).after;
    const Setup setup{{},
                      {},
                      [] {
                          constexpr unsigned nobody = 65534;
                          if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 ||
                                                   ::setgid(nobody) != 0 || ::setuid(nobody) != 0))
                              ::_exit(126);
                          limit(RLIMIT_NPROC, 1);
                      },
                      {}};
    judge(tally, scene, torture.stage.play(scene, setup), before, after, Words::line, "no threads");
    if (tally.done != tally.runs) tally.violations["one thread should do"] = 1;
    torture.report("`ulimit -u 1`, and done all the same", tally);
}

void misconfigure(Torture& torture) {
    Tally tally;
    for (const char* setting :
         {"OMP_NUM_THREADS=200000", "OMP_NUM_THREADS=0", "OMP_NUM_THREADS=-1",
          "OMP_NUM_THREADS=many", "OMP_NUM_THREADS=99999999999999999999",
          "OMP_NUM_THREADS=", "OMP_THREAD_LIMIT=1", "OMP_STACKSIZE=1", "OMP_DYNAMIC=x",
          "TERM=", "TMPDIR=/none", "HOME=", "LC_ALL=xx_YY"}) {
        const Scene& scene = scenes[2];
        const Snapshot before = torture.stage.before(scene);
        const Snapshot after = finished(torture, scene).after;
        const Run run = torture.stage.play(scene, {{setting}, {}, {}, {}});
        judge(tally, scene, run, before, after, Words::line, setting);
        // OpenMP's run time says what it does not understand.
        if (!run.errors.empty() && !run.errors.starts_with("\nlibgomp: ")) {
            tally.violations[std::string(setting) + " says " + run.errors] = 1;
        }
    }
    if (tally.done != tally.runs) tally.violations["a variable is no failure"] = 1;
    torture.report("nonsense in the environment, and done all the same", tally);
}

/// Each subset of the standard streams is closed.
void close_streams(Torture& torture) {
    Tally tally;
    for (const Scene& scene : scenes) {
        const Snapshot before = torture.stage.before(scene);
        const Snapshot after = finished(torture, scene).after;
        for (int closed = 0; closed < 8; ++closed) {
            const Setup setup{{},
                              {},
                              [&] {
                                  for (int stream = 0; stream < 3; ++stream) {
                                      if (closed >> stream & 1) ::close(stream);
                                  }
                              },
                              {}};
            judge(tally, scene, torture.stage.play(scene, setup), before, after, Words::line,
                  fmt::format("closed {}", closed));
        }
    }
    if (tally.done != tally.runs) tally.violations["nothing is said, so nothing is missing"] = 1;
    torture.report("standard streams closed, and done all the same", tally);

    // A closed, full or broken standard output is none that the table went to; with a full standard
    // error there is nobody to tell.
    Tally output;
    const Scene scene{"standard output", table + "--npy - --csv new.csv", {}};
    const Snapshot before = torture.stage.before(scene);
    const Snapshot after = finished(torture, scene).after;
    const std::vector<std::function<void()>> ways{
        [] { ::close(STDOUT_FILENO); },
        [] { ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO); },
        [] { ::dup2(::open("/dev/null", O_RDONLY), STDOUT_FILENO); },
        [] {
            int ends[2];
            if (::pipe(ends) != 0) ::_exit(126);
            ::close(ends[0]);
            ::dup2(ends[1], STDOUT_FILENO);
            ::close(ends[1]);
        }};
    for (const auto& way : ways) {
        judge(output, scene, torture.stage.play(scene, {{}, {}, way, {}}), before, after,
              Words::line, "output");
        const auto silent = [&] {
            way();
            ::dup2(::open("/dev/full", O_WRONLY), STDERR_FILENO);
        };
        const Run run = torture.stage.play(scene, {{}, {}, silent, {}});
        judge(output, scene, run, before, after, Words::none, "output and errors");
        if (run.status != 4) output.violations["status " + std::to_string(run.status)] = 1;
    }
    if (output.done > 0) output.violations["done, and nobody has it"] = output.done;
    torture.report("standard output closed, /dev/full, broken pipe", output);
}

/// A file system in memory, as large as `options` say, where the scenes are played; false where
/// that is not permitted.
bool mount_small(const Torture& torture, const std::string& options) {
    return ::mount("none", torture.stage.place().c_str(), "tmpfs", 0, options.c_str()) == 0;
}

void fill_disks(Torture& torture) {
    if (::unshare(CLONE_NEWNS) != 0 ||
        ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
        fmt::print("| small file systems | skipped: needs root |\n");
        return;
    }
    Tally tally;
    std::vector<std::string> sizes;
    for (int k = 48; k < 3500; k += torture.is_whole ? 44 : 700)
        sizes.push_back(fmt::format("size={}k", k));
    for (int inodes = 2; inodes < 9; ++inodes) sizes.push_back(fmt::format("nr_inodes={}", inodes));
    for (const Scene& scene : scenes) {
        const Snapshot before = torture.stage.before(scene);
        const Snapshot after = finished(torture, scene).after;
        for (const std::string& size : sizes) {
            if (!mount_small(torture, size)) continue;
            try {
                judge(tally, scene, torture.stage.play(scene), before, after, Words::line, size);
            } catch (const fs::filesystem_error&) {  // no room for what is there before
            }
            ::umount(torture.stage.place().c_str());
        }
    }
    torture.report("file systems of 48 kB to 3.5 MB, of 2 to 8 inodes", tally);
}

std::set<std::string> calls_in(const std::string& log, std::map<std::string, int>& counts) {
    std::set<std::string> names;
    std::istringstream lines(content(log));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t end = line.find('(');
        if (end == std::string::npos) continue;
        const std::string name =
            line.substr(line.rfind(' ', end) + 1, end - line.rfind(' ', end) - 1);
        if (name.empty() ||
            name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
            continue;
        ++counts[name];
        names.insert(name);
    }
    return names;
}

/// Every system call, from the first of the loader to the last, with strace.
void fail_system_calls(Torture& torture) {
    if (std::system("strace -f -o /dev/null true 2>/dev/null") != 0) {
        fmt::print("| every system call | skipped: needs strace |\n");
        return;
    }
    // Without these the C library stands still or the process cannot end.
    const std::set<std::string> spared{"futex",  "exit",         "exit_group",
                                       "execve", "rt_sigreturn", "restart_syscall"};
    for (const int error : {EIO, EINTR, ENOMEM}) {
        Tally tally;
        for (const Scene& scene : {scenes[2], scenes[1]}) {
            const Snapshot before = torture.stage.before(scene);
            const Snapshot after = finished(torture, scene).after;
            const std::string log = torture.stage.aside("strace");
            torture.stage.play(scene, {{}, {"strace", "-f", "-qq", "-o", log}, {}, {}});
            std::map<std::string, int> counts;
            for (const std::string& call : calls_in(log, counts)) {
                if (spared.contains(call)) continue;
                for (int nth = 1; nth <= counts[call]; ++nth) {
                    const std::string fault =
                        fmt::format("inject={}:error={}:when={}", call, error, nth);
                    Run run = torture.stage.play(scene, {{},
                                                         {"strace", "-f", "-qq", "-o", "/dev/null",
                                                          "-e", "trace=" + call, "-e", fault},
                                                         {},
                                                         {}});
                    if (call == "unlink") run = without_strays(std::move(run), tally);
                    judge(tally, scene, run, before, after, Words::none, fault);
                }
            }
        }
        torture.report(
            fmt::format("each system call of the process fails with {}", ::strerrorname_np(error)),
            tally);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        fmt::print(stderr, "torture PROGRAM FAULTS_LIBRARY FOLDER [whole]\n");
        return 2;
    }
    Torture torture{Stage(fs::absolute(argv[1]).string(), fs::absolute(argv[3]).string()),
                    fs::absolute(argv[2]).string(), argc > 4};
    fmt::print(
        "| fault | runs | done | failed | by signal | the rule |\n|---|--:|--:|--:|--:|---|\n");
    fail_calls(torture);
    do_without(torture);
    interrupt_writes(torture);
    fail_memory(torture);
    fail_threads(torture);
    forbid_threads(torture);
    set_limits(torture);
    misconfigure(torture);
    close_streams(torture);
    send_signals_at_calls(torture);
    send_signals_at_random(torture);
    kill_runs(torture);
    if (torture.is_whole) fail_system_calls(torture);
    fill_disks(torture);
    return torture.is_broken ? 1 : 0;
}
