#include "recognition/parameters/priced_settings.h"

#include <algorithm>
#include <utility>

namespace pegen::recognition {

PricedSettings priced(std::string_view name, std::string value, double bits) {
    return {{{name, std::move(value)}}, bits};
}

PricedSettings combined(const PricedSettings& a, const PricedSettings& b) {
    PricedSettings both = a;
    append(both.settings, b.settings);
    both.bits += b.bits;
    return both;
}

std::vector<Proposal> cheapest(std::vector<PricedProposal> proposals, std::size_t most) {
    std::ranges::stable_sort(proposals, {}, &PricedProposal::bits);
    if (proposals.size() > most) proposals.erase(proposals.begin() + most, proposals.end());
    std::vector<Proposal> found;
    for (PricedProposal& priced : proposals) found.push_back(std::move(priced.proposal));
    return found;
}

}  // namespace pegen::recognition
