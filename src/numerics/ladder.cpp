#include "numerics/ladder.h"

#include <algorithm>
#include <bit>

#include "numerics/exact.h"

namespace pegen::numerics {
namespace {

/// 64, or less where a rung of so many rotations would be large: a power of 2, at least 4.
std::int64_t choose_radix(std::int64_t frequencies) {
    constexpr std::int64_t most_bytes = 1 << 24;
    constexpr auto bytes_of_rotation = static_cast<std::int64_t>(4 * sizeof(double));
    const auto fitting = static_cast<std::uint64_t>(
        most_bytes / (bytes_of_rotation * std::max<std::int64_t>(frequencies, 1)));
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::bit_floor(fitting)), 4, 64);
}

/// Rotations by 0, 1, ... size - 1 times the angles of `generator`. Each rung has a generator of
/// its own from MPFR: made from the rung below, it would have 63 times its error.
std::vector<Rotations> powers(const Rotations& generator, std::int64_t size) {
    std::vector<Rotations> result{Rotations(generator.size())};
    while (std::ssize(result) < size) result.push_back(product(result.back(), generator));
    return result;
}

}  // namespace

Ladder::Ladder(const Progression& progression, std::int64_t count, const Frequencies& frequencies)
    : radix_(choose_radix(frequencies.size())),
      start_(exact_rotations(frequencies, progression.start, 0)) {
    const int bits = std::countr_zero(static_cast<std::uint64_t>(radix_));
    int exponent = 0;
    for (std::int64_t left = count; exponent == 0 || left > 1;
         left = (left + radix_ - 1) / radix_) {
        const Rotations generator = exact_rotations(frequencies, progression.step, exponent);
        rungs_.push_back(powers(generator, std::min(left, radix_)));
        exponent += bits;
    }
}

Rotations Ladder::base(std::int64_t block) const {
    Rotations result = start_;
    for (std::size_t rung = 1; rung < rungs_.size(); ++rung, block /= radix_) {
        const std::int64_t digit = block % radix_;
        if (digit > 0) result = product(result, rungs_[rung][static_cast<std::size_t>(digit)]);
    }
    return result;
}

}  // namespace pegen::numerics
