#include <errno.h>
#include <fmt/format.h>
#include <signal.h>

#include <array>

#include "kinds.h"
#include "strike.h"

namespace {

/// A manifest of 16 tables of a sweep and five other files, all small, as in usual manifests.
constexpr const char* manifest = R"({
  "defaults": {"dtype": "float64", "figsize": "2x2"},
  "jobs": [
    {"encoding": "sinusoid", "len": 64, "npy": "sinusoid_{d}_{base}.npy",
     "sweep": {"d": [16, 32, 48, 64], "base": [100, 1000, 10000, 100000]}},
    {"encoding": "index", "len": 20, "csv": "index.csv"},
    {"encoding": "sinusoid", "d": 16, "len": 16, "png": "picture.png"},
    {"encoding": "mae", "d": 16, "height": 4, "width": 4, "npy": "mae.npy", "csv": "mae.csv"},
    {"encoding": "sinusoid", "d": 8, "len": 8, "dtype": "float32", "json": "small.json"}]})";

/// Returns a scene in which some files of the manifest exist before.
const Scene scene{"a manifest",
                  "batch manifest.json",
                  {{"manifest.json", manifest},
                   {"sinusoid_16_100.npy", "old"},
                   {"sinusoid_32_10000.npy", "older"},
                   {"sinusoid_64_100000.npy", ""},
                   {"index.csv", "0\n"},
                   {"picture.png", "no picture"},
                   {"mae.csv", "oldest"}}};

/// Checks the rule for manifests: each file is old or new, and the same command makes the rest.
void judge_manifest(const Session& session, Tally& tally, const Trial& trial, const Run& run,
                    const std::string& fault) {
    judge_each_file(tally, trial, run, Words::lines, fault);
    Run next = session.stage.play_on(trial.scene);
    forgive_strays(next);
    if (next.status != 0) tally.violate(fmt::format("{}: run again, {}", fault, next.errors));
    if (next.after != trial.after) tally.violate(fault + ": run again, not as it should be");
}

/// Counts a violation for each hidden name. For faults after which the program can still remove
/// them.
void expect_no_strays(Tally& tally) {
    if (tally.strays > 0) tally.violate("a hidden name is left", tally.strays);
}

void interrupt_each(const Session& session, Tally& tally, const Trial& trial, int signal) {
    const int runs = session.is_whole ? 100 : 4;
    for (int i = 0; i < runs; ++i) {
        const Run run = interrupt(session, trial, signal).run;
        judge_manifest(session, tally, trial, run, fmt::format("signal {}", signal));
    }
    tally.expect_none_failed();
}

struct StruckCall {
    const char* call;
    int error;
    int quick_stride;
};

constexpr std::array<StruckCall, 5> struck_calls{{{"open", EIO, 40},
                                                  {"write", ENOSPC, 20},
                                                  {"fdatasync", EIO, 8},
                                                  {"linkat", EIO, 8},
                                                  {"rename", EIO, 3}}};

}  // namespace

void kill_manifests(Session& session) {
    const Trial trial = make_trial(session.stage, scene);
    Tally tally;
    interrupt_each(session, tally, trial, SIGKILL);
    session.report(
        fmt::format("a manifest: SIGKILL at random times; {} left a name, run again", tally.strays),
        tally);
}

void interrupt_manifests(Session& session) {
    const Trial trial = make_trial(session.stage, scene);
    Tally tally;
    interrupt_each(session, tally, trial, SIGINT);
    interrupt_each(session, tally, trial, SIGTERM);
    expect_no_strays(tally);
    session.report("a manifest: SIGINT, SIGTERM at random times, run again", tally);
}

void fail_manifests(Session& session) {
    const Trial trial = make_trial(session.stage, scene);
    Tally tally;
    const Look look = [&](const Run& run, const std::string& fault) {
        judge_manifest(session, tally, trial, run, fault);
    };
    for (const StruckCall& struck : struck_calls) {
        const int runs_before = tally.runs;
        strike_each(session, scene,
                    {.call = struck.call,
                     .what = fmt::format("{}", struck.error),
                     .stride = session.is_whole ? 1 : struck.quick_stride},
                    look);
        if (tally.runs == runs_before)
            tally.violate(fmt::format("{} is never called", struck.call));
    }
    expect_no_strays(tally);
    session.report("a manifest: `open`, `write`, `fdatasync`, `linkat`, `rename` fail, run again",
                   tally);
}
