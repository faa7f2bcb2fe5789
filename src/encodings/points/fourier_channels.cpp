#include "encodings/points/fourier_channels.h"

#include <algorithm>
#include <iterator>

#include "encodings/parameters/grid_axes.h"

namespace pegen::encodings {
namespace {

using numerics::ChannelLayout;
using numerics::Function;

/// Returns the number of channels between neighbouring values of `digit`, k or f.
std::int64_t step(const FourierChannels& channels, std::int64_t rank, char digit) {
    return stride(channels.order, digit, channels.axes, channels.frequencies_of(rank));
}

/// Returns the number of channels before the axis: waves, and with --raw after-each also
/// coordinates.
std::int64_t channels_before(const FourierChannels& channels, std::int64_t rank) {
    const std::int64_t coordinates = channels.raw == "after-each" ? rank : 0;
    if (channels.order.front() != 'a') return rank * step(channels, rank, 'a');
    std::int64_t waves = 0;
    for (std::int64_t r = 0; r < rank; ++r) waves += 2 * channels.frequencies_of(r);
    return waves + coordinates;
}

}  // namespace

std::int64_t FourierChannels::frequencies_of(std::int64_t rank) const {
    return own_frequencies.empty() ? frequencies : own_frequencies[rank];
}

std::int64_t FourierChannels::waves() const {
    std::int64_t all = 0;
    for (std::int64_t rank = 0; rank < axes; ++rank) all += 2 * frequencies_of(rank);
    return all;
}

ChannelLayout layout(const FourierChannels& channels, std::int64_t rank) {
    const std::int64_t first =
        (channels.raw == "before" ? channels.axes : 0) + channels_before(channels, rank);
    return numerics::strided(
        channels.count(), first, {step(channels, rank, 'k'), step(channels, rank, 'f')},
        channels.frequencies_of(rank), channels.is_sin_first ? Function::sin : Function::cos);
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
    if (channels.raw == "after") return channels.waves() + rank;
    return channels_before(channels, rank) + 2 * channels.frequencies_of(rank);
}

}  // namespace pegen::encodings
