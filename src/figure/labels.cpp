#include "figure/labels.h"

#include <algorithm>
#include <cmath>

#include "figure/colorbar.h"
#include "figure/wrapping.h"

namespace pegen {
namespace {

/// Returns the style, made smaller until a text of this length is no longer than `limit`, but not
/// below 6 points.
TextStyle smaller(TextStyle style, double length, double limit) {
    constexpr double least_points = 6;
    style.points = std::max(std::min(least_points, style.points), style.points * limit / length);
    return style;
}

/// Returns the width that the label of an upright axis takes from the edge of the picture.
double width_at_edge(const TextBlock& label, const Medium& medium) {
    return medium.edge + (label.lines.empty() ? 0 : label.thickness() + medium.text_gap);
}

/// Returns the names in a window, where both labels of upright axes share one line.
Names window_names(const FigureSpec& spec, const Medium& medium) {
    const int width = medium.width;
    const bool has_bar = spec.colorbar && medium.colorbar_width >= medium.least_colorbar;
    const auto length = [&](const std::string& text) {
        return static_cast<int>(medium.advance(text, medium.text_style));
    };
    const int gap = static_cast<int>(medium.text_gap);
    const int of_bar =
        has_bar && !spec.colorbar_label.empty() ? length(spec.colorbar_label) + gap : 0;
    const int of_y = std::max(width / 2, width - of_bar);
    return {text_block(TextRole::title, spec.title, medium, width),
            text_block(TextRole::x_label, spec.x_label, medium, width),
            text_block(TextRole::y_label, spec.y_label, medium, of_y),
            text_block(TextRole::colorbar_label, spec.colorbar_label, medium,
                       width - gap - std::min(of_y, length(spec.y_label)))};
}

}  // namespace

double TextBlock::last_baseline() const {
    return static_cast<double>(std::max<std::size_t>(lines.size(), 1) - 1) * pitch;
}

double TextBlock::thickness() const {
    if (lines.empty()) return 0;
    return line.ascent + last_baseline() + line.descent;
}

TextBlock text_block(TextRole role, const std::string& text, const Medium& medium, double limit) {
    if (medium.is_window) limit = std::min<double>(limit, medium.width);
    const bool is_title = role == TextRole::title;
    TextBlock all{role,
                  {},
                  is_title ? medium.title_style : medium.text_style,
                  is_title ? medium.title_line : medium.line,
                  0,
                  0};
    constexpr double spacing = 1.25;
    all.pitch = spacing * (all.line.ascent + all.line.descent);
    if (text.empty()) return all;
    if (medium.is_window) {
        all.lines = {shortened(text, static_cast<int>(limit))};
        all.length = medium.advance(all.lines.front(), all.style);
        return all;
    }
    const auto length = [&](std::string_view line) { return medium.advance(line, all.style); };
    const auto longest = [&] {
        double most = 0;
        for (const std::string& line : all.lines) most = std::max(most, length(line));
        return most;
    };
    const double whole = length(text);
    if (whole > limit) limit -= 2 * medium.edge;
    // A text of more lines has no room anyhow.
    constexpr double most_lines = 40;
    all.lines = whole > most_lines * limit ? std::vector{text} : wrapped(text, limit, length);
    all.length = longest();
    if (all.length > limit) {
        all.style = smaller(all.style, all.length, limit);
        all.length = longest();
    }
    return all;
}

Names usual_names(const FigureSpec& spec, const Medium& medium) {
    if (medium.is_window) return window_names(spec, medium);
    return {text_block(TextRole::title, spec.title, medium, medium.width),
            text_block(TextRole::x_label, spec.x_label, medium, medium.width),
            text_block(TextRole::y_label, spec.y_label, medium, medium.height),
            text_block(TextRole::colorbar_label, spec.colorbar_label, medium, medium.height)};
}

Names fitted_names(const FigureSpec& spec, const Medium& medium) {
    Names names{};
    names.title = text_block(TextRole::title, spec.title, medium, medium.width);
    const double upright = between(names, medium).height();
    names.y_label = text_block(TextRole::y_label, spec.y_label, medium, upright);
    if (spec.colorbar) {
        names.colorbar_label =
            text_block(TextRole::colorbar_label, spec.colorbar_label, medium, upright);
    }
    names.x_label =
        text_block(TextRole::x_label, spec.x_label, medium, between(names, medium).width());
    return names;
}

Box between(const Names& names, const Medium& medium) {
    const double title = names.title.lines.empty() ? 0 : names.title.thickness() + medium.text_gap;
    return {width_at_edge(names.y_label, medium), medium.edge + title,
            medium.width - width_at_edge(names.colorbar_label, medium),
            medium.height - medium.edge};
}

namespace {

bool has_names(const Scale& scale) { return scale.axis && !scale.axis->axis.index_names.empty(); }

/// Returns the largest number of intervals on an axis of this length. An axis of names has as many
/// as there is room for lines, since names cannot be counted on from one to the next; one of few
/// cells, in a figure with a size of its own, has one for each cell.
int most_intervals(double pixels, double pixels_per_tick, const Scale& scale,
                   const Medium& medium) {
    const double line = medium.line.ascent + medium.line.descent;
    const double cells = std::fabs(scale.last - scale.first);
    constexpr double few_cells = 16, lines_per_cell = 1.4;
    const bool has_few_cells = scale.kind == ScaleKind::indices && cells <= few_cells;
    if (medium.has_own_size && has_few_cells && pixels >= lines_per_cell * line * cells) {
        return static_cast<int>(std::ceil(cells));
    }
    const double most = has_names(scale) ? 99 : 9;
    if (has_names(scale) && !medium.is_window) pixels_per_tick = line;
    return static_cast<int>(std::clamp(std::floor(pixels / pixels_per_tick), 1.0, most));
}

double pixel_across(double value, const Scale& scale, const Box& box) {
    return box.left + share_of(value, scale) * box.width();
}

double pixel_upwards(double value, const Scale& scale, const Box& box) {
    return box.bottom - share_of(value, scale) * box.height();
}

/// Returns the baseline of a label whose middle is at a pixel of an upright axis. In a window the
/// label stays within the lines of the axis.
double baseline_beside(double pixel, const Box& box, const Medium& medium) {
    if (medium.is_window) pixel = std::clamp(pixel, box.top + 0.5, box.bottom - 0.5);
    return pixel + medium.line.ascent / 2.0;
}

double baseline_below(const Box& box, const Medium& medium) {
    return box.bottom + medium.tick_length + medium.x_tick_pad + medium.line.ascent;
}

/// Returns the function that places a power of ten above the left end of a box; null in a window.
std::function<PlacedText(const std::string&)> power_above(TextRole role, const Box& box,
                                                          const Medium& medium) {
    if (medium.is_window) return nullptr;
    return [&medium, role, box](const std::string& power) {
        return across(medium, role, power, box.left, box.top - medium.title_pad);
    };
}

/// Returns the labels of the ticks; with `has_power`, only their digits, without the power of ten.
std::vector<std::string> labels_of(const std::vector<Tick>& ticks, bool has_power) {
    std::vector<std::string> labels;
    for (const Tick& tick : ticks) labels.push_back(has_power ? tick.digits : tick.label);
    return labels;
}

/// Returns the function that places labels in this direction; null if none run so.
const auto& placer(const TickedAxes& axes, Direction direction) {
    return direction == Direction::upwards   ? axes.upright
           : direction == Direction::slanted ? axes.slanted
                                             : axes.label;
}

std::vector<PlacedText> texts_of(const LabelledTicks& ticks, const TickedAxes& axes) {
    const auto& label = placer(axes, ticks.direction);
    std::vector<PlacedText> texts;
    for (const Box& box : axes.boxes) {
        for (std::size_t i = 0; i < ticks.ticks.size(); ++i) {
            if (ticks.labels[i].empty()) continue;
            texts.push_back(label(ticks.labels[i], ticks.ticks[i].value, box));
        }
    }
    return texts;
}

/// Returns the exponent that all labels share; nothing if they have no exponent or several.
std::optional<int> common_exponent(const std::vector<Tick>& ticks) {
    if (ticks.empty() || ticks.front().digits.empty()) return {};
    const int exponent = ticks.front().exponent;
    const bool is_common = std::ranges::all_of(
        ticks, [&](const Tick& tick) { return !tick.digits.empty() && tick.exponent == exponent; });
    return is_common ? std::optional(exponent) : std::nullopt;
}

bool place_with_power(Page& page, const TickedAxes& axes, LabelledTicks& ticks) {
    const auto exponent = common_exponent(ticks.ticks);
    if (!axes.power || !exponent) return false;
    ticks.labels = labels_of(ticks.ticks, true);
    std::vector<PlacedText> texts = texts_of(ticks, axes);
    texts.push_back(axes.power("\u00d7" + power_of_ten_text(*exponent)));
    ticks.has_power = place(page, texts);
    return ticks.has_power;
}

double widest(const std::vector<std::string>& labels, const Medium& medium) {
    double width = 0;
    for (const std::string& label : labels) {
        width = std::max(width, medium.advance(label, medium.text_style));
    }
    return width;
}

/// True if the texts are names that would fit if the margins were wider.
bool want_margins(const std::vector<PlacedText>& texts, const TickedAxes& axes, const Page& page) {
    Page wide{page.medium, everywhere};
    return has_names(axes.scale) && !page.medium.is_window && place(wide, texts);
}

bool has_labels(const LabelledTicks& ticks) {
    return std::ranges::any_of(ticks.labels, [](const auto& label) { return !label.empty(); });
}

}  // namespace

TickedAxes x_axes(const Scale& scale, const std::vector<Box>& boxes, const Medium& medium) {
    const auto pixel = [&](double value, const Box& box) {
        return pixel_across(value, scale, box);
    };
    const auto label = [&, pixel](const std::string& text, double value, const Box& box) {
        const double length = medium.advance(text, medium.text_style);
        const double x = medium.is_window ? centred(pixel(value, box), length, 0, medium.width)
                                          : pixel(value, box) - length / 2;
        return across(medium, TextRole::x_tick, text, x, baseline_below(box, medium));
    };
    TickedAxes axes{scale,
                    boxes,
                    most_intervals(boxes.front().width(), medium.space_per_x_tick, scale, medium),
                    pixel,
                    [](const Box& box) { return box.bottom; },
                    label,
                    nullptr};
    if (medium.is_window) return axes;
    if (has_names(scale) && medium.has_own_size) {
        axes.slanted = [&, pixel](const std::string& text, double value, const Box& box) {
            const double length = medium.advance(text, medium.text_style);
            const double ascent = medium.line.ascent;
            const double top = box.bottom + medium.tick_length + medium.x_tick_pad;
            return PlacedText{TextRole::x_tick,
                              text,
                              medium.text_style,
                              whole(pixel(value, box) - half_turned * (length - ascent / 2)),
                              whole(top + half_turned * (length + ascent)),
                              Direction::slanted};
        };
    }
    if (has_names(scale)) {
        axes.upright = [&, pixel](const std::string& text, double value, const Box& box) {
            const double top = box.bottom + medium.tick_length + medium.x_tick_pad;
            return PlacedText{TextRole::x_tick,
                              text,
                              medium.text_style,
                              whole(pixel(value, box) + medium.line.ascent / 2.0),
                              whole(top + medium.advance(text, medium.text_style)),
                              Direction::upwards};
        };
    }
    // The power of ten is behind the last label, which may reach beyond the axis.
    axes.power = [&medium, last = *std::ranges::max_element(boxes, {}, &Box::right)](
                     const std::string& power) {
        return across(medium, TextRole::x_power, power, last.right + medium.space_per_x_tick / 2,
                      baseline_below(last, medium));
    };
    return axes;
}

TickedAxes y_axes(const Scale& scale, const std::vector<Box>& boxes, const Medium& medium) {
    const auto pixel = [&](double value, const Box& box) {
        return pixel_upwards(value, scale, box);
    };
    const auto label = [&, pixel](const std::string& text, double value, const Box& box) {
        const double length = medium.advance(text, medium.text_style);
        return across(medium, TextRole::y_tick, text,
                      box.left - medium.tick_length - medium.y_tick_pad - length,
                      baseline_beside(pixel(value, box), box, medium));
    };
    return {scale,
            boxes,
            most_intervals(boxes.front().height(), medium.space_per_y_tick, scale, medium),
            pixel,
            [](const Box& box) { return box.left; },
            label,
            power_above(TextRole::y_power, boxes.front(), medium)};
}

TickedAxes colorbar_axis(const FigureSpec& spec, const Box& bar, const Medium& medium) {
    const Scale& scale = *spec.colorbar;
    const Box between = between_arrows(bar, spec.colorbar_arrows);
    // Figures of other sizes than matplotlib's need not have as many numbers as matplotlib's.
    constexpr int few = 6;
    const auto pixel = [&](double value, const Box& box) {
        return pixel_upwards(value, scale, box);
    };
    const auto label = [&, pixel](const std::string& text, double value, const Box& box) {
        return across(medium, TextRole::colorbar_tick, text,
                      box.right + medium.tick_length + medium.y_tick_pad,
                      baseline_beside(pixel(value, box), box, medium));
    };
    const int intervals = most_intervals(between.height(), medium.space_per_y_tick, scale, medium);
    return {scale,
            {between},
            medium.has_own_size ? std::min(intervals, few) : intervals,
            pixel,
            [](const Box& box) { return box.right; },
            label,
            power_above(TextRole::colorbar_power, bar, medium)};
}

LabelledTicks place_ticks(Page& page, const TickedAxes& axes) {
    const LabelledTicks unlabelled{ticks_of(axes.scale, axes.intervals), {}};
    for (int intervals = axes.intervals; intervals > 0; --intervals) {
        LabelledTicks ticks{ticks_of(axes.scale, intervals), {}};
        if (place_with_power(page, axes, ticks)) return ticks;
        ticks.labels = labels_of(ticks.ticks, false);
        for (const Direction direction :
             {Direction::rightwards, Direction::slanted, Direction::upwards}) {
            if (!placer(axes, direction)) continue;
            ticks.direction = direction;
            const std::vector<PlacedText> texts = texts_of(ticks, axes);
            if (place(page, texts)) return ticks;
            if (want_margins(texts, axes, page)) return unlabelled;
        }
    }
    return unlabelled;
}

double tick_room(const LabelledTicks& ticks, const Medium& medium) {
    return medium.tick_length +
           (has_labels(ticks) ? medium.y_tick_pad + widest(ticks.labels, medium) : 0);
}

double tick_room_below(const LabelledTicks& ticks, const Medium& medium) {
    if (!has_labels(ticks)) return medium.tick_length;
    const double line = medium.line.ascent + medium.line.descent;
    return medium.tick_length + medium.x_tick_pad +
           (ticks.direction == Direction::upwards ? widest(ticks.labels, medium)
            : ticks.direction == Direction::slanted
                ? half_turned * (widest(ticks.labels, medium) + line)
                : line);
}

double power_room(const LabelledTicks& ticks, const Medium& medium) {
    return ticks.has_power ? medium.title_pad + medium.line.ascent : 0;
}

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
