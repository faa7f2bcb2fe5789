#include "pegen/figure/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figure/labels.h"
#include "pegen/core/error.h"

namespace pegen {
namespace {

// Shares of the picture.
constexpr double left_edge = 0.125;
constexpr double right_edge = 0.9;
constexpr double bottom_edge = 0.11;
constexpr double top_edge = 0.88;
// Shares of the width between the edges.
constexpr double colorbar_place = 0.15;
constexpr double colorbar_gap = 0.05;
constexpr double colorbar_aspect = 20;

constexpr int least_pixels = 50;
constexpr double least_colorbar = 4;
constexpr double most_pixels = 1 << 28;

/// The pixel whose left (or upper) edge is nearest.
int nearest_pixel(double edge) { return static_cast<int>(std::floor(edge + 0.5)); }

Frames make_frames(const FigureSpec& spec, int width, int height) {
    Frames frames{static_cast<double>(width), static_cast<double>(height), spec.dpi, {}, {}};
    const double wide = right_edge - left_edge;
    const auto x = [&](double share) { return (left_edge + share * wide) * frames.width; };
    const double top = frames.height - top_edge * frames.height;
    const double bottom = frames.height - bottom_edge * frames.height;
    frames.axes = {x(0), top, x(1 - (colorbar_place + colorbar_gap)), bottom};

    const double left = x(1 - colorbar_place);
    const double bar = std::min(right_edge * frames.width - left, (bottom - top) / colorbar_aspect);
    if (bar >= least_colorbar) frames.colorbar = Box{left, top, left + bar, bottom};

    if (spec.aspect == Aspect::equal) {
        Box& axes = frames.axes;
        const double shape = static_cast<double>(spec.rows) / static_cast<double>(spec.columns);
        const double shrunk_width = std::min(axes.width(), axes.height() / shape);
        const double shrunk_height = std::min(axes.height(), axes.width() * shape);
        // Beside the colour bar rather than in the middle.
        axes.left = axes.right - shrunk_width;
        axes.top += (axes.height() - shrunk_height) / 2;
        axes.bottom = axes.top + shrunk_height;
    }
    return frames;
}

/// A line's place across its direction: lines of an odd number of pixels have their middle on the
/// middle of a pixel, even ones between two.
struct Stroke {
    double half;
    double shift;

    explicit Stroke(double dpi) {
        const double width = in_pixels(line_width, dpi);
        half = width / 2;
        shift = std::max(1L, std::lround(width)) % 2 == 1 ? 0.5 : 0;
    }
    double middle(double edge) const { return nearest_pixel(edge) + shift; }
};

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

/// Ticks, outwards from the frames.
void add_ticks(std::vector<Box>& lines, const Frames& frames, const Labels& labels,
               const Stroke& stroke) {
    const double length = nearest_pixel(in_pixels(tick_length, frames.dpi));
    const double half = stroke.half;
    const double bottom = stroke.middle(frames.axes.bottom);
    for (const double tick : labels.x_ticks) {
        const double x = stroke.middle(tick);
        lines.push_back({x - half, bottom, x + half, bottom + length});
    }
    const double left = stroke.middle(frames.axes.left);
    for (const double tick : labels.y_ticks) {
        const double y = stroke.middle(tick);
        lines.push_back({left - length, y - half, left, y + half});
    }
    for (const double tick : labels.colorbar_ticks) {
        const double right = stroke.middle(frames.colorbar->right);
        const double y = stroke.middle(tick);
        lines.push_back({right, y - half, right + length, y + half});
    }
}

/// The pixels of an image in `box`: any fraction of a pixel counts as a whole one.
/// At 10 x 8 inches and 100 dpi the axes reach from 125 to 745.0000000000001, so that the image is
/// 621 pixels wide, the last under the frame; matplotlib's is, too.
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

void check_picture_size(double width, double height) {
    if (width * height > most_pixels) {
        throw UsageError(fmt::format(
            "a picture of {:.0f} x {:.0f} pixels: must have at most 2^28 pixels, such as "
            "16384 x 16384",
            width, height));
    }
}

Layout lay_out(const FigureSpec& spec) {
    const double wide = std::round(spec.inches_wide * spec.dpi);
    const double high = std::round(spec.inches_high * spec.dpi);
    if (std::min(wide, high) < least_pixels) {
        throw UsageError(
            fmt::format("a figure of {:.0f} x {:.0f} pixels: must have at least {} x {} pixels to "
                        "hold axes; give a larger --figsize or --dpi, or --no-axes",
                        wide, high, least_pixels, least_pixels));
    }
    check_picture_size(wide, high);
    Layout layout{.width = static_cast<int>(wide),
                  .height = static_cast<int>(high),
                  .dpi = spec.dpi,
                  .axes = {},
                  .body = {},
                  .colorbar = {},
                  .colorbar_body = {},
                  .lines = {},
                  .texts = {}};
    const Frames frames = make_frames(spec, layout.width, layout.height);
    Labels labels = place_labels(spec, frames);
    const Stroke stroke(spec.dpi);
    add_ticks(layout.lines, frames, labels, stroke);
    add_frame(layout.lines, frames.axes, stroke);
    layout.axes = frames.axes;
    layout.body = image_area(frames.axes);
    if (frames.colorbar) {
        add_frame(layout.lines, *frames.colorbar, stroke);
        layout.colorbar = frames.colorbar;
        layout.colorbar_body = inside(*frames.colorbar);
    }
    layout.texts = std::move(labels.texts);
    return layout;
}

}  // namespace pegen
