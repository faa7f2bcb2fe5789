#include "inspect/properties/channel_pairs.h"

#include <fmt/format.h>

#include <algorithm>

namespace pegen {
namespace {

Pairing pairing(std::int64_t channels, std::int64_t stride) {
    Pairing result{stride, {}};
    for (std::int64_t channel = 0; channel + stride < channels; ++channel) {
        if (channel / stride % 2 == 0) result.pairs.push_back({channel, channel + stride});
    }
    return result;
}

}  // namespace

std::vector<Pairing> usual_pairings(std::int64_t channels) {
    std::vector<std::int64_t> strides{1};
    const auto add = [&](std::int64_t stride) {
        if (stride > 0 && stride < channels && std::ranges::count(strides, stride) == 0) {
            strides.push_back(stride);
        }
    };
    add((channels + 1) / 2);
    if (channels % 2 == 1) add(channels / 2);
    for (const std::int64_t parts : {4, 6}) {
        if (channels % parts == 0) add(channels / parts);
    }
    for (const std::int64_t axes : {2, 3}) {
        if (channels % (2 * axes) == 0) add(axes);
    }
    std::vector<Pairing> pairings;
    for (const std::int64_t stride : strides) {
        if (stride < channels) pairings.push_back(pairing(channels, stride));
    }
    return pairings;
}

std::string name_of(const Pairing& pairing, std::int64_t channels) {
    if (pairing.stride == 1) return "interleaved";
    if (pairing.stride == channels / 2 || pairing.stride == (channels + 1) / 2) return "halves";
    return fmt::format("channels c and c + {}", pairing.stride);
}

}  // namespace pegen
