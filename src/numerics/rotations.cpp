#include "numerics/rotations.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/clones.h"
#include "core/progress.h"
#include "core/shape.h"
#include "numerics/exact.h"

namespace pegen::numerics {
namespace {

PEGEN_CLONES
void multiply(const Rotations& a, const Rotations& b, double* __restrict sin_high,
              double* __restrict sin_low, double* __restrict cos_high, double* __restrict cos_low) {
    const auto x = a.arrays(), y = b.arrays();
    for (std::size_t k = 0, size = a.size(); k < size; ++k) {
        const Rotation xy = product(x[k], y[k]);
        sin_high[k] = xy.sin.high;
        sin_low[k] = xy.sin.low;
        cos_high[k] = xy.cos.high;
        cos_low[k] = xy.cos.low;
    }
}

}  // namespace

Rotations identity(std::size_t size) {
    Rotations result(size);
    std::fill_n(result.arrays().cos_high, size, 1.0);
    return result;
}

Rotations product(const Rotations& a, const Rotations& b) {
    report_work(10 * static_cast<std::int64_t>(a.size()));
    Rotations result(a.size());
    const auto [sin_high, sin_low, cos_high, cos_low] = result.arrays();
    multiply(a, b, sin_high, sin_low, cos_high, cos_low);
    return result;
}

Rotations inverse(Rotations rotations) {
    for (std::size_t k = 0; k < rotations.size(); ++k) {
        const auto [sin, cos] = rotations[k];
        rotations.set(k, {negative(sin), cos});
    }
    return rotations;
}

Rotations scaled(Rotations rotations, double scale) {
    if (scale == 1) return rotations;
    for (std::size_t k = 0; k < rotations.size(); ++k) {
        const auto [sin, cos] = rotations[k];
        rotations.set(k, {product(sin, {scale, 0}), product(cos, {scale, 0})});
    }
    return rotations;
}

std::vector<Rotations> powers(const Rotations& generator, std::int64_t size) {
    std::vector<Rotations> result{identity(generator.size())};
    while (std::ssize(result) < size) result.push_back(product(result.back(), generator));
    return result;
}

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

namespace {

std::optional<Positions> bases_of(const Positions& positions, std::int64_t rows) {
    const auto progression = positions.exact_progression();
    if (!progression) return std::nullopt;
    return Positions(progression->start, progression->step * static_cast<double>(rows),
                     (positions.size() + rows - 1) / rows);
}

}  // namespace

SplitRotations::SplitRotations(const Positions& positions, const Frequencies& frequencies)
    : digit_bits_(digit_bits(positions, frequencies)),
      bases_(bases_of(positions, std::int64_t{1} << digit_bits_)),
      // The base of a negative position is farther from 0.
      ladder_(bases_ ? *bases_ : positions, frequencies,
              bases_ ? 0 : (std::int64_t{1} << digit_bits_) - 1) {
    if (!bases_) {
        steps_ = ladder_.steps();
        return;
    }
    const double step = positions.exact_progression()->step;
    steps_ = powers(exact_rotations(frequencies, step, 0, 1).front(),
                    std::min(positions.size(), std::int64_t{1} << digit_bits_));
}

Split SplitRotations::split(std::int64_t row, double position) const {
    if (bases_) {
        const std::int64_t base = row >> digit_bits_;
        return {(*bases_)[base], to_size(row - (base << digit_bits_))};
    }
    // The steps of this computation are exact, since the numbers are multiples of the unit.
    const double span = std::ldexp(ladder_.unit(), digit_bits_);
    const double base = std::floor(position / span) * span;
    return {base, static_cast<std::size_t>((position - base) / ladder_.unit())};
}

}  // namespace pegen::numerics
