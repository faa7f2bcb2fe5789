#pragma once

#include <string_view>

#include "figure/layout.h"

namespace pegen {

/// The words that messages use for the texts of a role.
struct TextPart {
    std::string_view name;    ///< "--title", or a description of the texts
    std::string_view option;  ///< the option that gives them; "" if there is none
    std::string_view remedy;  ///< the advice to users if the texts do not fit
};

TextPart part_of(TextRole role);

}  // namespace pegen
