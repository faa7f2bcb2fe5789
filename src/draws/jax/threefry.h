#pragma once

#include <array>
#include <cstdint>

namespace pegen::jax {

using Words = std::array<std::uint32_t, 2>;

/// Returns Threefry-2x32 of a counter, with 20 rounds: bits without a pattern, which differ for
/// each key and counter.
/// Source: Salmon et al. 2011, SC'11, "Parallel random numbers: as easy as 1, 2, 3".
[[gnu::always_inline]] constexpr Words threefry(const Words& key, Words counter) {
    constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    constexpr std::uint32_t parity = 0x1bd11bda;
    const std::uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ parity};
    std::uint32_t x = counter[0] + keys[0], y = counter[1] + keys[1];
    for (std::uint32_t group = 0; group < 5; ++group) {
        for (const int rotation : rotations[group % 2]) {
            x += y;
            y = (y << rotation | y >> (32 - rotation)) ^ x;
        }
        x += keys[(group + 1) % 3];
        y += keys[(group + 2) % 3] + group + 1;
    }
    return {x, y};
}

}  // namespace pegen::jax
