#include "figure/labels.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace pegen {
namespace {

/// The texts placed so far, and the picture they must stay in.
struct Page {
    const Medium& medium;
    std::vector<PlacedText> texts{};
    std::vector<InkBox> inks{};
};

/// Rounds halves to even, like matplotlib.
int whole(double pixels) { return static_cast<int>(std::nearbyint(pixels)); }

int baseline_at(double pixels, const Medium& medium) {
    return medium.line_step * whole(pixels / medium.line_step);
}

bool touch(InkBox a, InkBox b, int gap) {
    return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom && b.top < a.bottom;
}

/// Places all of `texts` and returns true, or none of them if there is no room for one.
bool place(Page& page, const std::vector<PlacedText>& texts) {
    const int gap = whole(page.medium.text_gap);
    std::vector<InkBox> inks = page.inks;
    for (const PlacedText& text : texts) {
        const InkBox ink = placed_ink(text, page.medium);
        if (ink.left < 0 || ink.top < 0 || ink.right > page.medium.width ||
            ink.bottom > page.medium.height) {
            return false;
        }
        for (const InkBox& other : inks) {
            if (touch(ink, other, gap)) return false;
        }
        inks.push_back(ink);
    }
    page.inks = std::move(inks);
    page.texts.insert(page.texts.end(), texts.begin(), texts.end());
    return true;
}

/// Axes with the same scale and so with the same ticks.
struct TickedAxes {
    const Scale& scale;
    std::vector<Box> boxes;
    int intervals;  ///< the most there may be
    std::function<double(double value, const Box&)> pixel;
    std::function<double(const Box&)> edge;
    std::function<PlacedText(const Tick&, const Box&)> label;
};

/// Returns the finest ticks whose labels fit, and places the labels. If none fit, returns the ticks
/// of the finest step without labels.
std::vector<Tick> place_ticks(Page& page, const TickedAxes& axes) {
    for (int intervals = axes.intervals; intervals > 0; --intervals) {
        std::vector<Tick> ticks = ticks_of(axes.scale, intervals);
        std::vector<PlacedText> labels;
        for (const Box& box : axes.boxes) {
            for (const Tick& tick : ticks) {
                if (!tick.label.empty()) labels.push_back(axes.label(tick, box));
            }
        }
        if (place(page, labels)) return ticks;
    }
    std::vector<Tick> ticks = ticks_of(axes.scale, axes.intervals);
    for (Tick& tick : ticks) tick.label.clear();
    return ticks;
}

std::vector<PlacedTick> placed(const std::vector<Tick>& ticks, const TickedAxes& axes) {
    std::vector<PlacedTick> all;
    for (const Box& box : axes.boxes) {
        for (const Tick& tick : ticks) {
            all.push_back({axes.pixel(tick.value, box), axes.edge(box), tick.is_minor});
        }
    }
    return all;
}

bool has_labels(const std::vector<Tick>& ticks) {
    return std::any_of(ticks.begin(), ticks.end(),
                       [](const Tick& tick) { return !tick.label.empty(); });
}

/// Returns the width that the ticks and labels of an axis take, from the axis to the end of the widest
/// label.
double tick_room(const Medium& medium, const std::vector<Tick>& ticks) {
    double widest = 0;
    for (const Tick& tick : ticks) {
        if (tick.label.empty()) continue;
        widest =
            std::max(widest, medium.y_tick_pad + medium.advance(tick.label, medium.text_style));
    }
    return medium.tick_length + widest;
}

int most_intervals(double pixels, double pixels_per_tick) {
    constexpr double most = 9;
    return static_cast<int>(std::clamp(std::floor(pixels / pixels_per_tick), 1.0, most));
}

/// Where a text of `length` begins that is centred at `centre`, but stays in the picture.
double centred(double centre, double length, double picture) {
    return std::max(0.0, std::min(centre - length / 2, picture - length));
}

/// The baseline of a label whose middle is at a pixel of an upright axis. In a window the label
/// stays within the lines of the axis.
double baseline_beside(double pixel, const Box& box, const Medium& medium) {
    if (medium.is_window) pixel = std::clamp(pixel, box.top + 0.5, box.bottom - 0.5);
    return pixel + medium.line.ascent / 2.0;
}

double middle_across(const Box& box) { return (box.left + box.right) / 2; }

PlacedText across(const Medium& medium, TextRole role, const std::string& text, double x,
                  double y) {
    const bool is_title = role == TextRole::title;
    return {role,
            text,
            is_title ? medium.title_style : medium.text_style,
            whole(x),
            baseline_at(y, medium),
            Direction::rightwards};
}

/// A text centred across `box`.
PlacedText centred_across(const Medium& medium, TextRole role, const std::string& text,
                          const Box& box, double baseline) {
    const TextStyle& style = role == TextRole::title ? medium.title_style : medium.text_style;
    const double x = centred(middle_across(box), medium.advance(text, style), medium.width);
    return across(medium, role, text, x, baseline);
}

/// The label of an upright axis: a text that runs upwards, centred along `box`; in a window, a text
/// above it.
PlacedText upright(const Medium& medium, TextRole role, const std::string& text, double baseline,
                   const Box& box) {
    const double length = medium.advance(text, medium.text_style);
    if (medium.is_window) {
        const double x = role == TextRole::y_label ? 0 : medium.width - length;
        return across(medium, role, text, x, box.top);
    }
    const double top = centred((box.top + box.bottom) / 2, length, medium.height);
    return {
        role, text, medium.text_style, whole(baseline), whole(top + length), Direction::upwards};
}

double pixel_across(double value, const Scale& scale, const Box& box) {
    return box.left + share_of(value, scale) * box.width();
}

double pixel_upwards(double value, const Scale& scale, const Box& box) {
    return box.bottom - share_of(value, scale) * box.height();
}

TickedAxes x_axes(const Scale& scale, const std::vector<Box>& boxes, const Medium& medium) {
    const auto pixel = [&](double value, const Box& box) {
        return pixel_across(value, scale, box);
    };
    const auto label = [&, pixel](const Tick& tick, const Box& box) {
        const double length = medium.advance(tick.label, medium.text_style);
        return across(medium, TextRole::x_tick, tick.label, pixel(tick.value, box) - length / 2,
                      box.bottom + medium.tick_length + medium.x_tick_pad + medium.line.ascent);
    };
    return {scale,
            boxes,
            most_intervals(boxes.front().width(), medium.space_per_x_tick),
            pixel,
            [](const Box& box) { return box.bottom; },
            label};
}

TickedAxes y_axes(const Scale& scale, const std::vector<Box>& boxes, const Medium& medium) {
    const auto pixel = [&](double value, const Box& box) {
        return pixel_upwards(value, scale, box);
    };
    const auto label = [&, pixel](const Tick& tick, const Box& box) {
        const double length = medium.advance(tick.label, medium.text_style);
        return across(medium, TextRole::y_tick, tick.label,
                      box.left - medium.tick_length - medium.y_tick_pad - length,
                      baseline_beside(pixel(tick.value, box), box, medium));
    };
    return {scale,
            boxes,
            most_intervals(boxes.front().height(), medium.space_per_y_tick),
            pixel,
            [](const Box& box) { return box.left; },
            label};
}

TickedAxes colorbar_axis(const Scale& scale, const Box& bar, const Medium& medium) {
    const auto pixel = [&](double value, const Box& box) {
        return pixel_upwards(value, scale, box);
    };
    const auto label = [&, pixel](const Tick& tick, const Box& box) {
        return across(medium, TextRole::colorbar_tick, tick.label,
                      box.right + medium.tick_length + medium.y_tick_pad,
                      baseline_beside(pixel(tick.value, box), box, medium));
    };
    return {scale,
            {bar},
            most_intervals(bar.height(), medium.space_per_y_tick),
            pixel,
            [](const Box& box) { return box.right; },
            label};
}

/// Places the title, and higher up if it would touch something.
void place_title(Page& page, const std::string& title, const Box& axes) {
    const Medium& medium = page.medium;
    for (const double pad : {medium.title_pad, medium.raised_title_pad}) {
        if (place(page, {centred_across(medium, TextRole::title, title, axes, axes.top - pad)})) {
            return;
        }
    }
}

/// Adds the sample of a curve or band between two points of the entry's line.
void add_sample(Labels& labels, const LegendEntry& entry, Point left, Point right,
                const Medium& medium) {
    if (!entry.is_band) {
        labels.sample_curves.push_back({{left, right}, entry.colour, medium.curve_width});
        return;
    }
    const double half = medium.line.ascent / 2.0;
    labels.sample_bands.push_back({{{left.x, left.y - half}, {right.x, right.y - half}},
                                   {{left.x, left.y + half}, {right.x, right.y + half}},
                                   entry.colour});
}

void place_legend(Page& page, Labels& labels, const std::vector<LegendEntry>& entries,
                  Point corner) {
    const Medium& medium = page.medium;
    std::vector<PlacedText> texts;
    double baseline = corner.y + medium.line.ascent;
    for (const LegendEntry& entry : entries) {
        const double end = corner.x + medium.legend_line;
        texts.push_back(
            across(medium, TextRole::legend, entry.text, end + 2 * medium.text_gap, baseline));
        baseline += medium.legend_pitch;
    }
    if (!place(page, texts)) return;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double y = texts[i].y - medium.line.ascent / 2.0;
        add_sample(labels, entries[i], {corner.x, y}, {corner.x + medium.legend_line, y}, medium);
    }
}

void place_panel_titles(Page& page, const FigureSpec& spec, const Frames& frames) {
    for (std::size_t i = 0; i < spec.panels.size(); ++i) {
        if (spec.panels[i].empty()) continue;
        place(page, {centred_across(page.medium, TextRole::panel_title, spec.panels[i],
                                    frames.axes[i], frames.axes[i].top - page.medium.label_pad)});
    }
}

}  // namespace

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

Labels place_labels(const FigureSpec& spec, const Frames& frames, const Medium& medium) {
    Page page{medium};
    Labels labels;
    const TickedAxes x = x_axes(spec.x, frames.at_bottom(), medium);
    const TickedAxes y = y_axes(spec.y, frames.at_left(), medium);
    const std::vector<Tick> x_ticks = place_ticks(page, x);
    const std::vector<Tick> y_ticks = place_ticks(page, y);
    labels.x_ticks = placed(x_ticks, x);
    labels.y_ticks = placed(y_ticks, y);

    const Box hull = frames.hull();
    std::vector<PlacedText> names;
    const double x_room =
        medium.tick_length +
        (has_labels(x_ticks) ? medium.x_tick_pad + medium.line.ascent + medium.line.descent : 0);
    names.push_back(centred_across(medium, TextRole::x_label, spec.x_label, hull,
                                   hull.bottom + x_room + medium.label_pad + medium.line.ascent));
    const double title_room = panel_title_room(spec, medium);
    const Box hull_and_titles{hull.left, hull.top - title_room, hull.right, hull.bottom};
    names.push_back(
        upright(medium, TextRole::y_label, spec.y_label,
                hull.left - tick_room(medium, y_ticks) - medium.label_pad - medium.line.descent,
                medium.is_window ? hull_and_titles : hull));
    if (frames.colorbar) {
        const TickedAxes colorbar = colorbar_axis(*spec.colorbar, *frames.colorbar, medium);
        const std::vector<Tick> ticks = place_ticks(page, colorbar);
        labels.colorbar_ticks = placed(ticks, colorbar);
        names.push_back(upright(medium, TextRole::colorbar_label, spec.colorbar_label,
                                frames.colorbar->right + tick_room(medium, ticks) +
                                    medium.label_pad + medium.line.ascent,
                                *frames.colorbar));
    }
    if (frames.legend) place_legend(page, labels, spec.legend, {*frames.legend, hull.top});
    for (const PlacedText& name : names) {
        if (!name.text.empty()) place(page, {name});
    }
    place_panel_titles(page, spec, frames);
    if (!spec.title.empty()) {
        place_title(page, spec.title, hull_and_titles);
    }
    labels.texts = std::move(page.texts);
    return labels;
}

double panel_title_room(const FigureSpec& spec, const Medium& medium) {
    const bool has_titles = std::any_of(spec.panels.begin(), spec.panels.end(),
                                        [](const std::string& title) { return !title.empty(); });
    return has_titles ? medium.label_pad + medium.line.ascent : 0;
}

InkBox placed_ink(const PlacedText& text, const Medium& medium) {
    InkBox ink = medium.ink(text.text, text.style);
    if (text.direction == Direction::upwards) ink = turned(ink);
    return {text.x + ink.left, text.y + ink.top, text.x + ink.right, text.y + ink.bottom};
}

}  // namespace pegen
