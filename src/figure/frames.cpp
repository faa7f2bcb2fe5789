#include "figure/frames.h"

#include <algorithm>
#include <cmath>

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

namespace {

/// Returns the largest box of this shape (height / width) in `place`.
Box shrunk(const Box& place, double shape, bool is_at_right) {
    const double width = std::min(place.width(), place.height() / shape);
    const double height = std::min(place.height(), place.width() * shape);
    const double left =
        is_at_right ? place.right - width : place.left + (place.width() - width) / 2;
    const double top = place.top + (place.height() - height) / 2;
    return {left, top, left + width, top + height};
}

/// A length across and one down.
struct Size {
    double width;
    double height;
};

double gap_between_rows(double title_room, const Medium& medium) {
    const double below_frame = medium.has_own_size ? 2 : 1;
    return title_room > 0 ? title_room + below_frame * medium.line.descent : medium.panel_gap;
}

/// Returns the size of `count` panels in rows of `across` that fill `place`.
Size panel_size(const Box& place, std::size_t count, std::size_t across, double title_room,
                const Medium& medium) {
    const std::size_t down = (count + across - 1) / across;
    const auto share = [](double length, double gap, std::size_t parts) {
        return (length - gap * static_cast<double>(parts - 1)) / static_cast<double>(parts);
    };
    return {share(place.width(), medium.panel_gap, across),
            share(place.height() - title_room, gap_between_rows(title_room, medium), down)};
}

/// Returns `count` boxes in rows of `across`, with room for a title above each.
std::vector<Box> panel_grid(const Box& place, std::size_t count, std::size_t across,
                            double title_room, const Medium& medium) {
    const double gap_down = gap_between_rows(title_room, medium);
    const double top = place.top + title_room;
    auto [width, height] = panel_size(place, count, across, title_room, medium);
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

/// Returns the height / width of axes whose units are squares.
double shape_of(const FigureSpec& spec) {
    return std::fabs(spec.y.last - spec.y.first) / std::fabs(spec.x.last - spec.x.first);
}

/// Returns the number of panels across: as many as down, or one more; or, if that leaves fewer
/// places empty, more, as long as panels are not much higher than wide. Panels of equal aspect are
/// as large as they can be or, if that leaves fewer places empty, a little smaller.
std::size_t panels_across(const FigureSpec& spec, const Box& place, const Medium& medium) {
    constexpr double slenderness = 2.4;
    const std::size_t count = spec.panels.size();
    const auto down = [&](std::size_t across) { return (count + across - 1) / across; };
    if (spec.aspect == Aspect::equal) {
        const double title_room = panel_title_room(spec, medium);
        const auto width = [&](std::size_t across) {
            const Size size = panel_size(place, count, across, title_room, medium);
            return std::min(size.width, size.height / shape_of(spec));
        };
        std::size_t largest = 1;
        for (std::size_t across = 2; across <= count; ++across) {
            if (width(across) > width(largest)) largest = across;
        }
        constexpr double nearly = 0.9;
        std::size_t best = largest;
        for (std::size_t across = 1; across <= count; ++across) {
            const bool is_fuller = across * down(across) < best * down(best);
            if (is_fuller && width(across) >= nearly * width(largest)) best = across;
        }
        return best;
    }
    const auto is_wide_enough = [&](std::size_t across) {
        return static_cast<double>(across) * place.height() <=
               slenderness * static_cast<double>(down(across)) * place.width();
    };
    auto best = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    for (std::size_t across = best + 1; across <= count && is_wide_enough(across); ++across) {
        if (across * down(across) < best * down(best)) best = across;
    }
    return best;
}

/// Moves panels that equal aspect makes small together, beside the colour bar or to the middle.
void move_together(Frames& frames, const FigureSpec& spec, const Medium& medium) {
    const Box first = frames.axes.front();
    const double title_room = panel_title_room(spec, medium);
    const double pitch_across = first.width() + medium.panel_gap;
    const double pitch_down = first.height() + gap_between_rows(title_room, medium);
    const std::size_t down = (frames.axes.size() + frames.across - 1) / frames.across;
    const double width = static_cast<double>(frames.across) * pitch_across - medium.panel_gap;
    const double height = title_room + static_cast<double>(down - 1) * pitch_down + first.height();
    const double room = frames.place.width() - width;
    const double left = frames.place.left + (spec.colorbar ? room : room / 2);
    const double top = frames.place.top + (frames.place.height() - height) / 2 + title_room;
    for (std::size_t i = 0; i < frames.axes.size(); ++i) {
        const double x = left + static_cast<double>(i % frames.across) * pitch_across;
        const double y = top + static_cast<double>(i / frames.across) * pitch_down;
        frames.axes[i] = {x, y, x + first.width(), y + first.height()};
    }
}

/// Returns frames that have only the panels.
Frames panels_in(const Box& place, const FigureSpec& spec, const Medium& medium) {
    Frames frames{};
    frames.place = place;
    frames.middle = {0, 0, medium.width + 0.0, medium.height + 0.0};
    frames.page = {medium.edge, 0, medium.width - medium.edge, medium.height + 0.0};
    const std::size_t count = spec.panels.size();
    frames.across = panels_across(spec, place, medium);
    const double title_room = panel_title_room(spec, medium);
    frames.axes = count == 1 && title_room == 0
                      ? std::vector{place}
                      : panel_grid(place, count, frames.across, title_room, medium);
    if (spec.aspect == Aspect::equal) {
        const double shape = shape_of(spec);
        const bool is_at_right = spec.colorbar && count == 1;
        for (Box& axes : frames.axes) axes = shrunk(axes, shape, is_at_right);
        if (medium.has_own_size && count > 1) move_together(frames, spec, medium);
    }
    return frames;
}

/// Returns the height of a colour bar beside these axes, which are within `place`: that of the axes
/// or, beside flat axes, enough for some numbers.
Box height_beside(const Box& axes, const Box& place) {
    constexpr double least_share = 0.2;
    const double more = std::max(0.0, least_share * place.height() - axes.height()) / 2;
    return {axes.left, axes.top - more, axes.right, axes.bottom + more};
}

/// Returns the colour bar beside axes in their usual place. Unlike matplotlib's, it is no higher
/// than axes that equal aspect makes flat.
Box usual_colorbar(const Frames& frames, const FigureSpec& spec, const Medium& medium) {
    const bool may_be_flat = spec.aspect == Aspect::equal && !medium.is_window;
    const Box place = may_be_flat ? height_beside(frames.hull(), medium.axes_beside_colorbar)
                                  : medium.axes_beside_colorbar;
    return {medium.colorbar_left, place.top, medium.colorbar_left + medium.colorbar_width,
            place.bottom};
}

/// Returns the colour bar to the right of `place`.
Box colorbar_beside(const Box& place, const Medium& medium) {
    constexpr double slenderness = 20;
    const double width =
        std::max(medium.colorbar_gap, std::min<double>(place.height(), medium.width) / slenderness);
    const double left = place.right + width;
    return {left, place.top, left + width, place.bottom};
}

/// Returns the left edge of a legend in its usual place. In a window the legend is as wide as its
/// names need, but leaves half of the window to the axes.
double legend_left(const LegendGrid& grid, const Medium& medium) {
    if (!medium.is_window) return medium.legend_left;
    return std::min(medium.legend_left, std::max(medium.width - grid.width, medium.width / 2.0));
}

/// Returns a legend in the first corner of the axes that the curves leave empty.
std::optional<PlacedLegend> legend_inside(const Box& axes, const FigureSpec& spec,
                                          const Medium& medium) {
    const LegendGrid grid = legend_grid(spec.legend, 1, medium);
    const double from_frame = 1.5 * medium.label_pad;
    const double from_curves = medium.label_pad + medium.curve_width / 2;
    const double width = grid.width + 2 * from_frame, height = grid.height + 2 * from_frame;
    if (width > axes.width() || height > axes.height()) return std::nullopt;
    const double right = axes.right - from_frame - grid.width, left = axes.left + from_frame;
    const double top = axes.top + from_frame, bottom = axes.bottom - from_frame - grid.height;
    for (const Point corner : {Point{right, top}, {left, top}, {right, bottom}, {left, bottom}}) {
        const bool is_taken = std::ranges::any_of(spec.drawn, [&](const Box& share) {
            return axes.left + share.left * axes.width() < corner.x + grid.width + from_curves &&
                   axes.left + share.right * axes.width() > corner.x - from_curves &&
                   axes.top + share.top * axes.height() < corner.y + grid.height + from_curves &&
                   axes.top + share.bottom * axes.height() > corner.y - from_curves;
        });
        if (!is_taken) return PlacedLegend{grid, LegendPlace::inside, corner.x, corner.y};
    }
    return std::nullopt;
}

}  // namespace

Frames usual_frames(const FigureSpec& spec, const Medium& medium) {
    Box place = medium.axes_alone;
    std::optional<PlacedLegend> legend;
    if (spec.colorbar) {
        place = medium.axes_beside_colorbar;
    } else if (!spec.legend.empty() && medium.legend_left > 0) {
        const LegendGrid grid = legend_grid(spec.legend, 1, medium);
        legend = PlacedLegend{grid, LegendPlace::beside, legend_left(grid, medium), place.top};
        place = medium.axes_beside_legend;
        place.right -= medium.legend_left - legend->left;
    }
    Frames frames = panels_in(place, spec, medium);
    frames.legend = legend;
    if (spec.colorbar && medium.colorbar_width >= medium.least_colorbar) {
        frames.colorbar = usual_colorbar(frames, spec, medium);
    }
    return frames;
}

Frames frames_in(const Box& place, LegendPlace legend, const FigureSpec& spec,
                 const Medium& medium) {
    Frames frames = panels_in(place, spec, medium);
    if (spec.colorbar) {
        // Axes that equal aspect makes narrow are centred together with the colour bar beside them.
        const double shift = (frames.hull().left - place.left) / 2;
        for (Box& axes : frames.axes)
            axes = {axes.left - shift, axes.top, axes.right - shift, axes.bottom};
        const Box high = height_beside(frames.hull(), place);
        frames.colorbar =
            colorbar_beside({place.left, high.top, place.right - shift, high.bottom}, medium);
    }
    if (spec.legend.empty()) return frames;
    if (legend == LegendPlace::inside) {
        frames.legend = legend_inside(frames.axes.front(), spec, medium);
    } else if (legend == LegendPlace::below) {
        const double width = medium.width - 2 * medium.edge;
        const LegendGrid grid = legend_within_width(spec.legend, width, medium);
        const double left = place.left + (place.width() - grid.width) / 2;
        frames.legend = {grid, legend,
                         std::clamp(left, medium.edge,
                                    std::max(medium.edge, medium.width - medium.edge - grid.width)),
                         place.bottom};
    } else {
        frames.legend = {legend_within_height(spec.legend, place.height(), medium), legend,
                         place.right + 2 * medium.colorbar_gap, frames.hull().top};
    }
    return frames;
}

Box Frames::hull() const {
    Box all = axes.front();
    for (const Box& box : axes) {
        all = {std::min(all.left, box.left), std::min(all.top, box.top),
               std::max(all.right, box.right), std::max(all.bottom, box.bottom)};
    }
    return all;
}

std::vector<Box> Frames::at_left() const {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < axes.size(); i += across) boxes.push_back(axes[i]);
    return boxes;
}

std::vector<Box> Frames::at_bottom() const {
    const std::size_t count = std::min(across, axes.size());
    return {axes.end() - static_cast<std::ptrdiff_t>(count), axes.end()};
}

double panel_title_room(const FigureSpec& spec, const Medium& medium) {
    const bool has_titles = std::any_of(spec.panels.begin(), spec.panels.end(),
                                        [](const std::string& title) { return !title.empty(); });
    return has_titles ? medium.label_pad + medium.line.ascent : 0;
}

}  // namespace pegen
