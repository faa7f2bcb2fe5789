#pragma once

#include <array>
#include <cstdint>

namespace pegen::tensorflow {

using Key = std::array<std::uint32_t, 2>;
using Block = std::array<std::uint32_t, 4>;

/// Returns Philox-4x32 of a counter, with 10 rounds: bits without a pattern, which differ for each
/// key and counter.
/// Source: Salmon et al. 2011, SC'11, "Parallel random numbers: as easy as 1, 2, 3".
[[gnu::always_inline]] constexpr Block philox(Key key, Block counter) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t first = std::uint64_t{0xd2511f53} * counter[0];
        const std::uint64_t second = std::uint64_t{0xcd9e8d57} * counter[2];
        counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0],
                   static_cast<std::uint32_t>(second),
                   static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1],
                   static_cast<std::uint32_t>(first)};
        key = {key[0] + 0x9e3779b9, key[1] + 0xbb67ae85};
    }
    return counter;
}

}  // namespace pegen::tensorflow
