#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "calls.h"
#include "kinds.h"
#include "strike.h"

void send_signals_at_calls(Session& session) {
    for (const Signal& signal : ending_signals().first(session.is_whole ? 3 : 1)) {
        Tally tally;
        for (const FailingCall& failing : failing_calls()) {
            strike_everywhere(session, tally, failing.call, signal.name);
        }
        tally.expect_none_failed();
        session.report(fmt::format("SIG{} before each of these calls", signal.name), tally);
    }
}

void send_signals_at_random(Session& session) {
    const int runs = session.is_whole ? 150 : 8;
    for (const Signal& signal : ending_signals()) {
        Tally tally;
        double slowest = 0;
        for (const Trial& trial : session.trials) {
            for (int i = 0; i < runs; ++i) {
                const auto [run, seconds_left] = interrupt(session, trial, signal.number);
                judge(tally, trial, run, Words::line, "at random");
                slowest = std::max(slowest, seconds_left);
            }
        }
        tally.expect_none_failed();
        // The quick part runs at the same time as other tests, which slow it down.
        if (slowest > 0.5 && session.is_whole) tally.violate(fmt::format("took {} s", slowest));
        session.report(
            fmt::format("SIG{} at random times; gone after {:.2f} s at most", signal.name, slowest),
            tally);
    }
}

namespace {

/// No program can act on SIGKILL. A file that replaces another has a hidden name for a moment,
/// which may stay; the next run removes it.
void judge_killed(const Session& session, Tally& tally, const Trial& trial, const Run& run,
                  const std::string& fault) {
    judge_each_file(tally, trial, run, Words::line, fault);
    const Run next = session.stage.play_on(trial.scene);
    const bool is_healed = next.status == 0 && next.after == trial.after;
    if (!is_healed) tally.violate(fault + ": run again, not as it should be");
}

}  // namespace

void kill_at_random(Session& session) {
    const int runs = session.is_whole ? 400 : 8;
    Tally tally;
    for (const Trial& trial : session.trials) {
        for (int i = 0; i < runs; ++i) {
            const Run run = interrupt(session, trial, SIGKILL).run;
            judge_killed(session, tally, trial, run, "SIGKILL");
        }
    }
    tally.expect_none_failed();
    session.report(fmt::format("SIGKILL at random times; {} left a name, run again", tally.strays),
                   tally);
}

void kill_at_calls(Session& session) {
    Tally tally;
    for (const Trial& trial : session.trials) {
        const Look look = [&](const Run& run, const std::string& fault) {
            judge_killed(session, tally, trial, run, fault);
        };
        for (const FailingCall& failing : failing_calls()) {
            strike_each(session, trial.scene, {.call = failing.call, .what = "KILL"}, look);
        }
    }
    tally.expect_none_failed();
    session.report(
        fmt::format("SIGKILL before each of these calls; {} left a name, run again", tally.strays),
        tally);
}
