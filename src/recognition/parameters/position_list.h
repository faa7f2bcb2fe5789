#pragma once

#include <string>
#include <vector>

namespace pegen::recognition {

/// Returns a list of positions as people type it for --positions, with ranges and repetitions if it
/// has more than 16 numbers: "0:2047,2047x2049". "" if it has more than 16 items even so: nobody
/// reads or types a longer one.
std::string position_list_text(const std::vector<double>& list);

}  // namespace pegen::recognition
