#include "formats/show.h"

#include <algorithm>
#include <array>
#include <utility>

#include "figure/figure.h"
#include "figure/paint.h"

namespace pegen {
namespace {

constexpr std::array<std::pair<TerminalColours, std::string_view>, 3> names{{
    {TerminalColours::truecolor, "truecolor"},
    {TerminalColours::palette256, "256"},
    {TerminalColours::none, "none"},
}};

TerminalColours colours_named(std::string_view name) {
    return std::find_if(names.begin(), names.end(),
                        [&](const auto& entry) { return entry.second == name; })
        ->first;
}

Screen screen_of(const Figure& figure) {
    Screen screen{figure.width, figure.height / 2, paint_without_ground(figure), {}};
    for (const PlacedText& text : figure.texts) {
        // The baseline is the lower edge of the line.
        screen.texts.push_back({text.x, text.y / 2 - 1, text.text});
    }
    return screen;
}

/// Returns the figure with an even height; if a row is added, it is the lower half of the last
/// line.
Figure in_whole_lines(Figure figure) {
    figure.height += figure.height % 2;
    return figure;
}

Drawing shown(const Table& table, const Parameters& parameters) {
    std::vector<double> size{80, 24};
    if (parameters.has("show-size")) size = parameters.reals("show-size");
    const Medium medium =
        window_medium(static_cast<int>(size.front()), static_cast<int>(size.back()));
    Figure figure = in_whole_lines(compose_figure(table, parameters, medium));
    const TerminalColours colours = parameters.has("show-colours")
                                        ? colours_named(parameters.word("show-colours"))
                                        : TerminalColours::none;
    // Characters show only lightness, and many colormaps are dark at both ends.
    if (colours == TerminalColours::none) figure.palette = find_palette("gray");
    return {screen_text(screen_of(figure), colours), {}};
}

}  // namespace

std::string_view name_of(TerminalColours colours) {
    return std::find_if(names.begin(), names.end(),
                        [&](const auto& entry) { return entry.first == colours; })
        ->second;
}

constinit const Format formats::show{
    .name = "show",
    .summary = "draw the figure in the terminal",
    .extensions = "",
    .is_binary = false,
    .is_shown = true,
    .parameters = figure_parameters,
    .idle_parameters = "figsize dpi font",
    .options_title = "Figure options",
    .draw = shown,
};

}  // namespace pegen
