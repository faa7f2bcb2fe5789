#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/table.h"
#include "encodings/cell.h"
#include "numerics/channel_layout.h"
#include "numerics/plane_waves.h"

namespace pegen::encodings {

/// Reads --coords for an axis of `extent` points: linspace:LO:HI or center:SCALE. Their formulas
/// are in fourier.cpp. Throws: UsageError with the valid forms, or with the rule that a number
/// breaks.
numerics::Coordinates grid_coordinates(std::string_view text, std::int64_t extent);

/// Returns the term of coordinate i: "5/14", "3 * 0.1/7", "(0.7 * 4 + -0.2 * 14)/18".
Term coordinate_term(const numerics::Coordinates& coordinates, std::int64_t i);

/// Returns `rows`, one for each point, with the coordinate of the point, rounded once to their
/// dtype, in column `column`.
Rows with_coordinates(const Rows& rows, const numerics::PointAxis& axis, std::int64_t column);

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
