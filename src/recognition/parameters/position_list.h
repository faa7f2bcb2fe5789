#pragma once

#include <string>
#include <vector>

namespace pegen::recognition {

/// Returns a list of positions as people type it for --positions, with ranges and repetitions if it
/// has more than 16 numbers: "0:2047,2047x2049". "" if it has more than 16 items even so, as nobody
/// reads or types a longer one, or more numbers than --positions takes with ranges, 2^20.
std::string position_list_text(const std::vector<double>& list);

/// Returns the price of the list in bits: the numbers of its ranges and repetitions, and of the
/// single numbers between them.
double position_list_bits(const std::vector<double>& list);

}  // namespace pegen::recognition
