#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/table.h"

namespace pegen::numerics {

enum class Function { sin, cos };

/// Returns cos for sin and sin for cos.
constexpr Function other(Function function) {
    return function == Function::sin ? Function::cos : Function::sin;
}

/// Channels that hold one function of evenly spaced frequencies: for i = 0 ... count - 1, channel
/// first_channel + i * channel_stride  holds  function(position * frequency[first_frequency +
/// i * frequency_stride]).
struct ChannelRun {
    Function function;
    std::int64_t first_channel = 0;
    std::int64_t channel_stride = 1;
    std::int64_t first_frequency = 0;
    std::int64_t frequency_stride = 1;
    std::int64_t count;
};

/// The value that each channel of a row holds. The functions below make the usual layouts.
struct ChannelLayout {
    std::int64_t channels;         ///< columns of the table; channels in no run are 0
    std::vector<ChannelRun> runs;  ///< the runs do not overlap
};

/// The number of channels from one frequency to the next, and from one function of a frequency to
/// the other.
struct ChannelStrides {
    std::int64_t frequency;
    std::int64_t function;
};

/// Returns a layout with `first` of frequency k in channel  begin + k * strides.frequency  and the
/// other function strides.function channels further on, for `count` frequencies. Values whose
/// channel would be `channels` or beyond are left out.
ChannelLayout strided(std::int64_t channels, std::int64_t begin, ChannelStrides strides,
                      std::int64_t count, Function first);

// In the following layouts, `channels` may be odd: the second function, or second copy, then lacks
// its last value.

/// Returns the layout sin cos sin cos ...: frequency k is in channels 2 k and 2 k + 1.
ChannelLayout interleaved(std::int64_t channels, Function first = Function::sin);

/// Returns the layout of all sin, then all cos: of n frequencies, frequency k is in channels k and
/// n + k.
ChannelLayout halves(std::int64_t channels, Function first = Function::sin);

/// Returns the layout sin cos sin cos ... in which channel j has frequency j.
ChannelLayout alternating(std::int64_t channels, Function first = Function::sin);

/// Returns the layout of one function: channel k has frequency k.
ChannelLayout only(Function function, std::int64_t channels);

/// Returns the layout of one function, twice: of n frequencies, frequency k is in channels k and n
/// + k, as in RoPE that rotates halves.
ChannelLayout both_halves(Function function, std::int64_t channels);

/// Returns the layout of one function, twice: frequency k is in channels 2 k and 2 k + 1, as in
/// RoPE that rotates neighbouring channels.
ChannelLayout both_of_pairs(Function function, std::int64_t channels);

/// The content of a channel: a function of the position times frequency number `frequency`, counted
/// from 0.
struct ChannelContent {
    Function function;
    std::int64_t frequency;

    bool operator==(const ChannelContent&) const = default;
};

/// True if some channels are in no run.
bool has_zeros(const ChannelLayout& layout);

/// Returns the content of the channel; nothing if the channel is always 0.
std::optional<ChannelContent> content_of(const ChannelLayout& layout, std::int64_t channel);

/// Returns the first channel with this content; nothing if there is none.
std::optional<std::int64_t> channel_with(const ChannelLayout& layout,
                                         const ChannelContent& content);

/// Returns the channels that hold the two functions of each frequency, run by run. A channel whose
/// partner is missing is in no pair.
std::vector<ChannelPair> pairs_of(const ChannelLayout& layout);

/// Returns the layout with zeros behind it, so that it has `channels` channels in all.
ChannelLayout padded(ChannelLayout layout, std::int64_t channels);

}  // namespace pegen::numerics
