/// fault_injection PROGRAM FAULTS_LIBRARY FOLDER [whole] [KIND...]
///
/// Injects one fault into each of many runs of the program and looks at what is in the folder
/// afterwards. After status 0 every file must be, byte for byte, what a run without faults writes.
/// After any other status everything must be as it was before, and one line must say why. After
/// SIGKILL, and for the many files of a manifest, each file must be old or new. Prints one row for
/// each kind of fault. Ends with 1 if a run broke the rule.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
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
     table + "--npy a.npy --pdf b.pdf --png c.png",
     {{"a.npy", "old"}, {"b.pdf", "older"}, {"c.png", "oldest"}}},
    {"two archives",
     "rope --d 64 --len 1050 --table cos,sin --npz new.npz --safetensors old.safetensors",
     {{"old.safetensors", "old"}}}};

struct Kind {
    std::string_view name;
    void (*inject)(Session& session);
};

/// The functions that inject one kind of fault each and print its rows. The last one leaves this
/// process in a mount namespace of its own.
constexpr std::array kinds{
    Kind{"fail-calls", fail_calls},
    Kind{"do-without", do_without},
    Kind{"interrupt-writes", interrupt_writes},
    Kind{"fail-memory", fail_memory},
    Kind{"fail-threads", fail_threads},
    Kind{"forbid-threads", forbid_threads},
    Kind{"set-limits", set_limits},
    Kind{"allow-few-files", allow_few_files},
    Kind{"misconfigure", misconfigure},
    Kind{"close-streams", close_streams},
    Kind{"lose-output", lose_output},
    Kind{"send-signals-at-calls", send_signals_at_calls},
    Kind{"send-every-signal", send_every_signal},
    Kind{"send-signals-at-random", send_signals_at_random},
    Kind{"kill-at-random", kill_at_random},
    Kind{"kill-at-calls", kill_at_calls},
    Kind{"kill-manifests", kill_manifests},
    Kind{"interrupt-manifests", interrupt_manifests},
    Kind{"fail-manifests", fail_manifests},
    Kind{"write-at-once", write_at_once},
    Kind{"never-clobber-at-once", never_clobber_at_once},
    Kind{"meet-other-runs", meet_other_runs},
    Kind{"meet-other-files", meet_other_files},
    Kind{"meet-while-failing", meet_while_failing},
    Kind{"meet-exchanged-folders", meet_exchanged_folders},
    Kind{"append-only", append_only},
    Kind{"use-long-paths", use_long_paths},
    Kind{"write-to-descriptors", write_to_descriptors},
    Kind{"keep-what-is-named", keep_what_is_named},
    Kind{"lose-current-folder", lose_current_folder},
    Kind{"walk-at-random", walk_at_random},
    Kind{"answer-system-calls", answer_system_calls},
    Kind{"fill-disks", fill_disks},
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 4) {
        fmt::print(stderr, "fault_injection PROGRAM FAULTS_LIBRARY FOLDER [whole] [KIND...]\n");
        return 2;
    }
    const Stage stage(argv[1], argv[2], argv[3]);
    std::vector<Trial> trials;
    for (const Scene& scene : scenes) trials.push_back(make_trial(stage, scene));
    const std::vector<std::string_view> words(argv + 4, argv + argc);
    const auto asks_for = [&](std::string_view word) {
        return std::ranges::find(words, word) != words.end();
    };
    const bool is_whole = asks_for("whole");
    const bool is_all = words.size() == (is_whole ? 1 : 0);
    Session session{.stage = stage, .is_whole = is_whole, .trials = std::move(trials)};
    fmt::print(
        "| fault | runs | done | failed | by signal | the rule |\n|---|--:|--:|--:|--:|---|\n");
    for (const Kind& kind : kinds) {
        if (is_all || asks_for(kind.name)) kind.inject(session);
    }
    return session.is_broken ? 1 : 0;
}
