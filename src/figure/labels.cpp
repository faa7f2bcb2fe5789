#include "figure/labels.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace pegen {
namespace {

// In points.
constexpr double title_size = 12;
constexpr double text_size = 10;
constexpr double tick_pad = 3.5;
constexpr double label_pad = 4;
constexpr double title_pad = 6;
constexpr double raised_title_pad = 9;  // clears the half line that tick labels stand out above
constexpr double space_per_x_tick = 30;
constexpr double space_per_y_tick = 20;

/// The texts placed so far, and the picture they must stay in.
struct Page {
    const Frames& frames;
    TextStyle style;
    LineHeight line = line_height(style);
    std::vector<PlacedText> texts{};
    std::vector<InkBox> inks{};

    Page(const Frames& all_frames, const FigureSpec& spec)
        : frames(all_frames), style{text_size, frames.dpi, spec.font} {}

    double pixels(double points) const { return in_pixels(points, frames.dpi); }
};

/// Halves to even, as matplotlib rounds.
int whole(double pixels) { return static_cast<int>(std::nearbyint(pixels)); }

bool touch(InkBox a, InkBox b, int gap) {
    return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom && b.top < a.bottom;
}

/// Places all of `texts`, or none of them if one has no room.
bool place(Page& page, const std::vector<PlacedText>& texts) {
    const int gap = whole(page.pixels(text_size / 4));
    std::vector<InkBox> inks = page.inks;
    for (const PlacedText& text : texts) {
        const InkBox ink = ink_on_picture(text);
        if (ink.left < 0 || ink.top < 0 || ink.right > page.frames.width ||
            ink.bottom > page.frames.height) {
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

/// An axis that has ticks, as functions of the greatest number of intervals and of a tick.
struct TickedAxis {
    int intervals;
    std::function<std::vector<Tick>(int intervals)> ticks;
    std::function<double(double value)> pixel;
    std::function<PlacedText(const Tick&)> label;
};

/// The ticks whose labels fit, with the labels placed; else those of the finest step, without.
std::vector<Tick> place_ticks(Page& page, const TickedAxis& axis) {
    for (int intervals = axis.intervals; intervals > 0; --intervals) {
        std::vector<Tick> ticks = axis.ticks(intervals);
        std::vector<PlacedText> labels;
        for (const Tick& tick : ticks) labels.push_back(axis.label(tick));
        if (place(page, labels)) return ticks;
    }
    std::vector<Tick> ticks = axis.ticks(axis.intervals);
    for (Tick& tick : ticks) tick.label.clear();
    return ticks;
}

std::vector<double> pixels_of(const std::vector<Tick>& ticks, const TickedAxis& axis) {
    std::vector<double> pixels;
    for (const Tick& tick : ticks) pixels.push_back(axis.pixel(tick.value));
    return pixels;
}

/// The room that tick labels beside an axis take: from the axis to the end of the widest.
double tick_room(const Page& page, const std::vector<Tick>& ticks) {
    double widest = 0;
    for (const Tick& tick : ticks) {
        if (tick.label.empty()) continue;
        widest = std::max(widest, page.pixels(tick_pad) + text_advance(tick.label, page.style));
    }
    return page.pixels(tick_length) + widest;
}

int most_intervals(double pixels, double dpi, double points_per_tick) {
    constexpr int most = 9;
    const double space = pixels * 72 / dpi / points_per_tick;
    return static_cast<int>(std::clamp(std::floor(space), 1.0, static_cast<double>(most)));
}

/// Where a text of `length` begins that is centred at `centre`, moved so as to stay in the picture.
double centred(double centre, double length, double picture) {
    return std::max(0.0, std::min(centre - length / 2, picture - length));
}

PlacedText across(TextRole role, const std::string& text, const TextStyle& style, double x,
                  double y) {
    return {role, text, style, whole(x), whole(y), Direction::rightwards};
}

/// An upward text, with its middle at the middle of `box`.
PlacedText upward(const Page& page, TextRole role, const std::string& text, double baseline,
                  const Box& box) {
    const double length = text_advance(text, page.style);
    const double top = centred((box.top + box.bottom) / 2, length, page.frames.height);
    return {role, text, page.style, whole(baseline), whole(top + length), Direction::upwards};
}

TickedAxis x_axis(const Page& page, std::int64_t cells) {
    const Box& box = page.frames.axes;
    const auto pixel = [=](double index) {
        return box.left + (index + 0.5) / static_cast<double>(cells) * box.width();
    };
    const double baseline = box.bottom + page.pixels(tick_length + tick_pad) + page.line.ascent;
    return {most_intervals(box.width(), page.frames.dpi, space_per_x_tick),
            [=](int intervals) { return index_ticks(cells, intervals); }, pixel,
            [=, style = page.style](const Tick& tick) {
                const double length = text_advance(tick.label, style);
                return across(TextRole::x_tick, tick.label, style, pixel(tick.value) - length / 2,
                              baseline);
            }};
}

TickedAxis y_axis(const Page& page, std::int64_t cells) {
    const Box& box = page.frames.axes;
    const auto pixel = [=](double index) {
        return box.top + (index + 0.5) / static_cast<double>(cells) * box.height();
    };
    const double right = box.left - page.pixels(tick_length + tick_pad);
    return {most_intervals(box.height(), page.frames.dpi, space_per_y_tick),
            [=](int intervals) { return index_ticks(cells, intervals); }, pixel,
            [=, style = page.style, ascent = page.line.ascent](const Tick& tick) {
                return across(TextRole::y_tick, tick.label, style,
                              right - text_advance(tick.label, style),
                              pixel(tick.value) + ascent / 2.0);
            }};
}

TickedAxis colorbar_axis(const Page& page, Limits limits) {
    const Box& box = *page.frames.colorbar;
    const auto pixel = [=](double value) {
        const double share = (value / 2 - limits.low / 2) / (limits.high / 2 - limits.low / 2);
        return box.bottom - share * box.height();
    };
    const double left = box.right + page.pixels(tick_length + tick_pad);
    return {most_intervals(box.height(), page.frames.dpi, space_per_y_tick),
            [=](int intervals) { return value_ticks(limits, intervals); }, pixel,
            [=, style = page.style, ascent = page.line.ascent](const Tick& tick) {
                return across(TextRole::colorbar_tick, tick.label, style, left,
                              pixel(tick.value) + ascent / 2.0);
            }};
}

void place_title(Page& page, const std::string& title) {
    const TextStyle style{title_size, page.frames.dpi, page.style.font};
    const Box& axes = page.frames.axes;
    const double x =
        centred((axes.left + axes.right) / 2, text_advance(title, style), page.frames.width);
    for (const double pad : {title_pad, raised_title_pad}) {
        if (place(page, {across(TextRole::title, title, style, x, axes.top - page.pixels(pad))})) {
            return;
        }
    }
}

}  // namespace

Labels place_labels(const FigureSpec& spec, const Frames& frames) {
    Page page(frames, spec);
    Labels labels;
    const TickedAxis x = x_axis(page, spec.columns);
    const TickedAxis y = y_axis(page, spec.rows);
    const std::vector<Tick> x_ticks = place_ticks(page, x);
    const std::vector<Tick> y_ticks = place_ticks(page, y);
    labels.x_ticks = pixels_of(x_ticks, x);
    labels.y_ticks = pixels_of(y_ticks, y);

    std::vector<PlacedText> names;
    const bool has_x_labels = !x_ticks.empty() && !x_ticks.front().label.empty();
    const double x_room =
        page.pixels(tick_length) +
        (has_x_labels ? page.pixels(tick_pad) + page.line.ascent + page.line.descent : 0);
    names.push_back(
        across(TextRole::x_label, spec.x_label, page.style,
               centred((frames.axes.left + frames.axes.right) / 2,
                       text_advance(spec.x_label, page.style), frames.width),
               frames.axes.bottom + x_room + page.pixels(label_pad) + page.line.ascent));
    names.push_back(upward(
        page, TextRole::y_label, spec.y_label,
        frames.axes.left - tick_room(page, y_ticks) - page.pixels(label_pad) - page.line.descent,
        frames.axes));
    if (frames.colorbar) {
        const TickedAxis colorbar = colorbar_axis(page, spec.limits);
        const std::vector<Tick> ticks = place_ticks(page, colorbar);
        labels.colorbar_ticks = pixels_of(ticks, colorbar);
        names.push_back(upward(page, TextRole::colorbar_label, spec.colorbar_label,
                               frames.colorbar->right + tick_room(page, ticks) +
                                   page.pixels(label_pad) + page.line.ascent,
                               *frames.colorbar));
    }
    for (const PlacedText& name : names) {
        if (!name.text.empty()) place(page, {name});
    }
    if (!spec.title.empty()) place_title(page, spec.title);
    labels.texts = std::move(page.texts);
    return labels;
}

InkBox ink_on_picture(const PlacedText& text) {
    InkBox ink = text_ink(text.text, text.style);
    if (text.direction == Direction::upwards) ink = turned(ink);
    return {text.x + ink.left, text.y + ink.top, text.x + ink.right, text.y + ink.bottom};
}

}  // namespace pegen
