#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// The sequence of words behind the Mersenne Twister: the first 624 come from the seed, word k + 624
// is word k + 397 xor twisted(word k, word k + 1), and draw n is word n + 624, tempered. Everything
// but the words that come from the seed is linear over the field of two elements.
namespace pegen::torch::mersenne {

inline constexpr std::size_t size = 624;
inline constexpr std::size_t middle = 397;
inline constexpr std::uint32_t matrix = 0x9908b0dfU;

/// Returns what two neighbouring words contribute to the word that is 624 after the first.
inline std::uint32_t twisted(std::uint32_t word, std::uint32_t next) {
    const std::uint32_t joined = (word & 0x80000000U) | (next & 0x7fffffffU);
    return (joined >> 1) ^ ((0U - (next & 1U)) & matrix);
}

inline std::uint32_t tempered(std::uint32_t word) {
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680U;
    word ^= (word << 15) & 0xefc60000U;
    return word ^ (word >> 18);
}

/// Returns word j of the state that a seed determines, from word j - 1; word 0 is the seed.
inline std::uint32_t seeded_after(std::uint32_t word_before, std::uint32_t j) {
    return 1812433253U * (word_before ^ (word_before >> 30)) + j;
}

/// Fills in the words that the seed determines alone.
inline void seed_words(std::uint32_t seed, std::span<std::uint32_t, size> words) {
    words[0] = seed;
    for (std::uint32_t j = 1; j < size; ++j) words[j] = seeded_after(words[j - 1], j);
}

}  // namespace pegen::torch::mersenne
