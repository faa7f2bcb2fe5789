#include "core/positions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/to_size.h"

namespace pegen {
namespace {

/// Returns the exponent of the lowest bit that is set: 0 for 1 and 3, -1 for 0.5, a large one for
/// 0.
int lowest_bit_of(double value) {
    if (value == 0) return std::numeric_limits<int>::max();
    int exponent = 0;
    const auto digits = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
    return exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(digits));
}

}  // namespace

Positions::Positions(double start, double step, std::int64_t count)
    : start_(start), step_(step), count_(count) {}

Positions::Positions(std::vector<double> list)
    : count_(static_cast<std::int64_t>(list.size())), list_(std::move(list)) {}

Positions Positions::reversed() const {
    Positions result = *this;
    result.is_reversed_ = !is_reversed_;
    return result;
}

double Positions::operator[](std::int64_t row) const {
    const std::int64_t i = is_reversed_ ? count_ - 1 - row : row;
    if (!list_.empty()) return list_[to_size(i)];
    return std::fma(step_, static_cast<double>(i), start_);  // rounds once
}

double Positions::largest() const {
    if (list_.empty()) return std::max(std::fabs((*this)[0]), std::fabs((*this)[count_ - 1]));
    double result = 0;
    for (const double position : list_) result = std::max(result, std::fabs(position));
    return result;
}

int Positions::lowest_bit() const {
    // start + step * i is a multiple of the lower of the two lowest bits, and so is the double
    // nearest to it.
    if (list_.empty()) return std::min(lowest_bit_of(start_), lowest_bit_of(step_));
    int result = lowest_bit_of(0);
    for (const double position : list_) result = std::min(result, lowest_bit_of(position));
    return result;
}

std::optional<Progression> Positions::progression() const {
    if (!list_.empty()) return std::nullopt;
    return is_reversed_ ? Progression{(*this)[0], -step_} : Progression{start_, step_};
}

std::optional<Progression> Positions::exact_progression() const {
    if (!list_.empty()) return std::nullopt;
    // Multiples of the lowest bit are doubles up to 2^53 times that bit. The last one may have been
    // rounded down to that.
    if (std::ldexp(largest(), -lowest_bit()) >= 0x1p53) return std::nullopt;
    return progression();
}

std::int64_t Positions::find(double position) const {
    if (!list_.empty()) {
        for (std::int64_t row = 0; row < count_; ++row) {
            if ((*this)[row] == position) return row;
        }
        return -1;
    }
    // Rounding keeps the order of a progression. All rows before `low` are before the position, and
    // none from `high` on is.
    const bool ascends = (step_ > 0) != is_reversed_;
    std::int64_t low = 0, high = count_;
    while (low < high) {
        const std::int64_t middle = std::midpoint(low, high);
        const double seen = (*this)[middle];
        if (ascends ? seen < position : seen > position) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < count_ && (*this)[low] == position ? low : -1;
}

}  // namespace pegen
