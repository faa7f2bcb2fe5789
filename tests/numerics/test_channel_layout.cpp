#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "numerics/channel_layout.h"

using namespace pegen;
using namespace pegen::numerics;

namespace {

/// Returns the channels of a row as text, "s0 c0 -": sine and cosine of frequency 0, and a zero.
std::string channels_of(const ChannelLayout& layout) {
    std::vector<std::string> names(layout.channels, "-");
    for (const ChannelRun& run : layout.runs) {
        for (std::int64_t i = 0; i < run.count; ++i) {
            std::string& name = names.at(run.first_channel + i * run.channel_stride);
            CHECK(name == "-");
            name = fmt::format("{}{}", run.function == Function::sin ? 's' : 'c',
                               run.first_frequency + i * run.frequency_stride);
        }
    }
    return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

TEST_CASE("channel layout: pairs are the two functions of one frequency") {
    using Pairs = std::vector<ChannelPair>;
    CHECK((pairs_of(interleaved(5, Function::cos)) == Pairs{{1, 0}, {3, 2}}));
    CHECK((pairs_of(halves(5)) == Pairs{{0, 3}, {1, 4}}));
    CHECK((pairs_of(padded(halves(4), 6)) == Pairs{{0, 2}, {1, 3}}));
    CHECK((pairs_of(only(Function::sin, 3)).empty()));
    CHECK((pairs_of(alternating(6)).empty()));
}

TEST_CASE("channel layout: each has its values where its name says") {
    CHECK(channels_of(interleaved(6)) == "s0 c0 s1 c1 s2 c2");
    CHECK(channels_of(interleaved(5, Function::cos)) == "c0 s0 c1 s1 c2");
    CHECK(channels_of(halves(6)) == "s0 s1 s2 c0 c1 c2");
    CHECK(channels_of(halves(5, Function::cos)) == "c0 c1 c2 s0 s1");
    CHECK(channels_of(alternating(6)) == "s0 c1 s2 c3 s4 c5");
    CHECK(channels_of(alternating(5, Function::cos)) == "c0 s1 c2 s3 c4");
    CHECK(channels_of(only(Function::cos, 3)) == "c0 c1 c2");
    CHECK(channels_of(both_halves(Function::cos, 6)) == "c0 c1 c2 c0 c1 c2");
    CHECK(channels_of(both_halves(Function::sin, 5)) == "s0 s1 s2 s0 s1");
    CHECK(channels_of(both_of_pairs(Function::cos, 6)) == "c0 c0 c1 c1 c2 c2");
    CHECK(channels_of(both_of_pairs(Function::sin, 5)) == "s0 s0 s1 s1 s2");
    CHECK(channels_of(padded(halves(4), 7)) == "s0 s1 c0 c1 - - -");
    CHECK(channels_of(interleaved(0)).empty());
}

TEST_CASE("channel layout: strided leaves out what does not fit") {
    CHECK(channels_of(strided(9, 1, {.frequency = 4, .function = 2}, 2, Function::sin)) ==
          "- s0 - c0 - s1 - c1 -");
    CHECK(channels_of(strided(7, 1, {.frequency = 4, .function = 2}, 2, Function::cos)) ==
          "- c0 - s0 - c1 -");
    CHECK(channels_of(strided(3, 5, {.frequency = 4, .function = 2}, 2, Function::cos)) == "- - -");
}

TEST_CASE("channel layout: each channel has its content, and each content its first channel") {
    for (const ChannelLayout& layout :
         {interleaved(7), halves(6, Function::cos), alternating(5), both_halves(Function::cos, 6),
          padded(interleaved(4), 6),
          strided(12, 3, {.frequency = 2, .function = 1}, 3, Function::sin)}) {
        for (std::int64_t channel = 0; channel < layout.channels; ++channel) {
            const std::optional<ChannelContent> content = content_of(layout, channel);
            std::optional<ChannelContent> expected;
            for (const ChannelRun& run : layout.runs) {
                for (std::int64_t i = 0; i < run.count; ++i) {
                    if (run.first_channel + i * run.channel_stride != channel) continue;
                    expected = {run.function, run.first_frequency + i * run.frequency_stride};
                }
            }
            CHECK((content == expected));
            if (content)
                CHECK((content_of(layout, channel_with(layout, *content).value()) == content));
        }
    }
    CHECK(channel_with(interleaved(7), {Function::cos, 2}) == 5);
    CHECK_FALSE(channel_with(interleaved(7), {Function::cos, 3}));
    CHECK_FALSE(channel_with(both_halves(Function::cos, 6), {Function::sin, 0}));
    CHECK_FALSE(content_of(padded(interleaved(4), 6), 5));
}
