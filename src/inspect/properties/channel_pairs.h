#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/table.h"

namespace pegen {

/// A way to take channels in pairs. Channels without a partner are in no pair.
struct Pairing {
    std::string name;  ///< "interleaved", "halves", "channels c and c + 16", "by axes"
    std::vector<ChannelPair> pairs;
};

/// Returns every pairing that public code has for this many channels: neighbours (interleaved),
/// halves, and neighbours or halves among the channels of each axis of a grid. For an odd number of
/// channels, either half may be the longer one. Returns no pairing for one channel.
std::vector<Pairing> usual_pairings(std::int64_t channels);

/// Returns these pairs as a pairing with the name of the usual pairing that they form, or else "by
/// axes".
Pairing named_pairing(std::vector<ChannelPair> pairs, std::int64_t channels);

}  // namespace pegen
