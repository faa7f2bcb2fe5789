#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameters.h"
#include "core/table.h"

namespace pegen::cli {

/// A figure that is drawn, and what the page needs to know of it.
struct Picture {
    nlohmann::ordered_json about;  ///< of what it is, its size, and which cells its pixels show
    std::string pixels;  ///< a palette, three bytes for each of 256 colours, then a byte a pixel
    std::vector<std::string> notes;
};

/// Draws the figure of a table; `of` and `label` say which of several it is. The browser gets no
/// PNG: it takes longer to decode one than this to draw it.
/// Throws: UsageError, as compose_figure(), and for too many pixels.
Picture drawn(std::string_view of, const std::string& label, const Table& table,
              const Parameters& figure);

/// Returns the options at the resolution at which the figure has just the room that the page has
/// for it: pixels across and down. Without room, as they are.
Parameters fitted_to(const std::optional<std::vector<double>>& room, Parameters figure);

}  // namespace pegen::cli
