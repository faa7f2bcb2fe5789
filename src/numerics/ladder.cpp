#include "numerics/ladder.h"

#include <cmath>
#include <optional>

#include "numerics/exact.h"

namespace pegen::numerics {
namespace {

/// Returns the number of bits of the largest position, in units.
int width(const Positions& positions) {
    const double largest = positions.largest();
    return largest == 0 ? 0 : std::ilogb(largest) - positions.lowest_bit() + 1;
}

}  // namespace

int digit_bits(const Positions& positions, const Frequencies& frequencies) {
    constexpr double most_bytes = 1 << 26;
    const auto bytes = [&](int bits) {
        const int rungs = width(positions) / bits + 1;
        return rungs * std::ldexp(1, bits) * sizeof(Rotation) *
               static_cast<double>(frequencies.size());
    };
    int bits = 6;
    while (bits > 2 && bytes(bits) > most_bytes) --bits;
    return bits;
}

bool Ladder::fits(const Positions& positions) {
    constexpr int widest = 128;
    return width(positions) <= widest;
}

Ladder::Ladder(const Positions& positions, const Frequencies& frequencies, std::int64_t beyond)
    : unit_(positions.largest() == 0 ? 1 : std::ldexp(1, positions.lowest_bit())),
      digit_bits_(digit_bits(positions, frequencies)),
      frequencies_(frequencies.size()) {
    const double base = std::ldexp(1, digit_bits_);
    int count = 1;
    // `left` is the largest multiple, shifted by a digit for each rung: in the end the largest last
    // digit.
    double left = positions.largest() / unit_ + static_cast<double>(beyond);
    for (; left >= base; ++count) left = std::floor(left / base);
    for (const Rotations& generator : exact_rotations(frequencies, unit_, digit_bits_, count)) {
        const bool is_last = std::ssize(rungs_) + 1 == count;
        rungs_.push_back(powers(generator, static_cast<std::int64_t>(is_last ? left + 1 : base)));
    }
}

Rotations Ladder::at(double position) const {
    const double base = std::ldexp(1, digit_bits_);
    // Multiplies the rotations of the digits, from the lowest; cutting off digits is exact.
    std::optional<Rotations> result;
    const Rotations* first = nullptr;
    double left = std::fabs(position) / unit_;
    for (const std::vector<Rotations>& rung : rungs_) {
        const double higher = std::floor(left / base);
        const auto digit = static_cast<std::size_t>(left - higher * base);
        left = higher;
        if (digit == 0) continue;
        if (!first) {
            first = &rung[digit];
        } else {
            result = product(result ? *result : *first, rung[digit]);
        }
    }
    if (!result) result = first ? *first : identity(frequencies_);
    return position < 0 ? inverse(*std::move(result)) : *std::move(result);
}

}  // namespace pegen::numerics
