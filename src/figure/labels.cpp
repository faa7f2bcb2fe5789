#include "figure/labels.h"

#include <algorithm>

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

/// Returns the middle of a block that is centred along a box but stays within bounds.
double middle_of(const TextBlock& block, double first, double last, double least, double most) {
    return centred((first + last) / 2, block.length, least, most) + block.length / 2;
}

/// Returns the lines of a block centred across `box`, the first line on `baseline`.
std::vector<PlacedText> lines_across(const TextBlock& block, const Box& box, const Box& bounds,
                                     double baseline, const Medium& medium) {
    const double middle = middle_of(block, box.left, box.right, bounds.left, bounds.right);
    std::vector<PlacedText> texts;
    for (const std::string& line : block.lines) {
        texts.push_back(across(medium, block.role, line,
                               middle - medium.advance(line, block.style) / 2, baseline));
        texts.back().style = block.style;
        baseline += block.pitch;
    }
    return texts;
}

/// Returns the label of an upright axis: lines that run upwards, centred along `box`; in a window,
/// a single text above the box.
std::vector<PlacedText> lines_upwards(const TextBlock& block, const Box& box, const Box& bounds,
                                      double baseline, const Medium& medium) {
    if (medium.is_window) {
        if (block.lines.empty()) return {};
        const double x = block.role == TextRole::y_label ? 0 : medium.width - block.length;
        return {across(medium, block.role, block.lines.front(), x, box.top)};
    }
    const double middle = middle_of(block, box.top, box.bottom, bounds.top, bounds.bottom);
    std::vector<PlacedText> texts;
    for (const std::string& line : block.lines) {
        const double bottom = middle + medium.advance(line, block.style) / 2;
        texts.push_back(
            {block.role, line, block.style, whole(baseline), whole(bottom), Direction::upwards});
        baseline += block.pitch;
    }
    return texts;
}

/// Places the title; places it higher if it would touch something, since a colour bar may be higher
/// than the axes.
bool place_title(Page& page, const TextBlock& title, const Box& axes, const Frames& frames) {
    const Medium& medium = page.medium;
    if (title.length > frames.page.width()) return false;
    const double above_power = 2 * medium.title_pad + medium.line.ascent;
    const double highest = frames.colorbar ? std::min(axes.top, frames.colorbar->top) : axes.top;
    for (const double top : {axes.top, highest}) {
        for (const double pad : {medium.title_pad, medium.raised_title_pad, above_power}) {
            const double baseline = top - pad - title.last_baseline();
            if (place(page, lines_across(title, axes, frames.page, baseline, medium))) return true;
        }
    }
    return false;
}

/// Places the label of the x axis; places it lower if it would touch the colour bar.
bool place_x_label(Page& page, const TextBlock& label, const Frames& frames, double baseline) {
    const Box hull = frames.hull();
    const double lower = frames.colorbar ? std::max(0.0, frames.colorbar->bottom - hull.bottom) : 0;
    for (const double down : {0.0, lower}) {
        if (place(page, lines_across(label, hull, frames.middle, baseline + down, page.medium))) {
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

/// Shortens the names of a legend to the room that a window has.
std::vector<LegendEntry> shown_entries(std::vector<LegendEntry> entries, const PlacedLegend& legend,
                                       const Medium& medium) {
    if (!medium.is_window) return entries;
    const double room = medium.width - legend.left - medium.legend_line - 2 * medium.text_gap;
    for (LegendEntry& entry : entries) entry.text = shortened(entry.text, static_cast<int>(room));
    return entries;
}

/// Places a legend; a legend below the axes has its top at `below`.
bool place_legend(Page& page, Labels& labels, const std::vector<LegendEntry>& all,
                  const Frames& frames, double below) {
    if (all.empty() || !frames.legend) return all.empty();
    const Medium& medium = page.medium;
    const auto& [grid, where, left, top] = *frames.legend;
    const Point corner{left, where == LegendPlace::below ? below : top};
    const std::vector<LegendEntry> entries = shown_entries(all, *frames.legend, medium);
    const std::vector<PlacedText> texts = legend_texts(entries, grid, corner, medium);
    if (where == LegendPlace::inside) {
        page.texts.insert(page.texts.end(), texts.begin(), texts.end());
    } else if (!place(page, texts)) {
        return false;
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double y = texts[i].y - medium.line.ascent / 2.0;
        const double x = corner.x + static_cast<double>(i / grid.rows) * grid.pitch;
        add_sample(labels, entries[i], {x, y}, {x + medium.legend_line, y}, medium);
    }
    return true;
}

bool place_panel_titles(Page& page, const FigureSpec& spec, const Frames& frames) {
    const Medium& medium = page.medium;
    bool are_all_placed = true;
    for (std::size_t i = 0; i < spec.panels.size(); ++i) {
        if (spec.panels[i].empty()) continue;
        const TextBlock title = text_block(TextRole::panel_title, spec.panels[i], medium);
        const Box& axes = frames.axes[i];
        are_all_placed &= place(
            page, lines_across(title, axes, frames.page, axes.top - medium.label_pad, medium));
    }
    return are_all_placed;
}

/// The first baselines of the axis labels.
struct Baselines {
    double x;
    double y;
    double colorbar;
    double below;  ///< the top of the parts below the label of the x axis
};

Baselines baselines_of(const Names& names, const AxesTicks& ticks, const Frames& frames,
                       const Medium& medium) {
    const Box hull = frames.hull();
    const double below_ticks = hull.bottom + tick_room_below(ticks.x, medium) + medium.label_pad;
    const double label = names.x_label.thickness();
    return {.x = below_ticks + medium.line.ascent,
            .y = hull.left - tick_room(ticks.y, medium) - medium.label_pad - medium.line.descent -
                 names.y_label.last_baseline(),
            .colorbar = frames.colorbar
                            ? frames.colorbar->right + tick_room(ticks.colorbar, medium) +
                                  medium.label_pad + medium.line.ascent
                            : 0,
            .below = below_ticks + (label > 0 ? label + 2 * medium.label_pad : 0)};
}

bool lacks_labels(const LabelledTicks& ticks) {
    return !ticks.ticks.empty() && ticks.labels.empty();
}

}  // namespace

AxesTicks place_axes_ticks(Page& page, const FigureSpec& spec, const Frames& frames,
                           const Medium& medium) {
    AxesTicks ticks;
    TickedAxes x = x_axes(spec.x, frames.at_bottom(), medium);
    TickedAxes y = y_axes(spec.y, frames.at_left(), medium);
    // Two axes that count the same have the same steps.
    const bool is_square = spec.aspect == Aspect::equal && !spec.x.axis && !spec.y.axis &&
                           spec.x.first == spec.y.last && spec.x.last == spec.y.first;
    if (is_square) x.intervals = y.intervals = std::min(x.intervals, y.intervals);
    ticks.x = place_ticks(page, x);
    ticks.y = place_ticks(page, y);
    if (frames.colorbar) {
        ticks.colorbar = place_ticks(page, colorbar_axis(spec, *frames.colorbar, medium));
    }
    return ticks;
}

Labels place_labels(const FigureSpec& spec, const Names& names, const Frames& frames,
                    const Medium& medium) {
    Page page{medium, {0, 0, medium.width + 0.0, medium.height + 0.0}};
    for (const Box& axes : frames.axes) take(page, axes);
    if (frames.colorbar) take(page, *frames.colorbar);
    Labels labels;
    const auto require = [&](bool is_placed, TextRole role) {
        if (!is_placed) labels.left_out.push_back(role);
    };
    const AxesTicks ticks = place_axes_ticks(page, spec, frames, medium);
    labels.x_ticks = placed(ticks.x.ticks, x_axes(spec.x, frames.at_bottom(), medium));
    labels.y_ticks = placed(ticks.y.ticks, y_axes(spec.y, frames.at_left(), medium));
    if (frames.colorbar) {
        labels.colorbar_ticks =
            placed(ticks.colorbar.ticks, colorbar_axis(spec, *frames.colorbar, medium));
    }
    require(!lacks_labels(ticks.x), TextRole::x_tick);
    require(!lacks_labels(ticks.y), TextRole::y_tick);
    require(frames.colorbar ? !lacks_labels(ticks.colorbar) : !spec.colorbar,
            TextRole::colorbar_tick);

    const Baselines baselines = baselines_of(names, ticks, frames, medium);
    require(place_legend(page, labels, spec.legend, frames, baselines.below), TextRole::legend);
    const Box hull = frames.hull();
    const Box hull_and_titles{hull.left, hull.top - panel_title_room(spec, medium), hull.right,
                              hull.bottom};
    require(place_x_label(page, names.x_label, frames, baselines.x), TextRole::x_label);
    require(place(page, lines_upwards(names.y_label, medium.is_window ? hull_and_titles : hull,
                                      frames.middle, baselines.y, medium)),
            TextRole::y_label);
    if (frames.colorbar) {
        require(place(page, lines_upwards(names.colorbar_label, *frames.colorbar, frames.middle,
                                          baselines.colorbar, medium)),
                TextRole::colorbar_label);
    } else {
        require(!spec.colorbar || spec.colorbar_label.empty(), TextRole::colorbar_label);
    }
    require(place_panel_titles(page, spec, frames), TextRole::panel_title);
    require(place_title(page, names.title, hull_and_titles, frames), TextRole::title);
    labels.texts = std::move(page.texts);
    return labels;
}

double titles_room(const Names& names, const AxesTicks& ticks, const Medium& medium) {
    const double power = std::max(power_room(ticks.y, medium), power_room(ticks.colorbar, medium));
    if (names.title.lines.empty()) return power;
    const double above = names.title.line.ascent + names.title.last_baseline();
    return above + (power > 0 ? power + medium.title_pad : medium.raised_title_pad);
}

}  // namespace pegen
