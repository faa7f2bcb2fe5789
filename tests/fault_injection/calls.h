#pragma once

#include <span>
#include <string>
#include <vector>

#include "session.h"

/// A function of the C library, and the values of errno with which it may fail.
struct FailingCall {
    const char* call;
    std::vector<int> errors;
    enum { always, sometimes } made;  ///< called by a run that replaces files
};

std::span<const FailingCall> failing_calls();

/// Lets the call go wrong in each scene of this part, on each kind of file system.
void strike_everywhere(const Session& session, Tally& tally, const std::string& call,
                       const std::string& what);
