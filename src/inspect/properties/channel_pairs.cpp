#include "inspect/properties/channel_pairs.h"

#include <fmt/format.h>

#include <algorithm>

namespace pegen {
namespace {

std::string name_of(std::int64_t stride, std::int64_t channels) {
    if (stride == 1) return "interleaved";
    if (stride == channels / 2 || stride == (channels + 1) / 2) return "halves";
    return fmt::format("channels c and c + {}", stride);
}

/// Returns the pairing that takes, in blocks of 2 `stride` channels, each channel of the first half
/// with its counterpart in the second half.
Pairing pairing(std::int64_t channels, std::int64_t stride) {
    Pairing result{name_of(stride, channels), {}};
    for (std::int64_t channel = 0; channel + stride < channels; ++channel) {
        if (channel / stride % 2 == 0) result.pairs.push_back({channel, channel + stride});
    }
    return result;
}

/// Returns the distances between the channels of a pair that occur in public code.
std::vector<std::int64_t> usual_strides(std::int64_t channels) {
    std::vector<std::int64_t> strides;
    const auto add = [&](std::int64_t stride) {
        if (stride > 0 && stride < channels && std::ranges::count(strides, stride) == 0) {
            strides.push_back(stride);
        }
    };
    add(1);
    add((channels + 1) / 2);
    if (channels % 2 == 1) add(channels / 2);
    for (const std::int64_t parts : {4, 6}) {
        if (channels % parts == 0) add(channels / parts);
    }
    for (const std::int64_t axes : {2, 3}) {
        if (channels % (2 * axes) == 0) add(axes);
    }
    return strides;
}

bool is_in_order(const ChannelPair& a, const ChannelPair& b) { return a.first < b.first; }

}  // namespace

std::vector<Pairing> usual_pairings(std::int64_t channels) {
    std::vector<Pairing> pairings;
    for (const std::int64_t stride : usual_strides(channels)) {
        pairings.push_back(pairing(channels, stride));
    }
    return pairings;
}

Pairing named_pairing(std::vector<ChannelPair> pairs, std::int64_t channels) {
    for (auto& [first, second] : pairs) {
        if (second < first) std::swap(first, second);
    }
    std::ranges::sort(pairs, is_in_order);
    for (Pairing& usual : usual_pairings(channels)) {
        std::ranges::sort(usual.pairs, is_in_order);
        if (usual.pairs == pairs) return std::move(usual);
    }
    return {"by axes", std::move(pairs)};
}

}  // namespace pegen
