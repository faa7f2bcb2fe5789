#pragma once

#include <functional>
#include <span>
#include <string>

#include "session.h"

/// A call of the C library that goes wrong: the first time it is made in one run, the second in the
/// next, and so on.
struct Strike {
    std::string call;
    std::string what;           ///< errno's value, "short", or a signal, as "INT"
    std::string lacks = "";     ///< what the file system cannot do, besides
    bool goes_on = false;       ///< so do all calls that follow
    int first = 1, stride = 1;  ///< which are tried
};

/// What `fault` and `lacks` mean: faults.cpp.
Setup with_fault(const Session& session, const std::string& fault, const std::string& lacks = "");

/// Hands on each run in which the call went wrong.
using Look = std::function<void(Run run, const std::string& fault)>;
void strike_each(const Session& session, const Scene& scene, const Strike& strike,
                 const Look& look);

/// The same, held against the rule.
void judge_strikes(const Session& session, Tally& tally, const Trial& trial, const Strike& strike);

struct Signal {
    const char* name;
    int number;
};

/// Those that users and systems send.
std::span<const Signal> ending_signals();

/// A run to which a signal came at a random time.
struct InterruptedRun {
    Run run;
    double seconds_left;  ///< from the signal to the end
};

InterruptedRun interrupt(const Session& session, const Trial& trial, int signal);
