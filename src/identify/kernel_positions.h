#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evidence/simple_number.h"
#include "identify/kernel_turns.h"

// Which positions the rows of an array have, once the frequencies are known.
namespace pegen::identify {

/// Returns the whole number `p`, or a simple one, such that pair m is turned by p frequencies[m],
/// modulo 2 pi: the simplest one, `farthest` at most. None if there is none.
std::optional<double> position_of(std::span<const evidence::Measured> phases,
                                  std::span<const double> frequencies, std::int64_t farthest);

/// Returns the position of each row. Rows mostly follow each other by `step`. None if a row has no
/// position.
std::optional<std::vector<double>> positions_of_rows(const Turns& turns, bool is_inverse,
                                                     std::span<const double> frequencies,
                                                     double step);

}  // namespace pegen::identify
