#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pegen {

/// Two channels that may hold the sine and the cosine of one angle.
struct ChannelPair {
    std::int64_t first;
    std::int64_t second;
};

/// A way to take the channels in pairs: in blocks of 2 `stride`, each channel of the first half
/// with that of the second half. What has no partner is left out.
struct Pairing {
    std::int64_t stride;
    std::vector<ChannelPair> pairs;
};

/// Returns every pairing that public code has, of this many channels: neighbours ("interleaved"),
/// halves, and halves or neighbours of the parts that belong to the axes of a grid. Of an odd
/// number of channels, either half may be the longer one. None for one channel.
std::vector<Pairing> usual_pairings(std::int64_t channels);

/// "interleaved", "halves", or "channels c and c + 16".
std::string name_of(const Pairing& pairing, std::int64_t channels);

}  // namespace pegen
