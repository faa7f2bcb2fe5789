#include "calls.h"

#include <errno.h>
#include <fmt/format.h>

#include "kinds.h"
#include "strike.h"

namespace {

/// The features that a file system may lack; /proc counts as one.
const std::vector<std::string> all_lacks{"", "unnamed", "unnamed,exchange,link", "exchange",
                                         "proc"};

/// Returns the lacks that this part tries. The quick part leaves out the fourth, which takes as
/// long as the first three together.
std::span<const std::string> lacks_of_part(const Session& session) {
    return std::span(all_lacks).first(session.is_whole ? 4 : 3);
}

/// A function of the C library, and the values of errno with which it may fail.
struct FailingCall {
    const char* call;
    std::vector<int> errors;
    enum { always, sometimes } made;  ///< true if a run that replaces files makes the call
};

std::span<const int> errors_of_part(const Session& session, const FailingCall& failing) {
    return std::span(failing.errors).first(session.is_whole ? failing.errors.size() : 1);
}

const std::vector<FailingCall> failing_calls{
    {"open", {EIO, EMFILE, EACCES, ENOSPC}, FailingCall::always},
    {"write", {EIO, ENOSPC, EDQUOT, EFBIG}, FailingCall::always},
    {"pwrite", {EIO, ENOSPC}, FailingCall::sometimes},
    {"fallocate", {EIO, ENOSPC, EOPNOTSUPP}, FailingCall::sometimes},
    {"fdatasync", {EIO, ENOSPC}, FailingCall::always},
    {"sync_file_range", {EIO}, FailingCall::sometimes},
    {"fstatfs", {EIO}, FailingCall::always},
    {"fstatvfs", {EIO}, FailingCall::always},
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

}  // namespace

void strike_everywhere(const Session& session, Tally& tally, const std::string& call,
                       const std::string& what) {
    for (const std::string& lacks : lacks_of_part(session)) {
        for (const Trial& trial : session.trials_of_part()) {
            judge_strikes(session, tally, trial, {.call = call, .what = what, .lacks = lacks});
        }
    }
}

void fail_calls(Session& session) {
    for (const FailingCall& failing : failing_calls) {
        Tally tally;
        for (const int error : errors_of_part(session, failing)) {
            strike_everywhere(session, tally, failing.call, fmt::format("{}", error));
        }
        if (tally.runs == 0 && failing.made == FailingCall::always) {
            tally.violate(fmt::format("{} is never called", failing.call));
        }
        const std::string strays =
            tally.strays > 0 ? fmt::format("; {} left a name", tally.strays) : "";
        session.report(fmt::format("`{}` fails{}", failing.call, strays), tally);
    }
}

void do_without(Session& session) {
    Tally tally;
    for (const std::string& lacks : all_lacks) {
        for (const Trial& trial : session.trials) {
            const Run run = session.stage.play(trial.scene, with_fault(session, "", lacks));
            judge(tally, trial, run, Words::line, "without " + lacks);
        }
    }
    tally.expect_all_done("it can be done differently");
    session.report("no O_TMPFILE, RENAME_EXCHANGE, links, /proc: all done", tally);
}

void interrupt_writes(Session& session) {
    const std::string eintr = fmt::format("{}", EINTR);
    const Trial& trial = session.trial("three files");
    // A run that writes byte by byte takes long.
    const Trial small = make_trial(session.stage, {"small", "index --len 50 --csv new.csv", {}});
    Tally tally;
    judge_strikes(session, tally, trial, {.call = "write", .what = "short"});
    judge_strikes(session, tally, small, {.call = "write", .what = "short", .goes_on = true});
    judge_strikes(session, tally, trial, {.call = "write", .what = fmt::format("{}", EAGAIN)});
    for (const char* call : {"write", "fdatasync", "fallocate"}) {
        judge_strikes(session, tally, trial, {.call = call, .what = eintr});
    }
    tally.expect_all_done("an interruption is not a failure");
    session.report("short writes, EINTR, EAGAIN: all done", tally);

    Tally in_vain;
    judge_strikes(session, in_vain, small, {.call = "write", .what = "zero", .goes_on = true});
    if (in_vain.done > 0) in_vain.violate("done, but nothing is written", in_vain.done);
    session.report("writes of nothing, for ever", in_vain);
}

void fail_memory(Session& session) {
    // CLI11 allocates constants before main, where an exception cannot be caught.
    Strike once{.call = "malloc", .what = fmt::format("{}", ENOMEM), .first = 20};
    Strike always = once;
    always.goes_on = true;
    once.stride = session.is_whole ? 7 : 97;
    always.stride = session.is_whole ? 41 : 197;
    Tally of_once, of_always;
    for (const Trial& trial : session.trials_of_part()) {
        judge_strikes(session, of_once, trial, once);
        judge_strikes(session, of_always, trial, always);
    }
    session.report("`malloc` fails once", of_once);
    session.report("`malloc` fails from some call on", of_always);
}

void fail_threads(Session& session) {
    const Trial& trial = session.trial("three files");
    Tally once;
    judge_strikes(session, once, trial,
                  {.call = "pthread_create", .what = fmt::format("{}", EAGAIN)});
    session.report("`pthread_create` fails once", once);

    const std::string fault = fmt::format("pthread_create:1+:{}", EAGAIN);
    Tally always;
    judge(always, trial, session.stage.play(trial.scene, with_fault(session, fault)), Words::line,
          fault);
    always.expect_all_done("one thread should do");
    session.report("`pthread_create` always fails: all done", always);
}
