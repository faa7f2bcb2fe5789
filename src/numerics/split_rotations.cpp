#include "numerics/split_rotations.h"

#include <algorithm>
#include <cmath>

#include "core/shape.h"
#include "numerics/exact.h"

namespace pegen::numerics {
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
