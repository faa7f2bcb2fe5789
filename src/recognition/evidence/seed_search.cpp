#include "recognition/evidence/seed_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <numeric>

#include "core/clones.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "draws/torch/mt19937_words.h"

namespace pegen::evidence {
namespace {

using torch::mersenne::size;
using Word = std::uint32_t;

constexpr std::size_t word_bits = 32;

/// The number of bits by which draws are judged, the first of the 24 bits of which PyTorch makes a
/// float.
constexpr int depth = 12;
constexpr int bits_below = 24 - depth;

/// The first bits of a draw as functions of a state: bit f is the parity of the state's bits that
/// words[f] selects.
struct DrawBits {
    std::array<std::array<Word, size>, depth> words{};
};

/// For each bit of a word, the bits of the draw that depend on it.
using Dependents = std::array<std::uint16_t, word_bits>;

/// The last 624 words on which a draw depends, in a ring. Word k + 624 of the sequence is made from
/// words k, k + 1 and k + 397; the words before 624 are the state.
class Ring {
  public:
    Dependents& at(std::size_t word) { return words_[word % words_.size()]; }

  private:
    std::array<Dependents, 1024> words_{};
};

inline void add_all(Dependents& sum, const Dependents& summand) {
    for (std::size_t bit = 0; bit < word_bits; ++bit) sum[bit] ^= summand[bit];
}

/// Moves the dependence on words from `word` down to 624 to the words from which they are made.
PEGEN_CLONES void move_to_state(Ring& ring, std::size_t word) {
    for (; word >= size; --word) {
        Dependents& here = ring.at(word);
        add_all(ring.at(word - size + torch::mersenne::middle), here);
        ring.at(word - size)[word_bits - 1] ^= here[word_bits - 2];
        Dependents& next = ring.at(word - size + 1);
        for (std::size_t bit = 1; bit + 1 < word_bits; ++bit) next[bit] ^= here[bit - 1];
        for (Word left = torch::mersenne::matrix; left != 0; left &= left - 1) {
            next[0] ^= here[static_cast<std::size_t>(std::countr_zero(left))];
        }
        here = {};
    }
}

/// Returns draw `number` as a function of the state right after seeding.
DrawBits draw_bits(std::int64_t number) {
    const auto ring = std::make_unique<Ring>();
    const std::size_t word = number + size;
    for (std::size_t bit = 0; bit < word_bits; ++bit) {
        constexpr Word all = (Word{1} << depth) - 1;
        ring->at(word)[bit] = static_cast<std::uint16_t>(
            torch::mersenne::tempered(Word{1} << bit) >> bits_below & all);
    }
    move_to_state(*ring, word);
    DrawBits bits;
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t bit = 0; bit < word_bits; ++bit) {
            for (std::size_t f = 0; f < depth; ++f) {
                bits.words[f][i] |= Word{(ring->at(i)[bit] >> f) & 1U} << bit;
            }
        }
    }
    return bits;
}

/// The state after seeding and the words that follow it. The draws of a window are the same
/// function of the words from 0, 1, 2 ... on.
using Sequence = std::array<Word, size + window_size>;

/// The number of seeds whose states are made together: each word of a state waits for the word
/// before it, so that the processor would idle with one seed.
constexpr std::int64_t together = 8;

/// Makes the sequences of up to `together` seeds.
PEGEN_CLONES void make_sequences(const std::int64_t* seeds, std::int64_t count,
                                 Sequence* sequences) {
    std::array<Word, together> last{};
    for (std::int64_t s = 0; s < count; ++s) last[s] = static_cast<Word>(seeds[s]);
    for (std::size_t i = 0; i < size; ++i) {
        for (std::int64_t s = 0; s < together; ++s) sequences[s][i] = last[s];
        for (Word& word : last)
            word = torch::mersenne::seeded_after(word, static_cast<Word>(i + 1));
    }
    for (std::int64_t s = 0; s < count; ++s) {
        Sequence& words = sequences[s];
        for (std::size_t k = 0; k + size < words.size(); ++k) {
            words[k + size] = words[k + torch::mersenne::middle] ^
                              torch::mersenne::twisted(words[k], words[k + 1]);
        }
    }
}

PEGEN_CLONES Word common_bits(const Word* a, const Word* b) {
    Word sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum ^= a[i] & b[i];
    return sum;
}

class DrawsOfSequence : public SeedDraws {
  public:
    DrawsOfSequence(std::span<const DrawBits> windows, const Sequence& sequence)
        : windows_(windows), sequence_(sequence) {}

    double unit(std::size_t window, std::int64_t k) const override {
        return (first_bits(window, k, depth) + 0.5) / (1 << depth);
    }

    std::uint32_t first_bits(std::size_t window, std::int64_t k, int count) const override {
        Word bits = 0;
        for (int f = depth - 1; f >= depth - count; --f) {
            const Word* const selection = windows_[window].words[f].data();
            const Word selected = common_bits(selection, sequence_.data() + k);
            bits = 2 * bits + static_cast<Word>(std::popcount(selected) & 1);
        }
        return bits;
    }

  private:
    std::span<const DrawBits> windows_;
    const Sequence& sequence_;
};

/// The larger numbers that people choose as seeds. The last one is the seed of a torch.Generator
/// that nobody has seeded.
constexpr auto large_seeds = std::to_array<std::int64_t>(
    {10000,      12321,      12345,      16384,      20000,         20190,      27182,
     31337,      31415,      32767,      32768,      42069,         42424,      48879,
     50000,      51966,      54321,      57005,      65535,         65536,      86420,
     98765,      99999,      100000,     111111,     123123,        123321,     123456,
     131072,     133337,     141421,     161803,     200000,        222222,     271828,
     314159,     333333,     420420,     424242,     500000,        543210,     555555,
     654321,     666666,     777777,     888888,     987654,        999999,     1000000,
     1048576,    1111111,    1234567,    2718281,    3141592,       7654321,    8675309,
     9999999,    10000000,   11111111,   12345678,   12648430,      13371337,   16777216,
     19260817,   27182818,   31415926,   42424242,   87654321,      88888888,   99999999,
     100000000,  123456789,  141421356,  161803398,  271828182,     314159265,  987654321,
     1000000000, 1000000007, 1234567890, 2147483646, 2147483647,    2147483648, 3141592653,
     3405691582, 3735928559, 4294967294, 4294967295, 67280421310721});

/// Returns 0 ... count - 1, the given other seeds, and the large seeds.
std::vector<std::int64_t> seeds_to(std::int64_t count, std::initializer_list<std::int64_t> others) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    return {0, 1, 42};  // a fuzz target must be fast
#endif
    std::vector<std::int64_t> seeds(count);
    std::iota(seeds.begin(), seeds.end(), std::int64_t{0});
    seeds.insert(seeds.end(), others);
    seeds.insert(seeds.end(), large_seeds.begin(), large_seeds.end());
    return seeds;
}

/// Returns the seeds that pass. `judge` gets some of them at a time, and sets passes[i] to 1 if
/// number i of these passes, else to 0.
std::vector<std::int64_t> passing_by_some(
    std::span<const std::int64_t> seeds,
    const std::function<void(std::span<const std::int64_t> some, char* passes)>& judge) {
    constexpr std::int64_t at_once = 8 * together;
    std::vector<char> passes(seeds.size());
    const std::int64_t count = std::ssize(seeds);
    parallel_for((count + at_once - 1) / at_once, [&](std::int64_t item) {
        const std::int64_t first = item * at_once;
        judge(seeds.subspan(first, std::min(at_once, count - first)), passes.data() + first);
    });
    std::vector<std::int64_t> found;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        if (passes[i]) found.push_back(seeds[i]);
    }
    return found;
}

}  // namespace

std::vector<std::int64_t> passing(std::span<const std::int64_t> seeds,
                                  const std::function<bool(std::int64_t seed)>& judge) {
    return passing_by_some(seeds, [&](std::span<const std::int64_t> some, char* passes) {
        for (const std::int64_t seed : some) *passes++ = judge(seed) ? 1 : 0;
    });
}

std::vector<std::int64_t> seeds_with(std::span<const std::int64_t> seeds,
                                     std::span<const std::int64_t> first_draws,
                                     const JudgeDraws& judge) {
    std::vector<DrawBits> windows;
    for (const std::int64_t first : first_draws) {
        if (first < 0 || first > last_draw) return {};
        windows.push_back(draw_bits(first));
    }
    return passing_by_some(seeds, [&](std::span<const std::int64_t> some, char* passes) {
        std::array<Sequence, together> sequences;
        for (; !some.empty(); some = some.subspan(std::min(to_size(together), some.size()))) {
            const std::int64_t count = std::min(together, std::ssize(some));
            make_sequences(some.data(), count, sequences.data());
            for (std::int64_t s = 0; s < count; ++s) {
                *passes++ = judge(DrawsOfSequence(windows, sequences[s])) ? 1 : 0;
            }
        }
    });
}

std::span<const std::int64_t> usual_seeds() {
    static const std::vector<std::int64_t> seeds = seeds_to(10000, {});
    return seeds;
}

std::span<const std::int64_t> popular_seeds() {
    static const std::vector<std::int64_t> seeds = seeds_to(
        256, {256,  314,  321,  333,  404,  420,  444,  500,  512,  555,  666,  777,  888,  999,
              1000, 1024, 1111, 1122, 1212, 1213, 1233, 1234, 1313, 1337, 1984, 1993, 1994, 1995,
              1996, 1997, 1998, 1999, 2000, 2001, 2010, 2012, 2015, 2016, 2017, 2018, 2019, 2020,
              2021, 2022, 2023, 2024, 2025, 2026, 2048, 2222, 2333, 2718, 3141, 3333, 3407, 4096,
              4242, 4321, 4444, 5000, 5555, 6666, 7777, 8192, 8888, 9999});
    return seeds;
}

}  // namespace pegen::evidence
