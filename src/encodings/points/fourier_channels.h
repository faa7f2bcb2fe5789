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

    std::int64_t waves_of_axis() const { return 2 * frequencies; }
    bool is_raw() const { return raw != "none"; }
    std::int64_t count() const { return axes * (waves_of_axis() + (is_raw() ? 1 : 0)); }
};

/// Returns the layout of the axis that is `rank`-th.
numerics::ChannelLayout layout(const FourierChannels& channels, std::int64_t rank);

std::vector<ChannelPair> pairs_of(const FourierChannels& channels);

/// Returns the column of the coordinate of the axis that is `rank`-th. Precondition:
/// channels.is_raw().
std::int64_t raw_column(const FourierChannels& channels, std::int64_t rank);

}  // namespace pegen::encodings
