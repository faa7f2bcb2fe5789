#include <errno.h>
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "kinds.h"
#include "strike.h"
#include "writers.h"

// A run is stopped before one of its calls on files, each call in turn; another event happens; then
// the run goes on.

namespace {

namespace fs = std::filesystem;

std::string stop_at(int nth) { return fmt::format("any:{}:signal{}", nth, SIGSTOP); }

/// Calls `happen` while a run of the scene is stopped before its first call, in the next run before
/// its second, and so on. Calls `look` with each run. `other_fault` is injected in addition.
void meet_each(const Session& session, const Scene& scene, const std::string& lacks,
               const std::function<void()>& happen, const Look& look,
               const std::string& other_fault = "") {
    bool has_stopped = true;
    for (int nth = 1; has_stopped; ++nth) {
        Setup setup = with_fault(session, stop_at(nth) + other_fault, lacks);
        setup.meanwhile = [&](int process) {
            has_stopped = is_stopped(process);
            if (!has_stopped) return;
            happen();
            ::kill(process, SIGCONT);
        };
        Run run = session.stage.play(scene, setup);
        if (has_stopped) {
            look(std::move(run), fmt::format("at call {} without '{}'{}", nth, lacks, other_fault));
        }
    }
}

/// Two runs write the same files. The first is stopped before one of its calls, then the second
/// before one of its own. The first goes on to its end, then the second goes on or is killed.
struct Meeting {
    std::string lacks;
    bool is_new;        ///< the files do not exist before
    bool is_killed;     ///< the second run is killed
    int first, second;  ///< the numbers of the calls
};

/// Returns false if one of the runs makes fewer calls.
bool meet(const Session& session, Tally& tally, const std::vector<Writer>& writers,
          const Meeting& meeting) {
    const std::vector<std::string> names{"a.npy", "b.csv"};
    const std::string about =
        fmt::format("calls {} and {} without '{}'", meeting.first, meeting.second, meeting.lacks);
    const auto start = [&](const Writer& writer, int nth) {
        return session.stage.start(writer.arguments(names),
                                   with_fault(session, stop_at(nth), meeting.lacks));
    };
    const auto end = [&](int process, const char* which) {
        const int status = wait_for(process);
        tally.count(status);
        judge_names(session, tally, writers, names, fmt::format("{}, {}", about, which));
        const bool may_end = status == 0 || (meeting.is_killed && status == 128 + SIGKILL);
        if (!may_end) tally.violate(fmt::format("{}, {}: status {}", about, which, status));
    };
    Scene before;
    for (const std::string& name : names) {
        if (!meeting.is_new) before.before.emplace_back(name, writers[0].files.at(name));
    }
    session.stage.before(before);
    const int first = start(writers[0], meeting.first);
    const bool is_first_stopped = is_stopped(first);
    const int second = start(writers[1], meeting.second);
    const bool are_both_stopped = is_stopped(second) && is_first_stopped;
    ::kill(first, SIGCONT);
    end(first, "first");
    ::kill(second, meeting.is_killed ? SIGKILL : SIGCONT);
    end(second, "second");
    if (!meeting.is_killed) judge_no_hidden(session, tally, about);
    return are_both_stopped;
}

/// Lets calls of one run meet calls of the other; only some pairs, since all would take too long.
void meet_at_calls(const Session& session, Tally& tally, const std::vector<Writer>& writers,
                   Meeting meeting) {
    const int stride = session.is_whole ? 3 : 11;
    for (meeting.first = 1;; meeting.first += stride) {
        const int least = 1 + meeting.first / stride % stride;
        meeting.second = least;
        while (meet(session, tally, writers, meeting)) meeting.second += stride;
        if (meeting.second == least) return;
    }
}

}  // namespace

void meet_other_runs(Session& session) {
    const std::vector<Writer> writers = make_writers(session, 2);
    for (const bool is_killed : {false, true}) {
        Tally tally;
        for (const char* lacks : {"", "unnamed", "unnamed,exchange,noreplace"}) {
            for (const bool is_new : {false, true}) {
                meet_at_calls(session, tally, writers, {lacks, is_new, is_killed, 1, 1});
            }
        }
        session.report(is_killed ? "a run meets another that is killed: its files are whole"
                                 : "a run meets another: both are done",
                       tally);
    }
}

/// Another program creates a file where a run with --no-clobber is about to put its own.
void meet_other_files(Session& session) {
    Tally tally;
    const Trial trial = make_trial(
        session.stage, {"three new files",
                        "sinusoid --d 8 --len 8 --no-clobber --npy a.npy --csv b.csv --json c.json",
                        {}});
    const std::string precious = "precious";
    for (const char* name : {"c.json", "b.csv", "a.npy"}) {
        for (const char* lacks : {"", "unnamed", "unnamed,exchange,noreplace"}) {
            const bool is_quick_case = std::string_view(name) == "c.json" && lacks[0] == '\0';
            if (!session.is_whole && !is_quick_case) continue;
            const std::string path = session.stage.place() + "/" + name;
            bool is_ours = false;
            Trial met = trial;
            const auto put = [&] {
                is_ours = !fs::exists(path);
                if (is_ours) std::ofstream(path) << precious;
                if (is_ours) fs::permissions(path, fs::perms(0646));
            };
            const Look look = [&](const Run& run, const std::string& fault) {
                met.before = is_ours ? Snapshot{{name, "100646 " + precious}} : Snapshot{};
                judge(tally, met, run, Words::line, fault);
                if (is_ours && run.status == 0) tally.violate(fault + ": done");
            };
            meet_each(session, trial.scene, lacks, put, look);
        }
    }
    session.report("a file comes before --no-clobber puts one: it stays", tally);
}

/// A run that fails undoes its own changes, but not the changes that another program has made
/// meanwhile.
void meet_while_failing(Session& session) {
    const std::vector<Writer> writers = make_writers(session, 2);
    const auto write = [&] { wait_for(session.stage.start(writers[1].arguments({"a.npy"}), {})); };
    Tally tally;
    const Look look = [&](const Run& run, const std::string& fault) {
        tally.count(run.status);
        if (run.status == 0) return tally.violate(fault + ": done");
        judge_names(session, tally, {writers[1]}, {"a.npy"}, fault);
        judge_no_hidden(session, tally, fault);
    };
    // Replacing the old b.csv fails after a.npy is in its place; a.npy is new or replaces an old
    // file.
    const std::string arguments = writers[0].arguments({"a.npy", "b.csv"});
    const Scene is_new{"", arguments, {{"b.csv", "old"}}};
    const Scene is_old{"", arguments, {{"b.csv", "old"}, {"a.npy", "old"}}};
    for (const Scene& scene : {is_new, is_old}) {
        for (const char* lacks : {"", "unnamed"}) {
            meet_each(session, scene, lacks, write, look, fmt::format(",rename:1:{}", EIO));
            if (!session.is_whole) break;
        }
    }
    session.report("a run fails while another is done: its file stays", tally);
}

/// A manifest writes only beneath its folder, even if a link is put in the place of a folder there.
void meet_exchanged_folders(Session& session) {
    const Scene scene{"a manifest",
                      "batch -q manifest.json",
                      {{"manifest.json", R"({"jobs": [
                            {"encoding": "sinusoid", "d": 4, "len": 4, "npy": "sub/a.npy"},
                            {"encoding": "index", "len": 5, "csv": "sub/b.csv", "json": "c.json"}
                        ]})"},
                       {"sub/b.csv", "old"}}};
    const std::string sub = session.stage.place() + "/sub";
    const std::string outside = session.stage.aside("outside");
    const auto furnish_outside = [&] {
        fs::remove_all(outside);
        fs::create_directory(outside);
        std::ofstream(outside + "/b.csv") << "precious";
    };
    const auto exchange = [&] {
        fs::rename(sub, sub + "-moved");
        fs::create_symlink(outside, sub);
    };
    Tally tally;
    furnish_outside();
    for (const char* lacks : {"", "unnamed"}) {
        meet_each(session, scene, lacks, exchange, [&](const Run& run, const std::string& fault) {
            tally.count(run.status);
            const auto names = std::distance(fs::directory_iterator(outside), {});
            if (names == 1 && content(outside + "/b.csv") == "precious") return;
            tally.violate(fault + ": written outside");
            furnish_outside();
        });
        if (!session.is_whole) break;
    }
    session.report("a link takes the place of a manifest's folder: nothing is outside", tally);
}
