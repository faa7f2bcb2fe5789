#include "figure/legend.h"

#include <algorithm>

#include "figure/page.h"

namespace pegen {
namespace {

/// Returns the distance from the beginning of an entry to its text.
double sample_room(const Medium& medium) { return medium.legend_line + 2 * medium.text_gap; }

}  // namespace

LegendGrid legend_grid(const std::vector<LegendEntry>& entries, std::size_t columns,
                       const Medium& medium) {
    double longest = 0;
    for (const LegendEntry& entry : entries) {
        longest = std::max(longest, medium.advance(entry.text, medium.text_style));
    }
    LegendGrid grid{};
    grid.rows = (entries.size() + columns - 1) / columns;
    grid.columns = (entries.size() + grid.rows - 1) / grid.rows;
    const double width = sample_room(medium) + longest, gap = 4 * medium.text_gap;
    grid.pitch = width + gap;
    grid.width = static_cast<double>(grid.columns) * grid.pitch - gap;
    grid.height = static_cast<double>(grid.rows - 1) * medium.legend_pitch + medium.line.ascent +
                  medium.line.descent;
    return grid;
}

LegendGrid legend_within_height(const std::vector<LegendEntry>& entries, double height,
                                const Medium& medium) {
    LegendGrid grid{};
    for (std::size_t columns = 1; columns <= entries.size(); ++columns) {
        grid = legend_grid(entries, columns, medium);
        if (grid.height <= height) break;
    }
    return grid;
}

LegendGrid legend_within_width(const std::vector<LegendEntry>& entries, double width,
                               const Medium& medium) {
    LegendGrid grid{};
    for (std::size_t columns = entries.size(); columns > 0; --columns) {
        grid = legend_grid(entries, columns, medium);
        if (grid.width <= width) break;
    }
    return grid;
}

std::vector<PlacedText> legend_texts(const std::vector<LegendEntry>& entries,
                                     const LegendGrid& grid, Point corner, const Medium& medium) {
    std::vector<PlacedText> texts;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto column = static_cast<double>(i / grid.rows);
        const auto row = static_cast<double>(i % grid.rows);
        texts.push_back(across(medium, TextRole::legend, entries[i].text,
                               corner.x + column * grid.pitch + sample_room(medium),
                               corner.y + medium.line.ascent + row * medium.legend_pitch));
    }
    return texts;
}

}  // namespace pegen
