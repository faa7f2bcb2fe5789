#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/table.h"
#include "numerics/channel_layout.h"

namespace pegen::encodings {

/// Where the channels of all axes of Fourier features stand.
struct FourierChannels {
    std::int64_t axes;
    std::int64_t frequencies;
    std::string order;  ///< --order
    std::string raw;    ///< --raw
    bool is_sin_first;
    /// The number of frequencies of each axis, by rank, if they differ; the order begins with a
    /// then. Empty: `frequencies` of each.
    std::vector<std::int64_t> own_frequencies{};
    std::int64_t padding = 0;  ///< zeros behind all others

    bool is_raw() const { return raw != "none"; }
    std::int64_t frequencies_of(std::int64_t rank) const;
    std::int64_t waves() const;  ///< of all axes
    std::int64_t count() const { return waves() + (is_raw() ? axes : 0) + padding; }
};

/// Returns the layout of the axis that is `rank`-th.
numerics::ChannelLayout layout(const FourierChannels& channels, std::int64_t rank);

std::vector<ChannelPair> pairs_of(const FourierChannels& channels);

/// Returns the column of the coordinate of the axis that is `rank`-th. Precondition:
/// channels.is_raw().
std::int64_t raw_column(const FourierChannels& channels, std::int64_t rank);

}  // namespace pegen::encodings
