#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/explore/asked.h"
#include "cli/explore/bounds.h"
#include "cli/explore/picture.h"

namespace pegen::cli {

/// A table that is shown beside another one.
struct Beside {
    Asked asked;                         ///< the first, of the size in which they are compared
    std::vector<Picture> pictures;       ///< of the first, the other and their difference
    std::vector<std::string> sentences;  ///< what separates them
};

/// Draws the asked table beside that of the encoding whose words `asked.beside` has. The other gets
/// the extents of the first and what the user changed there, as far as it has such parameters, and
/// then its own settings. Pictures have no difference if the tables have no common shape.
/// Throws: UsageError, also for words that name files; GivenUp.
Beside beside_words(const Asked& asked, const Patience& patience);

/// The same for the array of an NPY file, whose extents the asked table gets as far as the user
/// left them open. Throws: UsageError; FormatError, for "the file"; GivenUp.
Beside beside_file(Asked asked, std::string_view file, const Patience& patience);

}  // namespace pegen::cli
