#include "core/positions.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/clones.h"

namespace pegen {
namespace {

/// Returns the exponent of the lowest bit that is set: 0 for 1 and 3, -1 for 0.5, a large number
/// for 0.
int lowest_bit_of(double value) {
    if (value == 0) return std::numeric_limits<int>::max();
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << 52) - 1);
    // Numbers below the smallest normal one have no hidden bit.
    const std::uint64_t hidden = exponent == 0 ? 0 : std::uint64_t{1} << 52;
    return std::max(exponent, 1) - 1075 + std::countr_zero(fraction | hidden);
}

/// The block of a list that a thread has read last.
struct Block {
    std::uint64_t list = 0;  ///< the number of the list
    std::int64_t number = -1;
    std::vector<double> positions;
};

constexpr std::int64_t positions_of_block = 1 << 13;

/// Sets out[i] to the term number  begin + way * i. Counts in 32 bits, which all processors convert
/// to doubles several at a time.
PEGEN_CLONES void set_terms(Progression progression, double begin, double way, double* out,
                            std::int32_t count) {
    for (std::int32_t i = 0; i < count; ++i) {
        const double number = begin + way * i;
        out[i] = std::fma(progression.step, number, progression.start);  // rounds once
    }
}

}  // namespace

/// All numbers, or how to read them.
class Positions::List {
  public:
    explicit List(std::vector<double> numbers)
        : numbers_(std::move(numbers)), count_(std::ssize(numbers_)) {
        add(numbers_);
    }

    List(std::int64_t count, PositionReader reader) : count_(count), reader_(std::move(reader)) {
        static std::atomic<std::uint64_t> lists = 0;
        id_ = ++lists;
        for (std::int64_t number = 0; number * positions_of_block < count_; ++number) {
            add(block(number));
        }
    }

    std::int64_t size() const { return count_; }
    double largest() const { return largest_; }
    int lowest_bit() const { return lowest_bit_; }

    double operator[](std::int64_t i) const {
        return reader_ ? block(i / positions_of_block)[i % positions_of_block] : numbers_[i];
    }

  private:
    void add(const std::vector<double>& positions) {
        for (const double position : positions) {
            largest_ = std::max(largest_, std::fabs(position));
            lowest_bit_ = std::min(lowest_bit_, lowest_bit_of(position));
        }
    }

    const std::vector<double>& block(std::int64_t number) const {
        thread_local Block kept;
        if (kept.list == id_ && kept.number == number) return kept.positions;
        const std::int64_t first = number * positions_of_block;
        kept.list = 0;  // stays 0 if reading fails
        kept.positions.resize(std::min(positions_of_block, count_ - first));
        reader_(first, kept.positions);
        kept.list = id_;
        kept.number = number;
        return kept.positions;
    }

    std::vector<double> numbers_;
    std::int64_t count_;
    PositionReader reader_;  ///< null if the numbers are kept
    std::uint64_t id_ = 0;
    double largest_ = 0;
    int lowest_bit_ = lowest_bit_of(0);
};

Positions::Positions(double start, double step, std::int64_t count)
    : start_(start), step_(step), count_(count) {}

Positions::Positions(std::vector<double> list)
    : list_(std::make_shared<const List>(std::move(list))) {
    count_ = list_->size();
}

Positions::Positions(std::int64_t count, PositionReader reader)
    : count_(count), list_(std::make_shared<const List>(count, std::move(reader))) {}

Positions Positions::reversed() const {
    Positions result = *this;
    result.is_reversed_ = !is_reversed_;
    return result;
}

double Positions::operator[](std::int64_t row) const {
    const std::int64_t i = is_reversed_ ? count_ - 1 - row : row;
    if (list_) return (*list_)[i];
    return std::fma(step_, static_cast<double>(i), start_);  // rounds once
}

void Positions::read(std::int64_t first, std::span<double> out) const {
    if (list_) {
        for (double& position : out) position = (*this)[first++];
        return;
    }
    const double way = is_reversed_ ? -1 : 1;
    auto begin = static_cast<double>(is_reversed_ ? count_ - 1 - first : first);
    while (!out.empty()) {
        const std::size_t count = std::min<std::size_t>(out.size(), 1 << 16);
        set_terms({start_, step_}, begin, way, out.data(), static_cast<std::int32_t>(count));
        out = out.subspan(count);
        begin += way * static_cast<double>(count);
    }
}

double Positions::largest() const {
    if (list_) return list_->largest();
    return std::max(std::fabs((*this)[0]), std::fabs((*this)[count_ - 1]));
}

int Positions::lowest_bit() const {
    if (list_) return list_->lowest_bit();
    // start + step * i is a multiple of the lower of the two lowest bits, and so is the double
    // nearest to it.
    return std::min(lowest_bit_of(start_), lowest_bit_of(step_));
}

std::optional<Progression> Positions::progression() const {
    if (list_) return std::nullopt;
    return is_reversed_ ? Progression{(*this)[0], -step_} : Progression{start_, step_};
}

std::optional<Progression> Positions::exact_progression() const {
    if (list_) return std::nullopt;
    // Multiples of the lowest bit are doubles up to 2^53 times that bit. The last position may have
    // been rounded down to this limit.
    if (std::ldexp(largest(), -lowest_bit()) >= 0x1p53) return std::nullopt;
    return progression();
}

std::int64_t Positions::find(double position) const {
    if (list_) {
        for (std::int64_t row = 0; row < count_; ++row) {
            if ((*this)[row] == position) return row;
        }
        return -1;
    }
    // Rounding keeps the order of a progression: all rows before `low` come before the position,
    // and no row from `high` on does.
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
