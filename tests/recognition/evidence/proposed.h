#pragma once

#include <string>
#include <vector>

#include "recognition/evidence/proposal.h"

namespace pegen {

/// Returns the settings of each proposal as typed:
/// "--order afk --axes xy".
std::vector<std::string> proposed(const std::vector<evidence::Proposal>& proposals);

/// True if one of the proposals has exactly these settings.
bool is_proposed(const std::string& settings, const std::vector<evidence::Proposal>& proposals);

}  // namespace pegen
