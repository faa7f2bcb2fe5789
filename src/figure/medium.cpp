#include "figure/medium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/utf8.h"

namespace pegen {
namespace {

// Edges are shares of the picture.
constexpr double left_edge = 0.125;
constexpr double right_edge = 0.9;
constexpr double bottom_edge = 0.11;
constexpr double top_edge = 0.88;
// Places are shares of the width between the edges.
constexpr double colorbar_place = 0.15;
constexpr double colorbar_gap = 0.05;
constexpr double colorbar_aspect = 20;

constexpr double usual_font_size = 10;  // points
constexpr int least_pixels = 50;
constexpr double least_colorbar = 4;
constexpr double most_pixels = 1 << 28;

/// Returns a medium with the places of axes and colour bar; all other lengths are 0.
Medium with_places(int width, int height, double dpi) {
    const double wide = right_edge - left_edge;
    const auto x = [&](double share) { return (left_edge + share * wide) * width; };
    const double top = height - top_edge * height;
    const double bottom = height - bottom_edge * height;
    Medium medium{};
    medium.width = width;
    medium.height = height;
    medium.dpi = dpi;
    medium.axes_alone = {x(0), top, x(1), bottom};
    medium.axes_beside_colorbar = {x(0), top, x(1 - (colorbar_place + colorbar_gap)), bottom};
    medium.axes_beside_legend = medium.axes_beside_colorbar;
    medium.colorbar_left = x(1 - colorbar_place);
    medium.colorbar_width =
        std::min(right_edge * width - medium.colorbar_left, (bottom - top) / colorbar_aspect);
    medium.least_colorbar = least_colorbar;
    medium.legend_left = medium.colorbar_left;
    return medium;
}

/// Returns the pixels of a text in a window; its origin is the lower left corner of its first
/// character.
InkBox cells_of(std::string_view text, const TextStyle&) {
    const int width = display_width(text);
    return width == 0 ? InkBox{} : InkBox{0, -2, width, 0};
}

double columns_of(std::string_view text, const TextStyle&) { return display_width(text); }

}  // namespace

void check_picture_size(double width, double height) {
    if (width * height > most_pixels) {
        throw UsageError(fmt::format(
            "a picture of {:.0f} x {:.0f} pixels: at most 2^28 pixels, such as 16384 x 16384; "
            "--figsize is in inches of --dpi pixels",
            width, height));
    }
}

Medium picture_medium(double inches_wide, double inches_high, double dpi,
                      std::shared_ptr<const Font> font, bool may_lack) {
    const double wide = std::round(inches_wide * dpi);
    const double high = std::round(inches_high * dpi);
    if (std::min(wide, high) < least_pixels) {
        throw UsageError(
            fmt::format("a figure of {:.0f} x {:.0f} pixels: must have at least {} x {} pixels to "
                        "hold axes; give a larger --figsize or --dpi, or --no-axes",
                        wide, high, least_pixels, least_pixels));
    }
    check_picture_size(wide, high);
    Medium medium = with_places(static_cast<int>(wide), static_cast<int>(high), dpi);
    medium.text_style.font = std::move(font);
    medium.text_style.may_lack = may_lack;
    medium.font_size = usual_font_size;
    medium.advance = text_advance;
    medium.ink = text_ink;
    return with_text_scale(std::move(medium), 1);
}

Medium with_text_scale(Medium medium, double scale) {
    const double dpi = medium.dpi, size = medium.font_size / usual_font_size;
    const auto unscaled = [=](double count) { return size * count * dpi / 72; };
    const auto points = [&](double count) { return unscaled(scale * count); };
    medium.line_width = unscaled(0.8);
    medium.curve_width = unscaled(1.5);
    medium.point_width = unscaled(4);
    medium.edge = points(3);
    medium.colorbar_gap = points(6);
    medium.panel_gap = points(medium.has_own_size ? 8 : 12);
    medium.tick_length = points(3.5);
    medium.minor_tick_length = points(2);
    medium.x_tick_pad = medium.y_tick_pad = points(3.5);
    medium.label_pad = points(4);
    medium.title_pad = points(6);
    medium.raised_title_pad = points(9);  // above tick labels, which rise half a line over the axes
    medium.text_gap = points(2.5);
    medium.legend_line = points(20);
    medium.legend_pitch = points(14);
    medium.space_per_x_tick = points(30);
    medium.space_per_y_tick = points(20);
    medium.text_style.points = 10 * size * scale;
    medium.text_style.dpi = dpi;
    medium.title_style = medium.text_style;
    medium.title_style.points = 12 * size * scale;
    medium.line = line_height(medium.text_style);
    medium.title_line = line_height(medium.title_style);
    medium.line_step = 1;
    return medium;
}

Medium with_font_size(Medium medium, double points) {
    medium.font_size = points;
    medium.is_tight = medium.has_own_size = true;
    return with_text_scale(std::move(medium), 1);
}

Medium window_medium(int columns, int lines) {
    Medium medium{};
    medium.width = columns;
    medium.height = 2 * lines;
    medium.dpi = 1;
    medium.is_window = true;
    Box axes{0, 0, columns + 0.0, 2.0 * lines};
    constexpr int least_columns = 24, least_lines = 8;
    if (columns >= least_columns && lines >= least_lines) {
        // Two lines above the axes are for title and label, two lines below for ticks and label.
        axes = {std::min(7, columns / 6) + 0.0, 4, columns + 0.0, 2.0 * lines - 4};
    }
    medium.axes_alone = medium.axes_beside_colorbar = medium.axes_beside_legend = axes;
    constexpr int least_columns_beside = 40;
    if (columns >= least_columns_beside) {
        medium.colorbar_left = columns - 9;
        medium.colorbar_width = 2;
        medium.axes_beside_colorbar.right = medium.colorbar_left - 2;
        medium.legend_left = columns - 15;
        medium.axes_beside_legend.right = medium.legend_left - 1;
    }
    medium.least_colorbar = 1;
    medium.panel_gap = 1;
    medium.y_tick_pad = 1;
    medium.title_pad = medium.raised_title_pad = 2;
    medium.text_gap = 1;
    medium.legend_line = 2;
    medium.legend_pitch = 2;
    medium.curve_width = 1;
    medium.point_width = 1;
    medium.space_per_x_tick = 8;
    medium.space_per_y_tick = 6;
    medium.line = medium.title_line = {2, 0};
    medium.line_step = 2;
    medium.advance = columns_of;
    medium.ink = cells_of;
    return medium;
}

}  // namespace pegen
