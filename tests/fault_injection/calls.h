#pragma once

#include <string>

#include "session.h"

/// Lets the call go wrong in each scene of this part, on each kind of file system.
void strike_everywhere(const Session& session, Tally& tally, const std::string& call,
                       const std::string& what);
