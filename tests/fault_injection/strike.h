#pragma once

#include <functional>
#include <string>
#include <vector>

#include "session.h"

/// A fault of a function of the C library: its first call fails in one run, its second in the next,
/// and so on. faults.cpp explains `call`, `what` and `lacks`.
struct Strike {
    std::string call;
    std::string what;           ///< errno's value, "short", "zero", or a signal: "signal15"
    std::string lacks = "";     ///< what the file system does not support
    bool goes_on = false;       ///< all calls that follow go wrong, too
    int first = 1, stride = 1;  ///< the calls that are tried
};

/// Sets the environment for a fault; faults.cpp explains `fault` and `lacks`.
Setup with_fault(const Session& session, const std::string& fault, const std::string& lacks = "");

/// Calls `look` with each run in which the call went wrong.
using Look = std::function<void(Run run, const std::string& fault)>;
void strike_each(const Session& session, const Scene& scene, const Strike& strike,
                 const Look& look);

/// Calls strike_each() and checks the rule for each run.
void judge_strikes(const Session& session, Tally& tally, const Trial& trial, const Strike& strike);

/// The signals that end a program that does not handle them, but could: found by trying all.
const std::vector<int>& ending_signals();

/// Returns the name of the signal, as "SIGINT".
std::string name_of(int signal);

/// A run that got a signal at a random time.
struct InterruptedRun {
    Run run;
    double seconds_left;  ///< from the signal to the end
};

InterruptedRun interrupt(const Session& session, const Trial& trial, int signal);
