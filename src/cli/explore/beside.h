#pragma once

#include <string>
#include <vector>

#include "cli/explore/picture.h"
#include "cli/explore/sides.h"

namespace pegen::cli {

/// What is shown of two tables.
struct Beside {
    std::vector<Picture> pictures;       ///< of the first, the other and their difference
    std::vector<std::string> sentences;  ///< what separates them
    bool is_command_known;               ///< the command that makes a file needs no search
};

/// Draws and compares two tables. There is no picture of the difference if they have no common
/// shape. Throws: UsageError, GivenUp.
Beside beside(const Sides& sides);

}  // namespace pegen::cli
