#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/table.h"
#include "numerics/channel_layout.h"

namespace pegen::encodings {

/// The order of the channels of all axes of Fourier features.
struct FourierChannels {
    std::int64_t axes;
    std::int64_t frequencies;
    std::string order;  ///< --order
    std::string raw;    ///< --raw
    bool is_sin_first;
    /// The number of frequencies of each axis, by rank, if the numbers differ; `order` then begins
    /// with a. Empty if each axis has `frequencies`.
    std::vector<std::int64_t> own_frequencies{};
    std::int64_t padding = 0;  ///< zeros after all other channels

    bool is_raw() const { return raw != "none"; }
    std::int64_t frequencies_of(std::int64_t rank) const;
    std::int64_t waves() const;  ///< of all axes together
    std::int64_t count() const { return waves() + (is_raw() ? axes : 0) + padding; }
};

/// Returns the layout of the channels of axis number `rank`.
numerics::ChannelLayout layout(const FourierChannels& channels, std::int64_t rank);

std::vector<ChannelPair> pairs_of(const FourierChannels& channels);

/// Returns the column of the coordinate of axis number `rank`. Precondition: channels.is_raw().
std::int64_t raw_column(const FourierChannels& channels, std::int64_t rank);

}  // namespace pegen::encodings
