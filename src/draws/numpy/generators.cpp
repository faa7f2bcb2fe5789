#include "draws/numpy/generators.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/double_double.h"
#include "core/parallel.h"
#include "core/progress.h"

namespace pegen::numpy {
namespace {

constexpr std::size_t pool_size = 4;
using Pool = std::array<std::uint32_t, pool_size>;

/// Scrambles words, each with another constant. Source: M. E. O'Neill, "Developing a seed_seq
/// alternative", pcg-random.org, 2015.
class Scrambler {
  public:
    Scrambler(std::uint32_t first, std::uint32_t multiplier)
        : constant_(first), multiplier_(multiplier) {}

    std::uint32_t operator()(std::uint32_t word) {
        word ^= constant_;
        constant_ *= multiplier_;
        word *= constant_;
        return word ^ (word >> 16);
    }

  private:
    std::uint32_t constant_;
    std::uint32_t multiplier_;
};

std::uint32_t mixed(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t result = 0xca01f9ddU * a - 0x4973f715U * b;
    return result ^ (result >> 16);
}

Pool pool_of(std::uint64_t seed) {
    Scrambler scramble(0x43b0d7e5U, 0x931e8875U);
    Pool pool{};
    for (std::size_t i = 0; i < pool_size; ++i) {
        pool[i] = scramble(i < 2 ? static_cast<std::uint32_t>(seed >> (32 * i)) : 0);
    }
    for (std::size_t from = 0; from < pool_size; ++from) {
        for (std::size_t to = 0; to < pool_size; ++to) {
            if (from != to) pool[to] = mixed(pool[to], scramble(pool[from]));
        }
    }
    return pool;
}

/// Returns the first four words of 64 bits that the pool makes.
std::array<std::uint64_t, 4> words_of(const Pool& pool) {
    Scrambler scramble(0x8b51f9ddU, 0x58f38dedU);
    std::array<std::uint64_t, 4> words{};
    for (std::size_t i = 0; i < 2 * words.size(); ++i) {
        const std::uint64_t word = scramble(pool[i % pool_size]);
        words[i / 2] |= word << (32 * (i % 2));
    }
    return words;
}

// The layers of the ziggurat: layer i reaches from 0 to x[i], and 256 of them have the same area.
constexpr std::size_t layers = 256;
constexpr double tail = 3.6541528853610087963519472518;
constexpr double inverse_of_tail = 0.27366123732975827203338247596;

struct Ziggurat {
    std::array<std::uint64_t, layers> certain{};  ///< below this, a draw is inside the layer above
    std::array<double, layers> width{};           ///< x[i] 2^-52
    std::array<double, layers> height{};          ///< exp(-x[i]^2 / 2)
};

/// Makes NumPy's table, whose numbers are not the nearest ones: each layer is computed from the one
/// below it, in doubles.
Ziggurat make_ziggurat() {
    constexpr double area = 0.004928673233974652;  // of each layer, as a double with some error
    // The layer where the library that NumPy's table was made with rounded the exponential to the
    // next double above.
    constexpr std::size_t rounded_up = 38;
    Ziggurat table;
    double x = tail;
    for (std::size_t i = layers - 1; i > 0; --i) {
        double height = exponential(-0.5 * x * x);
        if (i == layers - 1) {
            table.certain[0] = static_cast<std::uint64_t>(x * height / area * 0x1p52);
            table.width[0] = area / height * 0x1p-52;
            table.height[0] = 1;
        }
        table.width[i] = x * 0x1p-52;
        table.height[i] = height;
        if (i == rounded_up) height = std::nextafter(height, 1.0);
        const double next = std::sqrt(-2 * logarithm(area / x + height));
        if (i > 1) table.certain[i] = static_cast<std::uint64_t>(next / x * 0x1p52);
        x = next;
    }
    return table;
}

const Ziggurat& ziggurat() {
    static const Ziggurat table = make_ziggurat();
    return table;
}

double unit_of(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

/// Draws a normal from the words that next() returns.
template <class Next>
[[gnu::always_inline]] inline double normal_of(Next next) {
    const Ziggurat& table = ziggurat();
    for (;;) {
        const std::uint64_t word = next();
        const std::size_t layer = word & 0xff;
        const std::uint64_t sign = word >> 8 << 63;
        const std::uint64_t magnitude = word >> 9 & 0x000fffffffffffffU;
        const double positive = static_cast<double>(magnitude) * table.width[layer];
        const double x = std::bit_cast<double>(std::bit_cast<std::uint64_t>(positive) ^ sign);
        if (magnitude < table.certain[layer]) [[likely]]
            return x;
        if (layer == 0) {
            for (;;) {
                const double beyond = -inverse_of_tail * std::log1p(-unit_of(next()));
                const double y = -std::log1p(-unit_of(next()));
                if (y + y > beyond * beyond) {
                    const double far = tail + beyond;
                    return magnitude >> 8 & 1 ? -far : far;
                }
            }
        }
        const double y =
            (table.height[layer - 1] - table.height[layer]) * unit_of(next()) + table.height[layer];
        if (y < std::exp(-0.5 * x * x)) return x;
    }
}

/// The words of a generator, made ahead.
class Words {
  public:
    explicit Words(const Pcg64& generator) : generator_(generator) {}

    std::uint64_t next() {
        if (place_ == words_.size()) {
            generator_.fill(words_);
            made_ += std::ssize(words_);
            place_ = 0;
        }
        return words_[place_++];
    }

    double normal() {
        return normal_of([&] { return next(); });
    }

    /// Returns how many words have been taken.
    std::int64_t taken() const {
        return made_ - std::ssize(words_) + static_cast<std::int64_t>(place_);
    }

  private:
    Pcg64 generator_;
    std::array<std::uint64_t, 256> words_;
    std::size_t place_ = words_.size();
    std::int64_t made_ = 0;
};

}  // namespace

double Legacy::unit() {
    const double high = words_.next() >> 5;
    const double low = words_.next() >> 6;
    return (high * 0x1p26 + low) * 0x1p-53;
}

double Legacy::normal() {
    if (left_) {
        const double normal = *left_;
        left_.reset();
        return normal;
    }
    double x = 0, y = 0, square = 0;
    do {
        x = 2 * unit() - 1;
        y = 2 * unit() - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double factor = std::sqrt(-2 * std::log(square) / square);
    left_ = factor * x;
    return factor * y;
}

Pcg64::Pcg64(std::int64_t seed) {
    const auto words = words_of(pool_of(static_cast<std::uint64_t>(seed)));
    const auto joined = [](std::uint64_t high, std::uint64_t low) {
        return static_cast<Wide>(high) << 64 | low;
    };
    step_ = {joined(0x2360ed051fc65da4U, 0x4385df649fccf645U), joined(words[2], words[3]) << 1 | 1};
    state_ = step_(step_(0) + joined(words[0], words[1]));
}

std::uint64_t Pcg64::word_of(Wide state) {
    const auto high = static_cast<std::uint64_t>(state >> 64);
    const auto low = static_cast<std::uint64_t>(state);
    return std::rotr(high ^ low, static_cast<int>(high >> 58));
}

std::uint64_t Pcg64::next() { return word_of(state_ = step_(state_)); }

void Pcg64::fill(std::span<std::uint64_t> words) {
    // Several states that do not wait for one another.
    std::array<Wide, 4> states{step_(state_)};
    for (std::size_t k = 1; k < states.size(); ++k) states[k] = step_(states[k - 1]);
    const Steps four = step_.twice().twice();
    for (std::size_t i = 0; i < words.size(); i += states.size()) {
        state_ = states.back();
        for (std::size_t k = 0; k < states.size(); ++k) {
            words[i + k] = word_of(states[k]);
            states[k] = four(states[k]);
        }
    }
}

void Pcg64::pass(std::uint64_t words) {
    for (Steps steps = step_; words > 0; words /= 2, steps = steps.twice()) {
        if (words % 2 == 1) state_ = steps(state_);
    }
}

double Pcg64::unit() { return unit_of(next()); }

double Pcg64::normal() {
    return normal_of([&] { return next(); });
}

namespace {

constexpr std::int64_t words_of_block = 4096;

Pcg64 passed(Pcg64 generator, std::int64_t words) {
    generator.pass(static_cast<std::uint64_t>(words));
    return generator;
}

/// The number of words at the start of a block of which it is known whether a normal begins there.
constexpr std::int64_t words_of_begins = 64;

/// What a block of words has, whose words are counted from its own first.
struct Block {
    std::int64_t normals = 0;  ///< that begin in it
    std::int64_t end = 0;      ///< the word behind the last of them
    std::uint64_t begins = 0;  ///< bit i: a normal begins at word i, i < words_of_begins
};

/// Reads a block whose first normal begins at word `first`. `generator` is at the block's first
/// word.
Block read_block(const Pcg64& generator, std::int64_t first) {
    Words words(passed(generator, first));
    Block block{.end = first};
    while (block.end < words_of_block) {
        if (block.end < words_of_begins) block.begins |= std::uint64_t{1} << block.end;
        words.normal();
        ++block.normals;
        block.end = first + words.taken();
    }
    return block;
}

}  // namespace

Normals::Normals(std::int64_t seed, std::int64_t count) : generator_(seed) {
    constexpr std::int64_t most_at_once = 1 << 12;
    std::int64_t normals = 0, first = 0;
    std::vector<Block> blocks;
    while (normals < count) {
        // All blocks are read as if a normal began at their first word, as it mostly does.
        const std::int64_t before = std::ssize(blocks_);
        const auto start_of = [&](std::int64_t item) {
            return passed(generator_, (before + item) * words_of_block);
        };
        const std::int64_t at_once =
            std::min((count - normals - 1) / words_of_block + 1, most_at_once);
        blocks.resize(at_once);
        parallel_for(at_once,
                     [&](std::int64_t item) { blocks[item] = read_block(start_of(item), 0); });
        for (std::int64_t item = 0; item < at_once; ++item) {
            blocks_.push_back({normals, (before + item) * words_of_block + first});
            Block& block = blocks[item];
            if (first < words_of_begins && (block.begins >> first & 1) != 0) {
                // From this word on, the normals are the same.
                block.normals -= std::popcount(block.begins & ((std::uint64_t{1} << first) - 1));
            } else {
                block = read_block(start_of(item), first);
            }
            normals += block.normals;
            first = block.end - words_of_block;
        }
        report(std::min(normals, count), count);
    }
}

void Normals::read(std::int64_t first, std::int64_t count,
                   const std::function<void(std::span<double> values)>& take) const {
    const auto behind = std::ranges::upper_bound(blocks_, first, {}, &Begin::normal);
    const auto [normal, word] = *(behind - 1);
    Words words(passed(generator_, word));
    for (std::int64_t i = normal; i < first; ++i) words.normal();
    std::array<double, 512> values;
    while (count > 0) {
        const std::span some =
            std::span(values).first(std::min<std::int64_t>(count, values.size()));
        std::ranges::generate(some, [&] { return words.normal(); });
        take(some);
        count -= std::ssize(some);
    }
}

}  // namespace pegen::numpy
