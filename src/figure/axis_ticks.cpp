#include "figure/axis_ticks.h"

#include <algorithm>
#include <cmath>

#include "figure/colorbar_arrows.h"

namespace pegen {
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

}  // namespace pegen
