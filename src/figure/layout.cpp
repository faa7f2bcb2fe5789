#include "figure/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "figure/colorbar_arrows.h"
#include "figure/drafts.h"
#include "figure/stroke.h"
#include "figure/text_roles.h"

namespace pegen {
namespace {

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

/// Throws: UsageError that names the text if it cannot be drawn.
void check_text(TextRole role, const std::string& text, const Medium& medium) {
    try {
        medium.advance(text, medium.text_style);
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}: {}", part_of(role).name, error.what()));
    }
}

void check_texts(const FigureSpec& spec, const Medium& medium) {
    check_text(TextRole::title, spec.title, medium);
    check_text(TextRole::x_label, spec.x_label, medium);
    check_text(TextRole::y_label, spec.y_label, medium);
    if (spec.colorbar) check_text(TextRole::colorbar_label, spec.colorbar_label, medium);
    for (const std::string& title : spec.panels) check_text(TextRole::panel_title, title, medium);
    for (const LegendEntry& entry : spec.legend) check_text(TextRole::legend, entry.text, medium);
}

/// Throws: UsageError unless the panels are visible.
void check_panels(const Frames& frames, const Medium& medium) {
    if (has_visible_panels(frames)) return;
    throw UsageError(fmt::format(
        "a figure of {} x {} pixels: has no room for {} panels; make it larger, or choose one with "
        "--select",
        medium.width, medium.height, frames.axes.size()));
}

}  // namespace

Layout lay_out(const FigureSpec& spec, const Medium& medium) {
    check_texts(spec, medium);
    auto [drawn_on, frames, labels] = best_draft(spec, medium);
    check_panels(frames, medium);
    Layout layout{.width = medium.width,
                  .height = medium.height,
                  .dpi = medium.dpi,
                  .panels = {},
                  .colorbar = {},
                  .colorbar_body = {},
                  .sample_curves = std::move(labels.sample_curves),
                  .sample_bands = std::move(labels.sample_bands),
                  .lines = {},
                  .texts = std::move(labels.texts),
                  .left_out = std::move(labels.left_out)};
    const Stroke stroke(medium.line_width);
    add_ticks(layout.lines, labels, drawn_on, stroke);
    for (const Box& axes : frames.axes) {
        add_frame(layout.lines, axes, stroke);
        layout.panels.push_back({axes, image_area(axes)});
    }
    if (frames.colorbar) {
        layout.colorbar = between_arrows(*frames.colorbar, spec.colorbar_arrows);
        add_frame(layout.lines, *layout.colorbar, stroke);
        layout.colorbar_body = inside(*layout.colorbar);
    }
    return layout;
}

}  // namespace pegen
