#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace pegen {

/// start + step * i  for i = 0, 1, ...
struct Progression {
    double start;
    double step;
};

/// The positions of a table's rows: an arithmetic progression or a list, forwards or reversed.
class Positions {
  public:
    /// start + step * i  for i = 0 ... count - 1; each is the double nearest to the exact number.
    Positions(double start, double step, std::int64_t count);
    explicit Positions(std::vector<double> list);

    /// The same, last one first.
    Positions reversed() const;

    double operator[](std::int64_t row) const;
    std::int64_t size() const { return count_; }

    /// The largest |position|.
    double largest() const;

    /// Every position is a whole multiple of 2^lowest_bit(). Large if all are 0.
    int lowest_bit() const;

    /// The progression whose terms, each rounded to a double, are the positions; none of a list.
    std::optional<Progression> progression() const;

    /// The progression that the positions are, if every one of them is exactly
    /// start + step * row; whole numbers always are.
    std::optional<Progression> exact_progression() const;

    /// The first row whose position is `position`; -1 if there is none.
    std::int64_t find(double position) const;

  private:
    double start_ = 0;
    double step_ = 0;
    std::int64_t count_ = 0;
    std::vector<double> list_;
    bool is_reversed_ = false;
};

}  // namespace pegen
