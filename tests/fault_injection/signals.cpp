#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "calls.h"
#include "kinds.h"
#include "strike.h"

namespace {

/// The signals that users and systems send to end a program.
constexpr std::array usual_signals{SIGINT, SIGTERM, SIGHUP};

std::string what_of(int signal) { return fmt::format("signal{}", signal); }

}  // namespace

void send_signals_at_calls(Session& session) {
    for (const int signal : std::span(usual_signals).first(session.is_whole ? 3 : 1)) {
        Tally tally;
        strike_everywhere(session, tally, "any", what_of(signal));
        tally.expect_none_failed();
        session.report(fmt::format("{} before each call on files", name_of(signal)), tally);
    }
}

namespace {

/// Sends a signal before the calls of a run. In the quick part each signal comes before some calls,
/// and the signals together come before all calls.
void send(const Session& session, Tally& tally, const Trial& trial, const std::string& call,
          const std::string& lacks) {
    constexpr int quick_stride = 9;
    int nth = 0;
    for (const int signal : ending_signals()) {
        Strike strike{.call = call, .what = what_of(signal), .lacks = lacks};
        if (!session.is_whole) {
            strike.first = 1 + nth++ % quick_stride;
            strike.stride = quick_stride;
        }
        strike_each(session, trial.scene, strike, [&](const Run& run, const std::string& fault) {
            judge(tally, trial, run, Words::none, fault);
        });
    }
}

}  // namespace

void send_every_signal(Session& session) {
    const Trial files = make_trial(
        session.stage, {"three small files",
                        "sinusoid --d 8 --len 8 --npy old.npy --csv new.csv --json other.json",
                        {{"old.npy", "old"}, {"other.json", "other"}}});
    const Trial diff = comparison(session);
    Tally tally;
    send(session, tally, files, "commit", "");
    send(session, tally, diff, "commit", "");
    // Here the files have hidden names from the start.
    if (session.is_whole) send(session, tally, files, "any", "unnamed");
    tally.expect_none_failed();
    session.report(
        fmt::format("each of the {} signals that end programs, before calls of the commit",
                    ending_signals().size()),
        tally);
}

void send_signals_at_random(Session& session) {
    const int runs = session.is_whole ? 150 : 8;
    for (const int signal : usual_signals) {
        Tally tally;
        double slowest = 0;
        for (const Trial& trial : session.trials) {
            for (int i = 0; i < runs; ++i) {
                const auto [run, seconds_left] = interrupt(session, trial, signal);
                judge(tally, trial, run, Words::line, "at random");
                slowest = std::max(slowest, seconds_left);
            }
        }
        tally.expect_none_failed();
        // The quick part runs at the same time as other tests, which slow it down.
        if (slowest > 0.5 && session.is_whole) tally.violate(fmt::format("took {} s", slowest));
        session.report(fmt::format("{} at random times; gone after {:.2f} s at most",
                                   name_of(signal), slowest),
                       tally);
    }
}

namespace {

/// Checks a run that SIGKILL ended, which no program can handle. A file that replaces another has a
/// hidden name for a moment, and that name may remain; it does no harm. A new file has one, too, on
/// a file system without unnamed files.
void judge_killed(const Session& session, Tally& tally, const Trial& trial, const Run& run,
                  const std::string& fault, std::string_view lacks = "") {
    const int strays_before = tally.strays;
    judge_each_file(tally, trial, run, Words::line, fault);
    if (trial.before.empty() && lacks.empty() && tally.strays > strays_before) {
        tally.violate(fault + ": a new file left a name");
    }
    Run next = session.stage.play_on(trial.scene);
    forgive_strays(next);
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
        for (const char* lacks : {"", "unnamed", "exchange", "unnamed,exchange,noreplace"}) {
            const Strike strike{.call = "any", .what = what_of(SIGKILL), .lacks = lacks};
            strike_each(session, trial.scene, strike,
                        [&](const Run& run, const std::string& fault) {
                            judge_killed(session, tally, trial, run, fault, lacks);
                        });
            if (!session.is_whole) break;
        }
    }
    tally.expect_none_failed();
    session.report(
        fmt::format("SIGKILL before each call on files; {} left a name, run again", tally.strays),
        tally);
}
