#include "formats/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "figure/figure.h"
#include "figure/paint.h"
#include "figure/plots/heatmap.h"
#include "figure/purpose.h"
#include "formats/screen.h"

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

/// Columns and lines of characters, or the pixels of one.
struct Extents {
    double across;
    double down;
};

Extents extents(const Parameters& parameters, std::string_view name, Extents usual) {
    if (!parameters.has(name)) return usual;
    const std::vector<double>& size = parameters.reals(name);
    return {std::floor(size.front()), std::floor(size.back())};
}

Extents window_of(const Parameters& parameters) {
    return extents(parameters, "show-size", {80, 24});
}

/// Returns the parameters of the picture for a room of this many pixels: with --for, its figure, as
/// large as there is room; else a figure as wide as the room, with narrow margins and texts that
/// are about as large as the terminal's.
Parameters fitted(const Parameters& parameters, Extents room, Extents cell) {
    Parameters meant = for_purpose(parameters);
    if (meant.has("for")) {
        const std::vector<double>& inches = meant.reals("figsize");
        meant.resolve("dpi", std::min(room.across / inches.front(), room.down / inches.back()));
        meant.resolve("for", NoValue{});
        return meant;
    }
    const double dpi = 5 * cell.down;  // 10 pt are 0.7 of a line
    const double height = std::min(room.down, 0.8 * room.across);
    meant.resolve("tight", true);
    meant.resolve("dpi", dpi);
    meant.resolve("figsize", std::vector<double>{room.across / dpi, height / dpi});
    return meant;
}

std::string picture_text(const Table& table, const Parameters& parameters,
                         const TerminalGraphics& graphics) {
    const Extents window = window_of(parameters);
    const Extents cell = extents(parameters, "show-cell", {10, 20});
    const Extents room{window.across * cell.across, window.down * cell.down};
    check_picture_size(room.across, room.down);
    // A bare heatmap has to fit, as in a window of characters of 1 x 2 pixels.
    const Figure figure =
        is_bare(parameters)
            ? compose_figure(table, parameters,
                             window_medium(static_cast<int>(room.across),
                                           std::max(1, static_cast<int>(room.down / 2))))
            : compose_figure(table, fitted(parameters, room, cell));
    check_fixed(figure.theme);
    return graphics.text(paint(figure), static_cast<int>(std::ceil(figure.width / cell.across)),
                         static_cast<int>(std::ceil(figure.height / cell.down)));
}

Drawing blocks_text(const Table& table, const Parameters& parameters) {
    const Extents window = window_of(parameters);
    const Medium medium =
        window_medium(static_cast<int>(window.across), static_cast<int>(window.down));
    Figure figure = in_whole_lines(compose_figure(table, parameters, medium));
    const TerminalColours colours = parameters.has("show-colours")
                                        ? colours_named(parameters.word("show-colours"))
                                        : TerminalColours::none;
    // Characters show only lightness, and many colormaps are dark at both ends.
    if (colours == TerminalColours::none) figure.palette = find_palette("gray");
    return {screen_text(screen_of(figure), colours), std::move(figure.notes)};
}

/// Throws: UsageError for an option that has no effect on what --show-as asks for.
void check_given(const Parameters& parameters) {
    if (!parameters.given("show-as")) return;
    const std::string& as = parameters.word("show-as");
    const bool is_picture = find_terminal_graphics(as) != nullptr;
    if (is_picture && parameters.given("show-colours")) {
        throw UsageError(fmt::format("--show-colours: has no effect on --show-as {}", as));
    }
    if (!is_picture && parameters.given("show-cell")) {
        throw UsageError(fmt::format("--show-cell: has no effect on --show-as {}", as));
    }
}

Drawing shown(const Table& table, const Parameters& parameters) {
    check_given(parameters);
    const TerminalGraphics* const graphics =
        parameters.has("show-as") ? find_terminal_graphics(parameters.word("show-as")) : nullptr;
    if (!graphics) return blocks_text(table, parameters);
    try {
        return {picture_text(table, parameters, *graphics), {}};
    } catch (const UsageError&) {
        // The terminal itself can draw texts that pictures cannot have, such as Hebrew.
        if (parameters.given("show-as")) throw;
        return blocks_text(table, parameters);
    }
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
    .idle_parameters = "figsize dpi font animate fps seconds",
    .options_title = "Figure options",
    .draw = shown,
};

}  // namespace pegen
