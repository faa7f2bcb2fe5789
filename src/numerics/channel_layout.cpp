#include "numerics/channel_layout.h"

#include <algorithm>
#include <cassert>
#include <map>

namespace pegen::numerics {
namespace {

/// Returns how many of the `count` channels begin, begin + stride, ... come before channel `end`.
std::int64_t count_before(std::int64_t end, std::int64_t begin, std::int64_t stride,
                          std::int64_t count) {
    const std::int64_t room = (std::max<std::int64_t>(end - begin, 0) + stride - 1) / stride;
    return std::min(count, room);
}

/// Returns a layout with two functions, which may be the same, of `count` frequencies or as many of
/// them as `channels` have room for.
ChannelLayout two_runs(std::int64_t channels, std::int64_t begin, ChannelStrides strides,
                       std::int64_t count, Function first, Function second) {
    const auto run = [&](Function function, std::int64_t first_channel) {
        return ChannelRun{.function = function,
                          .first_channel = first_channel,
                          .channel_stride = strides.frequency,
                          .count = count_before(channels, first_channel, strides.frequency, count)};
    };
    return {channels, {run(first, begin), run(second, begin + strides.function)}};
}

/// Returns the i of 0 ... count - 1 for which first + i * stride is `number`; nothing if there is
/// none.
std::optional<std::int64_t> term_of(std::int64_t number, std::int64_t first, std::int64_t stride,
                                    std::int64_t count) {
    const std::int64_t i = (number - first) / stride;
    const bool is_term = number >= first && (number - first) % stride == 0 && i < count;
    return is_term ? std::optional(i) : std::nullopt;
}

std::int64_t rounded_up_half(std::int64_t channels) { return channels - channels / 2; }

}  // namespace

ChannelLayout strided(std::int64_t channels, std::int64_t begin, ChannelStrides strides,
                      std::int64_t count, Function first) {
    return two_runs(channels, begin, strides, count, first, other(first));
}

ChannelLayout interleaved(std::int64_t channels, Function first) {
    return strided(channels, 0, {.frequency = 2, .function = 1}, rounded_up_half(channels), first);
}

ChannelLayout halves(std::int64_t channels, Function first) {
    const std::int64_t half = rounded_up_half(channels);
    return strided(channels, 0, {.frequency = 1, .function = half}, half, first);
}

ChannelLayout alternating(std::int64_t channels, Function first) {
    ChannelLayout result = interleaved(channels, first);
    for (ChannelRun& run : result.runs) {
        run.first_frequency = run.first_channel;
        run.frequency_stride = 2;
    }
    return result;
}

ChannelLayout only(Function function, std::int64_t channels) {
    return {channels, {{.function = function, .count = channels}}};
}

ChannelLayout both_halves(Function function, std::int64_t channels) {
    const std::int64_t half = rounded_up_half(channels);
    return two_runs(channels, 0, {.frequency = 1, .function = half}, half, function, function);
}

ChannelLayout both_of_pairs(Function function, std::int64_t channels) {
    return two_runs(channels, 0, {.frequency = 2, .function = 1}, rounded_up_half(channels),
                    function, function);
}

bool has_zeros(const ChannelLayout& layout) {
    std::int64_t filled = 0;
    for (const ChannelRun& run : layout.runs) filled += run.count;
    return filled < layout.channels;
}

std::optional<ChannelContent> content_of(const ChannelLayout& layout, std::int64_t channel) {
    for (const ChannelRun& run : layout.runs) {
        const auto i = term_of(channel, run.first_channel, run.channel_stride, run.count);
        if (i) return ChannelContent{run.function, run.first_frequency + *i * run.frequency_stride};
    }
    return std::nullopt;
}

std::optional<std::int64_t> channel_with(const ChannelLayout& layout,
                                         const ChannelContent& content) {
    for (const ChannelRun& run : layout.runs) {
        const auto i =
            term_of(content.frequency, run.first_frequency, run.frequency_stride, run.count);
        if (i && run.function == content.function)
            return run.first_channel + *i * run.channel_stride;
    }
    return std::nullopt;
}

std::vector<ChannelPair> pairs_of(const ChannelLayout& layout) {
    std::map<std::int64_t, std::vector<std::int64_t>> sines, cosines;  // channels by frequency
    for (const ChannelRun& run : layout.runs) {
        auto& channels = run.function == Function::sin ? sines : cosines;
        for (std::int64_t i = 0; i < run.count; ++i) {
            channels[run.first_frequency + i * run.frequency_stride].push_back(
                run.first_channel + i * run.channel_stride);
        }
    }
    std::vector<ChannelPair> pairs;
    for (const auto& [frequency, of_sine] : sines) {
        const std::vector<std::int64_t>& of_cosine = cosines[frequency];
        for (std::size_t i = 0; i < std::min(of_sine.size(), of_cosine.size()); ++i) {
            pairs.push_back({of_sine[i], of_cosine[i]});
        }
    }
    return pairs;
}

ChannelLayout padded(ChannelLayout layout, std::int64_t channels) {
    assert(channels >= layout.channels);
    layout.channels = channels;
    return layout;
}

}  // namespace pegen::numerics
