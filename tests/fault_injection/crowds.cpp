#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kinds.h"
#include "strike.h"
#include "writers.h"

namespace {

constexpr int writers_at_once = 10;

/// Returns a setup in which each call waits for a random time, so that all orders happen.
Setup slowly(const Session& session, const std::string& lacks, int seed) {
    Setup setup = with_fault(session, "", lacks);
    setup.environment.push_back(fmt::format("PEGEN_SLOW=2000:{}", seed));
    return setup;
}

/// A set of features that a file system lacks: as the option of faults.cpp, and in words for the
/// report.
struct Lacking {
    const char* lacks;
    const char* words;
};

constexpr std::array<Lacking, 4> file_systems{
    {{"", ""},
     {"unnamed", ", without O_TMPFILE"},
     {"proc", ", without /proc"},
     {"unnamed,exchange,noreplace", ", without O_TMPFILE and flags of renameat2"}}};

/// Starts ten runs and returns their processes.
std::vector<int> start_all(const Session& session, const std::vector<Writer>& writers,
                           const std::string& options, const std::vector<std::string>& outputs,
                           const std::string& lacks) {
    static int seed = 0;
    std::vector<int> processes;
    for (const Writer& writer : writers) {
        processes.push_back(session.stage.start(writer.arguments(outputs) + options,
                                                slowly(session, lacks, ++seed),
                                                fmt::format("errors-{}", processes.size())));
    }
    return processes;
}

/// Calls `look(index, status)` for each process as soon as it ends.
void watch(Tally& tally, std::vector<int> processes,
           const std::function<void(std::size_t index, int status)>& look) {
    for (std::size_t left = processes.size(); left > 0; --left) {
        const std::size_t first = first_to_end(processes);
        const int status = wait_for(std::exchange(processes[first], -1), 0);
        tally.count(status);
        look(first, status);
    }
}

}  // namespace

void write_at_once(Session& session) {
    const std::vector<Writer> writers = make_writers(session, writers_at_once);
    for (const auto& [lacks, words] : file_systems) {
        Tally tally;
        const int rounds = session.is_whole ? 250 : 8;
        for (int round = 0; round < rounds; ++round) {
            // Every second round starts with the files that the round before has written.
            if (round % 2 == 0) session.stage.before({});
            std::vector<std::string> outputs{"a.npy"};
            if (round % 4 > 1) outputs = {"a.npy", "b.csv", "c.json"};
            const std::vector<int> processes = start_all(session, writers, "", outputs, lacks);
            watch(tally, processes, [&](std::size_t index, int status) {
                if (status != 0) {
                    const std::string errors = fmt::format("errors-{}", index);
                    tally.violate(fmt::format("says '{}'", content(session.stage.aside(errors))));
                } else {
                    judge_names(session, tally, writers, outputs, "after status 0");
                }
            });
            judge_no_hidden(session, tally, "in the end");
        }
        tally.expect_all_done("none is in the way of another");
        session.report(fmt::format("ten runs at once on the same files{}: all done", words), tally);
    }
}

void never_clobber_at_once(Session& session) {
    const std::vector<Writer> writers = make_writers(session, writers_at_once);
    Tally tally;
    for (const char* lacks :
         {"", "unnamed", "unnamed,exchange,link", "unnamed,exchange,noreplace"}) {
        const int rounds = session.is_whole ? 100 : 4;
        for (int i = 0; i < rounds; ++i) {
            session.stage.before({});
            const std::vector<int> processes =
                start_all(session, writers, " --no-clobber", {"a.npy"}, lacks);
            int done = 0;
            watch(tally, processes, [&](std::size_t index, int status) {
                if (status == 0) ++done;
                if (status != 0 && status != 4) {
                    tally.violate(fmt::format("status {} without {}", status, lacks));
                }
                if (status == 0) judge_names(session, tally, {writers[index]}, {"a.npy"}, "done");
            });
            if (done != 1) tally.violate(fmt::format("{} are done without {}", done, lacks));
            judge_no_hidden(session, tally, "in the end");
        }
    }
    session.report("ten runs at once with --no-clobber: one is done", tally);
}
