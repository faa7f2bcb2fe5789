#include "encodings/points/fourier_channels.h"

#include <algorithm>
#include <iterator>

#include "encodings/parameters/grid_axes.h"

namespace pegen::encodings {
namespace {

using numerics::ChannelLayout;
using numerics::Function;

/// Returns the number of channels from one value of `digit`, a, k or f, to the next.
std::int64_t step(const FourierChannels& channels, char digit) {
    const bool has_raw_within = digit == 'a' && channels.raw == "after-each";
    return stride(channels.order, digit, channels.axes, channels.frequencies) +
           (has_raw_within ? 1 : 0);
}

}  // namespace

ChannelLayout layout(const FourierChannels& channels, std::int64_t rank) {
    const std::int64_t first =
        (channels.raw == "before" ? channels.axes : 0) + rank * step(channels, 'a');
    return numerics::strided(channels.count(), first, {step(channels, 'k'), step(channels, 'f')},
                             channels.frequencies,
                             channels.is_sin_first ? Function::sin : Function::cos);
}

std::vector<ChannelPair> pairs_of(const FourierChannels& channels) {
    std::vector<ChannelPair> pairs;
    for (std::int64_t rank = 0; rank < channels.axes; ++rank) {
        std::ranges::copy(numerics::pairs_of(layout(channels, rank)), std::back_inserter(pairs));
    }
    return pairs;
}

std::int64_t raw_column(const FourierChannels& channels, std::int64_t rank) {
    if (channels.raw == "before") return rank;
    if (channels.raw == "after") return channels.axes * channels.waves_of_axis() + rank;
    return rank * step(channels, 'a') + channels.waves_of_axis();
}

}  // namespace pegen::encodings
