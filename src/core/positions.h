#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pegen {

/// The arithmetic progression  start + step * i  for i = 0, 1, ...
struct Progression {
    double start;
    double step;
};

/// A function that reads positions first, first + 1, ... of a list into all of `out`. Many threads
/// may call it at once. Throws: Error.
using PositionReader = std::function<void(std::int64_t first, std::span<double> out)>;

/// The positions of a table's rows: an arithmetic progression or a list, forwards or reversed.
/// Copies share the list.
class Positions {
  public:
    /// Makes the positions  start + step * i  for i = 0 ... count - 1; each is the double nearest
    /// to the exact number.
    Positions(double start, double step, std::int64_t count);
    explicit Positions(std::vector<double> list);
    /// Makes the positions of a list that is not kept: each thread reads a block of it at a time,
    /// and keeps the block it read last. Reads the whole list once. Throws: Error, here and where
    /// positions are asked for.
    Positions(std::int64_t count, PositionReader reader);

    /// Returns the same positions, last one first.
    Positions reversed() const;

    double operator[](std::int64_t row) const;
    /// Sets `out` to the positions of rows first, first + 1, ...
    void read(std::int64_t first, std::span<double> out) const;
    std::int64_t size() const { return count_; }

    /// Returns the largest |position|.
    double largest() const;

    /// Returns an exponent such that every position is a whole multiple of 2^exponent; a large
    /// exponent if all positions are 0.
    int lowest_bit() const;

    /// Returns the progression whose terms, each rounded to a double, are the positions; for
    /// reversed positions its first term is rounded, too. Returns nothing for a list.
    std::optional<Progression> progression() const;

    /// Returns the progression if every position is certain to be exactly start + step * row, as
    /// whole numbers below 2^53 are. Returns nothing for a list.
    std::optional<Progression> exact_progression() const;

    /// Returns the first row whose position is `position`, or -1 if there is none.
    std::int64_t find(double position) const;

  private:
    class List;

    double start_ = 0;
    double step_ = 0;
    std::int64_t count_ = 0;
    std::shared_ptr<const List> list_;  ///< null for a progression
    bool is_reversed_ = false;
};

}  // namespace pegen
