#pragma once

#include <random>
#include <string>
#include <vector>

#include "encodings/drawn/command.h"

namespace pegen::trials {

using Random = std::mt19937_64;

/// Draws parameters of the encoding, one of its tables and a dtype, until the encoding accepts
/// them and the table has neither few values nor many.
Command drawn_command(const Encoding& encoding, Random& random);

/// Returns the parameters of the encoding that are never drawn, except those in the list of
/// parameters that need a file.
std::vector<std::string> parameters_never_drawn(const Encoding& encoding);

}  // namespace pegen::trials
