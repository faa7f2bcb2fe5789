#pragma once

#include <string>

#include "core/parameters.h"
#include "figure/layout.h"

namespace pegen {

/// Returns the text parameter `name`, or `otherwise` if it is not given.
std::string text_or(const Parameters& parameters, std::string_view name, std::string otherwise);

/// Sets the texts to --title, --xlabel and --ylabel, or to the given texts where an option is
/// missing.
void set_texts(FigureSpec& spec, const Parameters& parameters, std::string title,
               std::string x_label, std::string y_label);

}  // namespace pegen
