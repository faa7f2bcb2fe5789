#include "figure/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "figure/colorbar.h"
#include "figure/labels.h"
#include "figure/stroke.h"

namespace pegen {
namespace {

/// The largest box of this shape (height / width) in `place`.
Box shrunk(const Box& place, double shape, bool is_at_right) {
    const double width = std::min(place.width(), place.height() / shape);
    const double height = std::min(place.height(), place.width() * shape);
    const double left =
        is_at_right ? place.right - width : place.left + (place.width() - width) / 2;
    const double top = place.top + (place.height() - height) / 2;
    return {left, top, left + width, top + height};
}

/// Returns `count` boxes in rows of `across`, with room for a title above each.
std::vector<Box> panel_grid(const Box& place, std::size_t count, std::size_t across,
                            double title_room, const Medium& medium) {
    const std::size_t down = (count + across - 1) / across;
    const double gap_down = title_room > 0 ? title_room + medium.line.descent : medium.panel_gap;
    const auto share = [](double length, double gap, std::size_t parts) {
        return (length - gap * static_cast<double>(parts - 1)) / static_cast<double>(parts);
    };
    const double top = place.top + title_room;
    double width = share(place.width(), medium.panel_gap, across);
    double height = share(place.bottom - top, gap_down, down);
    if (medium.is_window) {
        width = std::floor(width);
        height = medium.line_step * std::floor(height / medium.line_step);
    }
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const double x = place.left + static_cast<double>(i % across) * (width + medium.panel_gap);
        const double y = top + static_cast<double>(i / across) * (height + gap_down);
        boxes.push_back({x, y, x + width, y + height});
    }
    return boxes;
}

void check_panel(const Box& panel, std::size_t count, const Medium& medium) {
    constexpr double least = 4;
    if (panel.width() >= least && panel.height() >= least) return;
    throw UsageError(fmt::format(
        "a figure of {} x {} pixels: has no room for {} panels; make it larger, or choose one with "
        "--select",
        medium.width, medium.height, count));
}

Frames make_frames(const FigureSpec& spec, const Medium& medium) {
    Frames frames{};
    const bool has_legend = !spec.legend.empty();
    const Box& place = spec.colorbar ? medium.axes_beside_colorbar
                       : has_legend  ? medium.axes_beside_legend
                                     : medium.axes_alone;
    const std::size_t count = spec.panels.size();
    frames.across = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    const double title_room = panel_title_room(spec, medium);
    if (count == 1 && title_room == 0) {
        frames.axes = {place};
    } else {
        frames.axes = panel_grid(place, count, frames.across, title_room, medium);
        check_panel(frames.axes.front(), count, medium);
    }
    if (spec.colorbar && medium.colorbar_width >= medium.least_colorbar) {
        const double left = medium.colorbar_left;
        const Box whole{left, place.top, left + medium.colorbar_width, place.bottom};
        frames.colorbar = between_arrows(whole, spec.colorbar_arrows);
    }
    if (has_legend) frames.legend = medium.legend_left;
    if (spec.aspect == Aspect::equal) {
        const double shape =
            std::fabs(spec.y.last - spec.y.first) / std::fabs(spec.x.last - spec.x.first);
        const bool is_at_right = spec.colorbar && count == 1;
        for (Box& axes : frames.axes) axes = shrunk(axes, shape, is_at_right);
    }
    return frames;
}

void add_frame(std::vector<Box>& lines, const Box& box, const Stroke& stroke) {
    const double left = stroke.middle(box.left), right = stroke.middle(box.right);
    const double top = stroke.middle(box.top), bottom = stroke.middle(box.bottom);
    const double half = stroke.half;
    for (const double x : {left, right}) {
        lines.push_back({x - half, top - half, x + half, bottom + half});
    }
    for (const double y : {top, bottom}) {
        lines.push_back({left - half, y - half, right + half, y + half});
    }
}

/// Adds ticks, outwards from the frames.
void add_ticks(std::vector<Box>& lines, const Labels& labels, const Medium& medium,
               const Stroke& stroke) {
    const double half = stroke.half;
    const auto length = [&](const PlacedTick& tick) {
        return nearest_pixel(tick.is_minor ? medium.minor_tick_length : medium.tick_length);
    };
    for (const PlacedTick& tick : labels.x_ticks) {
        const double x = stroke.middle(tick.pixel), bottom = stroke.middle(tick.edge);
        lines.push_back({x - half, bottom, x + half, bottom + length(tick)});
    }
    for (const PlacedTick& tick : labels.y_ticks) {
        const double y = stroke.middle(tick.pixel), left = stroke.middle(tick.edge);
        lines.push_back({left - length(tick), y - half, left, y + half});
    }
    for (const PlacedTick& tick : labels.colorbar_ticks) {
        const double y = stroke.middle(tick.pixel), right = stroke.middle(tick.edge);
        lines.push_back({right, y - half, right + length(tick), y + half});
    }
}

/// The pixels of an image in `box`; a fraction of a pixel counts as a whole one.
/// At 10 x 8 inches and 100 dpi the axes reach from 125 to 745.0000000000001, so that the image is
/// 621 pixels wide, the last of them under the frame, as in matplotlib.
PixelArea image_area(const Box& box) {
    const int width = std::max(1, static_cast<int>(std::ceil(box.width())));
    const int height = std::max(1, static_cast<int>(std::ceil(box.height())));
    return {nearest_pixel(box.left), nearest_pixel(box.bottom) - height, width, height};
}

PixelArea inside(const Box& box) {
    const int left = nearest_pixel(box.left), top = nearest_pixel(box.top);
    return {left, top, nearest_pixel(box.right) - left, nearest_pixel(box.bottom) - top};
}

}  // namespace

Layout lay_out(const FigureSpec& spec, const Medium& medium) {
    const Frames frames = make_frames(spec, medium);
    Labels labels = place_labels(spec, frames, medium);
    Layout layout{.width = medium.width,
                  .height = medium.height,
                  .dpi = medium.dpi,
                  .panels = {},
                  .colorbar = frames.colorbar,
                  .colorbar_body = {},
                  .sample_curves = std::move(labels.sample_curves),
                  .sample_bands = std::move(labels.sample_bands),
                  .lines = {},
                  .texts = {}};
    const Stroke stroke(medium.line_width);
    add_ticks(layout.lines, labels, medium, stroke);
    for (const Box& axes : frames.axes) {
        add_frame(layout.lines, axes, stroke);
        layout.panels.push_back({axes, image_area(axes)});
    }
    if (frames.colorbar) {
        add_frame(layout.lines, *frames.colorbar, stroke);
        layout.colorbar_body = inside(*frames.colorbar);
    }
    layout.texts = std::move(labels.texts);
    return layout;
}

}  // namespace pegen
