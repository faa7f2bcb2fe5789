#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "recognition/evidence/proposal.h"

namespace pegen::recognition {

/// Settings that were read from an array, with the bits of naming them.
struct PricedSettings {
    std::vector<Setting> settings{};
    double bits = 0;
};

/// Returns a single setting with its bits.
PricedSettings priced(std::string_view name, std::string value, double bits);

/// Returns the settings of `a` and `b` together, with the sum of their bits.
PricedSettings combined(const PricedSettings& a, const PricedSettings& b);

struct PricedProposal {
    Proposal proposal;
    double bits;  ///< of its settings
};

/// Returns the cheapest proposals, `most` at most.
std::vector<Proposal> cheapest(std::vector<PricedProposal> proposals, std::size_t most);

}  // namespace pegen::recognition
