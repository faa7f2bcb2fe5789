#include "draws/numpy/generators.h"

#include <array>
#include <bit>
#include <cmath>

#include "core/double_double.h"

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
    increment_ = joined(words[2], words[3]) << 1 | 1;
    step();
    state_ += joined(words[0], words[1]);
    step();
}

void Pcg64::step() {
    constexpr Wide multiplier = static_cast<Wide>(0x2360ed051fc65da4U) << 64 | 0x4385df649fccf645U;
    state_ = state_ * multiplier + increment_;
}

std::uint64_t Pcg64::next() {
    step();
    const auto high = static_cast<std::uint64_t>(state_ >> 64);
    const auto low = static_cast<std::uint64_t>(state_);
    return std::rotr(high ^ low, static_cast<int>(high >> 58));
}

double Pcg64::normal() {
    const Ziggurat& table = ziggurat();
    for (;;) {
        const std::uint64_t word = next();
        const std::size_t layer = word & 0xff;
        const bool is_negative = word >> 8 & 1;
        const std::uint64_t magnitude = word >> 9 & 0x000fffffffffffffU;
        const double positive = static_cast<double>(magnitude) * table.width[layer];
        const double x = is_negative ? -positive : positive;
        if (magnitude < table.certain[layer]) return x;
        if (layer == 0) {
            for (;;) {
                const double beyond = -inverse_of_tail * std::log1p(-unit());
                const double y = -std::log1p(-unit());
                if (y + y > beyond * beyond) {
                    const double far = tail + beyond;
                    return magnitude >> 8 & 1 ? -far : far;
                }
            }
        }
        const double y =
            (table.height[layer - 1] - table.height[layer]) * unit() + table.height[layer];
        if (y < std::exp(-0.5 * x * x)) return x;
    }
}

}  // namespace pegen::numpy
