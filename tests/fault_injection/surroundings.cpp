#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "kinds.h"

namespace {

constexpr std::array nonsense{"OMP_NUM_THREADS=200000",
                              "OMP_NUM_THREADS=0",
                              "OMP_NUM_THREADS=-1",
                              "OMP_NUM_THREADS=many",
                              "OMP_NUM_THREADS=99999999999999999999",
                              "OMP_NUM_THREADS=",
                              "OMP_THREAD_LIMIT=1",
                              "OMP_STACKSIZE=1",
                              "OMP_DYNAMIC=x",
                              "TERM=",
                              "TMPDIR=/none",
                              "HOME=",
                              "LC_ALL=xx_YY"};

/// The standard streams, one bit for each.
void close_all_of(int streams) {
    for (int stream = 0; stream < 3; ++stream) {
        if (streams >> stream & 1) ::close(stream);
    }
}

void close_output() { ::close(STDOUT_FILENO); }
void fill_output() { ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO); }
void forbid_output() { ::dup2(::open("/dev/null", O_RDONLY), STDOUT_FILENO); }

void break_output() {
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(126);
    ::close(ends[0]);
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[1]);
}

constexpr std::array ways_to_lose_output{close_output, fill_output, forbid_output, break_output};

void fill_errors() { ::dup2(::open("/dev/full", O_WRONLY), STDERR_FILENO); }

}  // namespace

void misconfigure(Session& session) {
    const Trial& trial = session.trial("three files");
    Tally tally;
    for (const char* setting : nonsense) {
        const Run run = session.stage.play(trial.scene, {.environment = {setting}});
        judge(tally, trial, run, Words::line, setting);
        // OpenMP's run time complains of values that it does not understand.
        if (!run.errors.empty() && !run.errors.starts_with("\nlibgomp: ")) {
            tally.violate(fmt::format("{} says {}", setting, run.errors));
        }
    }
    tally.expect_all_done("a variable is not a failure");
    session.report("nonsense in the environment: all done", tally);
}

void close_streams(Session& session) {
    Tally tally;
    for (const Trial& trial : session.trials) {
        for (int streams = 0; streams < 8; ++streams) {
            const Setup setup{.prepare = [&] { close_all_of(streams); }};
            judge(tally, trial, session.stage.play(trial.scene, setup), Words::line,
                  fmt::format("closed {}", streams));
        }
    }
    tally.expect_all_done("the program prints nothing, so nothing is missing");
    session.report("standard streams closed: all done", tally);
}

/// Checks the result for standard output that cannot be written. A table that does not reach it is
/// a failure or, if its reader has gone, the run ends by SIGPIPE. With a full standard error there
/// is no message.
void lose_output(Session& session) {
    const Trial trial = make_trial(
        session.stage, {"standard output", "sinusoid --d 64 --len 2100 --npy - --csv new.csv", {}});
    Tally tally;
    for (const auto& lose : ways_to_lose_output) {
        judge(tally, trial, session.stage.play(trial.scene, {.prepare = lose}), Words::line,
              "output");
        const auto lose_all = [&] {
            lose();
            fill_errors();
        };
        const Run run = session.stage.play(trial.scene, {.prepare = lose_all});
        judge(tally, trial, run, Words::none, "output and errors");
        const int expected = lose == break_output ? 128 + SIGPIPE : 4;
        if (run.status != expected) tally.violate(fmt::format("status {}", run.status));
    }
    if (tally.done > 0) tally.violate("done, but nobody got the table", tally.done);
    session.report("standard output closed, /dev/full, broken pipe", tally);
}
