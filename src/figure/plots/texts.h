#pragma once

#include <string>

#include "core/parameters.h"
#include "core/table.h"
#include "figure/layout.h"

namespace pegen {

/// The text parameter, or what stands there without it.
std::string text_or(const Parameters& parameters, std::string_view name, std::string otherwise);

/// The label of an axis of the table; "" where it has no such axis.
std::string axis_label(const Table& table, std::size_t axis);

/// --title, --xlabel and --ylabel, or what stands there without them.
void set_texts(FigureSpec& spec, const Parameters& parameters, std::string title,
               std::string x_label, std::string y_label);

}  // namespace pegen
