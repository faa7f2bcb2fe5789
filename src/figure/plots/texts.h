#pragma once

#include <string>
#include <string_view>

#include "core/parameters.h"
#include "figure/layout.h"

namespace pegen {

/// Returns the text parameter `name`, or `otherwise` if it is not given.
std::string text_or(const Parameters& parameters, std::string_view name, std::string otherwise);

/// Returns the title of a table with ", topic" behind its name: "RoPE, Similarity (d=64)". An empty
/// title becomes the topic.
std::string with_topic(std::string title, std::string_view topic);

/// Sets the texts to --title, --xlabel and --ylabel, or to the given texts where an option is
/// missing; these, and a label of the colour bar that is not --colorbar-label, may be short.
void set_texts(FigureSpec& spec, const Parameters& parameters, std::string title,
               std::string x_label, std::string y_label);

}  // namespace pegen
