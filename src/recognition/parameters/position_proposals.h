#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recognition/evidence/wave_table.h"
#include "recognition/parameters/priced_settings.h"

namespace pegen::recognition {

/// Returns a list of positions as people type it for --positions, with ranges and repetitions if it
/// has more than 16 numbers: "0:2047,2047x2049". "" if it has more than 16 items even so, as nobody
/// reads or types a longer one, or more numbers than --positions takes with ranges, 2^20.
std::string position_list_text(const std::vector<double>& list);

/// Returns the price of the list in bits: the numbers of its ranges and repetitions, and of the
/// single numbers between them.
double position_list_bits(const std::vector<double>& list);

// Conversion of measured positions into settings.

/// The numbers that a list of positions, other than a progression, may hold.
enum class ListOf { any_numbers, whole_numbers };

/// Returns settings for the positions of `rows` rows, the six cheapest. The positions
/// are measured in radians of the fastest pair; settings are --start, --step and --reverse, or
/// --positions, and --freq-scale, which the array shows only as a factor of the positions. The
/// settings include --len, unless they include --positions.
std::vector<PricedSettings> position_proposals(const evidence::WaveTable& table, std::int64_t rows,
                                               ListOf allowed = ListOf::any_numbers);

}  // namespace pegen::recognition
