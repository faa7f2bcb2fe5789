/// fault_injection PROGRAM FAULTS_LIBRARY FOLDER [whole]
///
/// Injects one fault into each of many runs of the program and looks at what is in the folder
/// afterwards. After status 0 every file must be, byte for byte, what a run without faults writes.
/// After any other status everything must be as it was before, and one line must say why. After
/// SIGKILL, and for the many files of a manifest, each file must be old or new. Prints one row for
/// each kind of fault. Ends with 1 if a run broke the rule.

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "kinds.h"

namespace {

const std::string table = "sinusoid --d 64 --len 2100 ";

const std::vector<Scene> scenes{
    {"one new file", table + "--npy new.npy", {}},
    {"one old file", table + "--npy old.npy", {{"old.npy", "old"}}},
    {"three files",
     table + "--npy old.npy --csv new.csv --json link.json",
     {{"old.npy", "old"}, {"there/old.json", "older"}, {"link.json", "-> there/old.json"}}},
    {"three old files",
     table + "--npy a.npy --svg b.svg --png c.png",
     {{"a.npy", "old"}, {"b.svg", "older"}, {"c.png", "oldest"}}},
    {"two archives",
     "rope --d 64 --len 1050 --table cos,sin --npz new.npz --safetensors old.safetensors",
     {{"old.safetensors", "old"}}}};

/// Each injects one kind of fault and prints its rows. The last one leaves this process in a mount
/// namespace of its own.
constexpr std::array kinds{
    fail_calls,
    do_without,
    interrupt_writes,
    fail_memory,
    fail_threads,
    forbid_threads,
    set_limits,
    allow_few_files,
    misconfigure,
    close_streams,
    lose_output,
    send_signals_at_calls,
    send_signals_at_random,
    kill_at_random,
    kill_at_calls,
    kill_manifests,
    interrupt_manifests,
    fail_manifests,
    fail_system_calls,
    fill_disks,
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        fmt::print(stderr, "fault_injection PROGRAM FAULTS_LIBRARY FOLDER [whole]\n");
        return 2;
    }
    const Stage stage(argv[1], argv[2], argv[3]);
    std::vector<Trial> trials;
    for (const Scene& scene : scenes) trials.push_back(make_trial(stage, scene));
    Session session{.stage = stage, .is_whole = argc > 4, .trials = std::move(trials)};
    fmt::print(
        "| fault | runs | done | failed | by signal | the rule |\n|---|--:|--:|--:|--:|---|\n");
    for (const auto kind : kinds) kind(session);
    return session.is_broken ? 1 : 0;
}
