#pragma once

#include <span>
#include <string>
#include <vector>

#include "session.h"

/// A call of the C library, and what errno may say of its failure.
struct FailingCall {
    const char* call;
    std::vector<int> errors;
    enum { always, sometimes } made;  ///< by a run that replaces files
};

std::span<const FailingCall> failing_calls();

/// The call goes wrong in each scene of this part, on each kind of file system.
void strike_everywhere(const Session& session, Tally& tally, const std::string& call,
                       const std::string& what);
