#pragma once

#include <string_view>

#include "figure/layout.h"

namespace pegen {

/// How messages speak of the texts of a role.
struct TextPart {
    std::string_view name;    ///< "--title", or what the texts are
    std::string_view option;  ///< the option that gives them; "" if there is none
    std::string_view remedy;  ///< if they do not fit
};

TextPart part_of(TextRole role);

}  // namespace pegen
