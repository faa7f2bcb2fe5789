#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "recognition/evidence/circle.h"
#include "recognition/parameters/priced_settings.h"

// The orders in which the channels of `sinusoid` may hold its waves.
namespace pegen::recognition {

/// An order of channels, as chosen by --layout, --first and --odd.
struct SinusoidLayout {
    bool has_halves;
    bool is_cos_first;
    std::string_view odd;                       ///< "" for an even d
    std::int64_t width;                         ///< the d in the formula of the frequencies
    std::vector<evidence::WaveColumns> pairs;   ///< the fastest first
    std::vector<std::int64_t> pair_of_channel;  ///< -1 for a channel of zeros
};

/// Returns the layouts that a table of d channels may have.
std::vector<SinusoidLayout> sinusoid_layouts(std::int64_t d);

/// Returns the settings for the layout of a table of d channels.
PricedSettings layout_settings(const SinusoidLayout& layout, std::int64_t d);

}  // namespace pegen::recognition
