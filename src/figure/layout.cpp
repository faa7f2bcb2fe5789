#include "figure/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/utf8.h"
#include "figure/colorbar.h"
#include "figure/frames.h"
#include "figure/labels.h"
#include "figure/strokes.h"
#include "figure/wrapping.h"

namespace pegen {
namespace {

/// The distances of the axes' place from the edges of the picture.
struct Margins {
    double left;
    double top;
    double right;
    double bottom;
};

Margins margins_of(const Box& place, const Medium& medium) {
    return {place.left, place.top, medium.width - place.right, medium.height - place.bottom};
}

Margins wider(const Margins& a, const Margins& b) {
    return {std::max(a.left, b.left), std::max(a.top, b.top), std::max(a.right, b.right),
            std::max(a.bottom, b.bottom)};
}

/// Sets the ends of the part of a length that margins leave; the part is at least a tenth of the
/// length.
void set_ends(double& first, double& last, double before, double behind, double length) {
    const double least = length / 10;
    const double share = std::min(1.0, (length - least) / (before + behind));
    first = share * before;
    last = length - share * behind;
}

Box place_within(const Margins& margins, const Medium& medium) {
    Box place{};
    set_ends(place.left, place.right, margins.left, margins.right, medium.width);
    set_ends(place.top, place.bottom, margins.top, margins.bottom, medium.height);
    return place;
}

double with_gap(double thickness, double gap) { return thickness > 0 ? gap + thickness : 0; }

/// Returns the margins that the texts around these frames need.
Margins needed_around(const Frames& frames, const FigureSpec& spec, const Names& names,
                      const Medium& medium) {
    Page page{medium, everywhere};
    const AxesTicks ticks = place_axes_ticks(page, spec, frames, medium);
    const Box& place = frames.place;
    Margins needed{};
    for (const InkBox& ink : page.inks) {
        needed = wider(needed, {place.left - ink.left, place.top - ink.top, ink.right - place.right,
                                ink.bottom - place.bottom});
    }
    double left =
        tick_room(ticks.y, medium) + with_gap(names.y_label.thickness(), medium.label_pad);
    double top = titles_room(names, ticks, medium);
    double bottom =
        tick_room_below(ticks.x, medium) + with_gap(names.x_label.thickness(), medium.label_pad);
    double right = 0;
    if (frames.colorbar) {
        right = frames.colorbar->right - place.right + tick_room(ticks.colorbar, medium) +
                with_gap(names.colorbar_label.thickness(), medium.label_pad);
    }
    if (frames.legend && frames.legend->place == LegendPlace::below) {
        bottom += 2 * medium.label_pad + frames.legend->grid.height;
    } else if (frames.legend && frames.legend->place == LegendPlace::beside) {
        right = frames.legend->left - place.right + frames.legend->grid.width;
    }
    needed = wider(needed, {left, top, right, bottom});
    const double edge = medium.edge;
    return {needed.left + edge, needed.top + edge, needed.right + edge, needed.bottom + edge};
}

/// Returns frames with margins as wide as their contents: tick labels, names, colour bar and
/// legend. With `may_narrow` false, no margin is narrower than around the axes' usual place.
Frames fitted_frames(const FigureSpec& spec, const Names& names, LegendPlace legend,
                     bool may_narrow, const Medium& medium) {
    const Margins usual = margins_of(usual_frames(spec, medium).place, medium);
    Margins margins = usual;
    // The margins depend on the tick labels, and the tick labels on the length of the axes.
    constexpr int rounds = 4;
    for (int round = 0; round < rounds; ++round) {
        const Frames frames = frames_in(place_within(margins, medium), legend, spec, medium);
        const Margins needed = needed_around(frames, spec, names, medium);
        margins = may_narrow ? needed : wider(needed, usual);
    }
    Frames frames = frames_in(place_within(margins, medium), legend, spec, medium);
    frames.page = {medium.edge, medium.edge, medium.width - medium.edge,
                   medium.height - medium.edge};
    frames.middle = between(names, medium);
    return frames;
}

/// A way to lay out a figure: the places of its parts, and the size of its texts.
struct Draft {
    Medium medium;  ///< with the texts in the size of this draft
    Frames frames;
    Labels labels;
};

bool is_complete(const Draft& draft) { return draft.labels.left_out.empty(); }

/// True if there is one panel, or each panel has some pixels across and down.
bool has_visible_panels(const Frames& frames) {
    constexpr double least = 4;
    const Box& panel = frames.axes.front();
    return frames.axes.size() == 1 || (panel.width() >= least && panel.height() >= least);
}

/// Returns the share of the picture's width, or of its height if that share is smaller, that the
/// place of the axes takes.
double share_of_axes(const Draft& draft) {
    const Box& place = draft.frames.place;
    return std::min(place.width() / draft.medium.width, place.height() / draft.medium.height);
}

Draft drafted(const FigureSpec& spec, const Names& names, Frames frames, const Medium& medium) {
    Labels labels = place_labels(spec, names, frames, medium);
    return {medium, std::move(frames), std::move(labels)};
}

bool is_better(const Draft& a, const Draft& b) {
    const std::size_t a_lacks = a.labels.left_out.size(), b_lacks = b.labels.left_out.size();
    return a_lacks != b_lacks ? a_lacks < b_lacks : share_of_axes(a) > share_of_axes(b);
}

/// Returns a draft with the legend beside the axes or, where texts have a size of their own, in an
/// empty corner of the axes. If a legend beside the axes makes them narrow, returns the better of
/// this draft and one with the legend below.
Draft fitted(const FigureSpec& spec, bool may_narrow, const Medium& medium) {
    const Names names = fitted_names(spec, medium);
    const auto draft = [&](LegendPlace place) {
        return drafted(spec, names, fitted_frames(spec, names, place, may_narrow, medium), medium);
    };
    // In an animation an empty corner may be full in the next frame.
    if (medium.has_own_size && !spec.legend.empty() && !medium.is_frame()) {
        Draft inside = draft(LegendPlace::inside);
        if (inside.frames.legend) return inside;
    }
    Draft beside = draft(LegendPlace::beside);
    constexpr double narrow = 0.55;
    const bool is_good = is_complete(beside) && share_of_axes(beside) >= narrow;
    if (spec.legend.empty() || is_good) return beside;
    Draft below = draft(LegendPlace::below);
    return is_better(below, beside) ? below : beside;
}

/// Returns the text of the spec that has this role; nullptr if a text of this role cannot be left
/// out.
std::string* text_of(FigureSpec& spec, TextRole role) {
    switch (role) {
        case TextRole::title:
            return &spec.title;
        case TextRole::x_label:
            return &spec.x_label;
        case TextRole::y_label:
            return &spec.y_label;
        case TextRole::colorbar_label:
            return &spec.colorbar_label;
        default:
            return nullptr;
    }
}

/// Removes a text that does not fit or, if there is none, the least important text. Returns its
/// role; nothing if all texts are gone.
std::optional<TextRole> take_text(FigureSpec& spec, const std::vector<TextRole>& left_out) {
    std::vector<TextRole> roles = left_out;
    for (const TextRole role :
         {TextRole::colorbar_label, TextRole::y_label, TextRole::x_label, TextRole::title}) {
        roles.push_back(role);
    }
    for (const TextRole role : roles) {
        std::string* text = text_of(spec, role);
        if (!text || text->empty()) continue;
        text->clear();
        return role;
    }
    return std::nullopt;
}

/// Shortens names of indices that would leave little room for the axes.
void shorten_names(Scale& scale, const Medium& medium) {
    if (!scale.axis) return;
    const double room = std::min(0.3 * medium.width, 0.35 * medium.height);
    for (std::string& name : scale.axis->axis.index_names) {
        const std::string whole = name;
        int columns = display_width(whole);
        while (columns > 0 && medium.advance(name, medium.text_style) > room) {
            name = shortened(whole, --columns);
        }
    }
}

/// Returns the spec with short names, with the labels that may be short in their shortest way, and
/// with such a title in the first way that is no longer than the place of the axes, and little
/// longer than panels that equal aspect makes small.
FigureSpec in_short(FigureSpec spec, const Medium& medium) {
    shorten_names(spec.x, medium);
    shorten_names(spec.y, medium);
    for (const TextRole role : spec.may_be_short) {
        std::string& text = *text_of(spec, role);
        if (role != TextRole::title) text = ways_to_write(role, text).back();
    }
    if (std::ranges::count(spec.may_be_short, TextRole::title) == 0) return spec;
    const Frames frames = fitted(spec, true, medium).frames;
    constexpr double beyond_panels = 1.25;
    const double room = std::min(frames.place.width(), beyond_panels * frames.hull().width());
    for (std::string& way : ways_to_write(TextRole::title, spec.title)) {
        spec.title = std::move(way);
        if (medium.advance(spec.title, medium.title_style) <= room) break;
    }
    return spec;
}

/// The least share of the picture's width or height that the axes have with the smallest texts.
constexpr double least_share_of_smallest = 0.25;

/// Removes texts until the others fit into a picture that is too small for all, and returns the
/// draft that lacks the fewest texts.
Draft without_some(FigureSpec spec, const Medium& medium, double least_share) {
    std::optional<Draft> best;
    bool is_best_usable = false;
    std::vector<TextRole> taken;
    for (;;) {
        Draft draft = fitted(spec, true, medium);
        const bool is_usable =
            share_of_axes(draft) >= least_share && has_visible_panels(draft.frames);
        const bool is_good = is_complete(draft) && is_usable;
        const auto role = take_text(spec, draft.labels.left_out);
        draft.labels.left_out.insert(draft.labels.left_out.begin(), taken.begin(), taken.end());
        const bool lacks_fewer =
            !best || draft.labels.left_out.size() < best->labels.left_out.size() ||
            (is_good && draft.labels.left_out.size() == best->labels.left_out.size());
        if (lacks_fewer || !is_best_usable) {
            best = std::move(draft);
            is_best_usable = is_usable;
        }
        if (is_good || !role) return std::move(*best);
        taken.push_back(*role);
    }
}

/// Returns the first draft with room for all texts: with the axes in their usual place, with wider
/// margins, with margins as wide as the texts need, with smaller texts. If no draft has room,
/// returns the draft that lacks the fewest texts. In a window only the first draft is made; in a
/// tight figure the margins are as wide as the texts need from the beginning, and texts with a size
/// of their own keep it.
Draft best_draft(const FigureSpec& spec, const Medium& medium) {
    if (medium.has_own_size) {
        return without_some(in_short(spec, medium), medium, least_share_of_smallest);
    }
    Draft best = drafted(spec, usual_names(spec, medium), usual_frames(spec, medium), medium);
    if (medium.is_window || (is_complete(best) && !medium.is_tight)) return best;
    // Letters are made smaller until the axes have nearly half of the picture, across and down.
    constexpr double least_share = 0.45;
    const auto lacks_fewer = [&](const Draft& draft) {
        return draft.labels.left_out.size() < best.labels.left_out.size() ||
               !has_visible_panels(best.frames);
    };
    Draft widened = fitted(spec, false, medium);
    const bool is_good = is_complete(widened) && share_of_axes(widened) >= least_share;
    if (is_good && !medium.is_tight) return widened;
    for (const double scale : {1.0, 0.9, 0.8, 0.7, 0.6}) {
        Draft draft = fitted(spec, true, with_text_scale(medium, scale));
        if (share_of_axes(draft) < least_share) continue;
        if (is_complete(draft)) return draft;
        if (lacks_fewer(draft)) best = std::move(draft);
    }
    Draft smallest = without_some(spec, with_text_scale(medium, 0.6), least_share_of_smallest);
    return lacks_fewer(smallest) ? std::move(smallest) : std::move(best);
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

/// Returns the pixels of an image in `box`; a fraction of a pixel counts as a whole one.
/// At 10 x 8 inches and 100 dpi the axes reach from 125 to 745.0000000000001, so that the image is
/// 621 pixels wide, the last pixel under the frame, as in matplotlib.
PixelArea image_area(const Box& box) {
    const int width = std::max(1, static_cast<int>(std::ceil(box.width())));
    const int height = std::max(1, static_cast<int>(std::ceil(box.height())));
    return {nearest_pixel(box.left), nearest_pixel(box.bottom) - height, width, height};
}

PixelArea inside(const Box& box) {
    const int left = nearest_pixel(box.left), top = nearest_pixel(box.top);
    return {left, top, nearest_pixel(box.right) - left, nearest_pixel(box.bottom) - top};
}

/// Checks a text. Throws: UsageError that names the text if it cannot be drawn.
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

/// Checks the panels. Throws: UsageError if they are too small to see.
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

TextPart part_of(TextRole role) {
    constexpr std::string_view larger = "make --figsize larger",
                               shorter = "make --figsize larger or the text shorter";
    switch (role) {
        case TextRole::title:
            return {"--title", "title", shorter};
        case TextRole::x_label:
            return {"--xlabel", "xlabel", shorter};
        case TextRole::y_label:
            return {"--ylabel", "ylabel", shorter};
        case TextRole::colorbar_label:
            return {"--colorbar-label", "colorbar-label", shorter};
        case TextRole::legend:
            return {"the legend", "with", larger};
        case TextRole::panel_title:
            return {"the title of a panel", "", larger};
        case TextRole::x_tick:
        case TextRole::x_power:
            return {"a number below the axes", "", larger};
        case TextRole::y_tick:
        case TextRole::y_power:
            return {"a number beside the axes", "", larger};
        case TextRole::cell:
            return {"a number in a cell", "", larger};
        case TextRole::colorbar_tick:
        case TextRole::colorbar_power:
            break;
    }
    return {"a number of the colour bar", "", larger};
}

}  // namespace pegen
