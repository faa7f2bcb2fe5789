#include "figure/labels.h"

#include <algorithm>
#include <cmath>

#include "figure/wrapping.h"

namespace pegen {
namespace {

std::vector<PlacedTick> placed(const std::vector<Tick>& ticks, const TickedAxes& axes) {
    std::vector<PlacedTick> all;
    for (const Box& box : axes.boxes) {
        for (const Tick& tick : ticks) {
            all.push_back({axes.pixel(tick.value, box), axes.edge(box), tick.is_minor});
        }
    }
    return all;
}

/// A text centred across `box`, between the ends of `bounds`.
PlacedText centred_across(const Medium& medium, TextRole role, const std::string& text,
                          const Box& box, const Box& bounds, double baseline) {
    const TextStyle& style = role == TextRole::title ? medium.title_style : medium.text_style;
    const double length = medium.advance(text, style);
    const double x = centred((box.left + box.right) / 2, length, bounds.left, bounds.right);
    return across(medium, role, text, x, baseline);
}

/// A line of the label of an upright axis: a text that runs upwards, centred along `box`; in a
/// window, a text above it.
PlacedText upright(const Medium& medium, TextRole role, const std::string& text, double baseline,
                   const Box& box, const Box& bounds) {
    const double length = medium.advance(text, medium.text_style);
    if (medium.is_window) {
        const double x = role == TextRole::y_label ? 0 : medium.width - length;
        return across(medium, role, text, x, box.top);
    }
    const double top = centred((box.top + box.bottom) / 2, length, bounds.top, bounds.bottom);
    return {
        role, text, medium.text_style, whole(baseline), whole(top + length), Direction::upwards};
}

/// Calls line_at(line, distance) with each line of a block and the distance of its baseline from
/// the first one's, and returns the texts.
template <class LineAt>
std::vector<PlacedText> lines_of(const TextBlock& block, LineAt&& line_at) {
    std::vector<PlacedText> texts;
    for (const std::string& line : block.lines) {
        texts.push_back(line_at(line, static_cast<double>(texts.size()) * block.pitch));
    }
    return texts;
}

/// From the first baseline of a block to the last.
double last_baseline(const TextBlock& block) {
    return static_cast<double>(std::max<std::size_t>(block.lines.size(), 1) - 1) * block.pitch;
}

/// Places the title, and higher up if it would touch something.
bool place_title(Page& page, const TextBlock& title, const Box& axes, const Frames& frames) {
    const Medium& medium = page.medium;
    const double above_power = 2 * medium.title_pad + medium.line.ascent;
    for (const double pad : {medium.title_pad, medium.raised_title_pad, above_power}) {
        const double first = axes.top - pad - last_baseline(title);
        if (place(page, lines_of(title, [&](const std::string& line, double distance) {
                      return centred_across(medium, TextRole::title, line, axes, frames.page,
                                            first + distance);
                  }))) {
            return true;
        }
    }
    return false;
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

/// Shortens names to what a window has room for.
std::vector<LegendEntry> shown_entries(std::vector<LegendEntry> entries, const PlacedLegend& legend,
                                       const Medium& medium) {
    if (!medium.is_window) return entries;
    const double room = medium.width - legend.left - medium.legend_line - 2 * medium.text_gap;
    for (LegendEntry& entry : entries) entry.text = shortened(entry.text, static_cast<int>(room));
    return entries;
}

bool place_legend(Page& page, Labels& labels, const std::vector<LegendEntry>& entries,
                  const LegendGrid& grid, Point corner) {
    const Medium& medium = page.medium;
    const std::vector<PlacedText> texts = legend_texts(entries, grid, corner, medium);
    if (!place(page, texts)) return false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double y = texts[i].y - medium.line.ascent / 2.0;
        const double x = corner.x + static_cast<double>(i / grid.rows) * grid.pitch;
        add_sample(labels, entries[i], {x, y}, {x + medium.legend_line, y}, medium);
    }
    return true;
}

bool place_panel_titles(Page& page, const FigureSpec& spec, const Frames& frames) {
    bool are_all_placed = true;
    for (std::size_t i = 0; i < spec.panels.size(); ++i) {
        if (spec.panels[i].empty()) continue;
        const Box& axes = frames.axes[i];
        are_all_placed &=
            place(page, {centred_across(page.medium, TextRole::panel_title, spec.panels[i], axes,
                                        frames.page, axes.top - page.medium.label_pad)});
    }
    return are_all_placed;
}

bool lacks_labels(const LabelledTicks& ticks) {
    return !ticks.ticks.empty() && ticks.labels.empty();
}

}  // namespace

AxesTicks place_axes_ticks(Page& page, const FigureSpec& spec, const Frames& frames,
                           const Medium& medium) {
    AxesTicks ticks;
    ticks.x = place_ticks(page, x_axes(spec.x, frames.at_bottom(), medium));
    ticks.y = place_ticks(page, y_axes(spec.y, frames.at_left(), medium));
    if (frames.colorbar) {
        ticks.colorbar = place_ticks(page, colorbar_axis(*spec.colorbar, *frames.colorbar, medium));
    }
    return ticks;
}

Labels place_labels(const FigureSpec& spec, const Names& names, const Frames& frames,
                    const Medium& medium) {
    Page page{medium, {0, 0, medium.width + 0.0, medium.height + 0.0}};
    Labels labels;
    const auto require = [&](bool is_placed, TextRole role) {
        if (!is_placed) labels.left_out.push_back(role);
    };
    const AxesTicks ticks = place_axes_ticks(page, spec, frames, medium);
    labels.x_ticks = placed(ticks.x.ticks, x_axes(spec.x, frames.at_bottom(), medium));
    labels.y_ticks = placed(ticks.y.ticks, y_axes(spec.y, frames.at_left(), medium));
    require(!lacks_labels(ticks.x), TextRole::x_tick);
    require(!lacks_labels(ticks.y), TextRole::y_tick);
    if (frames.colorbar) {
        labels.colorbar_ticks =
            placed(ticks.colorbar.ticks, colorbar_axis(*spec.colorbar, *frames.colorbar, medium));
    }
    require(frames.colorbar ? !lacks_labels(ticks.colorbar) : !spec.colorbar,
            TextRole::colorbar_tick);

    const Box hull = frames.hull();
    const double x_baseline =
        hull.bottom + tick_room_below(ticks.x, medium) + medium.label_pad + medium.line.ascent;
    if (frames.legend) {
        const double below = names.x_label.lines.empty()
                                 ? x_baseline - medium.line.ascent
                                 : x_baseline + last_baseline(names.x_label) + medium.line.descent +
                                       2 * medium.label_pad;
        const Point corner{frames.legend->left, frames.legend->is_below ? below : hull.top};
        require(place_legend(page, labels, shown_entries(spec.legend, *frames.legend, medium),
                             frames.legend->grid, corner),
                TextRole::legend);
    } else {
        require(spec.legend.empty(), TextRole::legend);
    }
    require(place(page, lines_of(names.x_label,
                                 [&](const std::string& line, double distance) {
                                     return centred_across(medium, TextRole::x_label, line, hull,
                                                           frames.middle, x_baseline + distance);
                                 })),
            TextRole::x_label);
    const Box hull_and_titles{hull.left, hull.top - panel_title_room(spec, medium), hull.right,
                              hull.bottom};
    const double y_baseline = hull.left - tick_room(ticks.y, medium) - medium.label_pad -
                              medium.line.descent - last_baseline(names.y_label);
    require(place(page, lines_of(names.y_label,
                                 [&](const std::string& line, double distance) {
                                     return upright(
                                         medium, TextRole::y_label, line, y_baseline + distance,
                                         medium.is_window ? hull_and_titles : hull, frames.middle);
                                 })),
            TextRole::y_label);
    if (frames.colorbar) {
        const double baseline = frames.colorbar->right + tick_room(ticks.colorbar, medium) +
                                medium.label_pad + medium.line.ascent;
        require(place(page, lines_of(names.colorbar_label,
                                     [&](const std::string& line, double distance) {
                                         return upright(medium, TextRole::colorbar_label, line,
                                                        baseline + distance, *frames.colorbar,
                                                        frames.middle);
                                     })),
                TextRole::colorbar_label);
    }
    require(place_panel_titles(page, spec, frames), TextRole::panel_title);
    require(place_title(page, names.title, hull_and_titles, frames), TextRole::title);
    labels.texts = std::move(page.texts);
    return labels;
}

double titles_room(const Names& names, const AxesTicks& ticks, const Medium& medium) {
    const double power = std::max(power_room(ticks.y, medium), power_room(ticks.colorbar, medium));
    if (names.title.lines.empty()) return power;
    const double above = names.title.line.ascent + last_baseline(names.title);
    return above + (power > 0 ? power + medium.title_pad : medium.raised_title_pad);
}

}  // namespace pegen
