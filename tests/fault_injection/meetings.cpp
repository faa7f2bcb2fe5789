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

// One run is stopped before each of its calls on files, in turn; something else happens; it goes
// on.

namespace {

namespace fs = std::filesystem;

std::string stop_at(int nth) { return fmt::format("any:{}:signal{}", nth, SIGSTOP); }

/// Calls `happen` while a run of the scene is stopped before its first call, in the next run before
/// its second, and so on, and `look` with each run. Another fault may come on top.
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

/// How the second of two runs goes on once the first has ended.
enum class Next { goes_on, is_killed };

/// Two runs write the same files. The first is stopped before its `nth_of_first` call, then the
/// second before its `nth_of_second`. The first goes on to its end, then the second. Returns false
/// if one of them makes fewer calls.
bool meet(const Session& session, Tally& tally, const std::vector<Writer>& writers,
          const std::vector<std::string>& names, const std::string& lacks, int nth_of_first,
          int nth_of_second, Next next) {
    const auto start = [&](const Writer& writer, int nth) {
        return session.stage.start(writer.arguments(names),
                                   with_fault(session, stop_at(nth), lacks));
    };
    const std::string about =
        fmt::format("calls {} and {}, without '{}'", nth_of_first, nth_of_second, lacks);
    session.stage.before(
        {"",
         "",
         {{"a.npy", writers[0].files.at("a.npy")}, {"b.csv", writers[1].files.at("b.csv")}}});
    const int first = start(writers[0], nth_of_first);
    if (!is_stopped(first)) return wait_for(first), false;
    const int second = start(writers[1], nth_of_second);
    const bool are_both_stopped = is_stopped(second);

    ::kill(first, SIGCONT);
    const int status_of_first = wait_for(first);
    tally.count(status_of_first);
    judge_names(session, tally, writers, names, about + ", first");
    if (status_of_first != 0) tally.violate(fmt::format("{}: first {}", about, status_of_first));

    ::kill(second, next == Next::goes_on ? SIGCONT : SIGKILL);
    const int status_of_second = wait_for(second);
    tally.count(status_of_second);
    judge_names(session, tally, writers, names, about + ", second");
    const bool is_killed = are_both_stopped && next == Next::is_killed;
    if (!is_killed && status_of_second != 0) {
        tally.violate(fmt::format("{}: second {}", about, status_of_second));
    }
    if (!is_killed) judge_no_hidden(session, tally, about);
    return are_both_stopped;
}

}  // namespace

void meet_other_runs(Session& session) {
    const std::vector<Writer> writers = make_writers(session, 2);
    const std::vector<std::string> names{"a.npy", "b.csv"};
    const int stride = session.is_whole ? 1 : 7;
    for (const Next next : {Next::goes_on, Next::is_killed}) {
        Tally tally;
        for (const char* lacks : {"", "unnamed", "unnamed,exchange,noreplace"}) {
            bool has_stopped = true;
            for (int first = 1; has_stopped; first += stride) {
                int second = 1 + first % stride;
                const int first_of_second = second;
                while (meet(session, tally, writers, names, lacks, first, second, next)) {
                    second += stride;
                }
                has_stopped = second > first_of_second;
            }
        }
        session.report(fmt::format("a run meets another, which {}: all whole",
                                   next == Next::goes_on ? "goes on: all done" : "is killed"),
                       tally);
    }
}

/// Somebody else puts a file where a run with --no-clobber is about to put its own.
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

/// A run that fails undoes what it has done, not what another has done meanwhile.
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
    // b.csv fails to replace the old one after a.npy is in its place.
    Scene scene{"", writers[0].arguments({"a.npy", "b.csv"}), {{"b.csv", "old"}}};
    for (const char* lacks : {"", "unnamed"}) {
        meet_each(session, scene, lacks, write, look, ",rename:1:5");
    }
    scene.before.emplace_back("a.npy", "old");
    for (const char* lacks : {"", "unnamed"}) {
        meet_each(session, scene, lacks, write, look, ",rename:1:5");
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
    }
    session.report("a link takes the place of a manifest's folder: nothing is outside", tally);
}
