#include "figure/margins.h"

#include <algorithm>
#include <cmath>

#include "figure/labels.h"

namespace pegen {
namespace {

/// Distances of the axes' place from the edges of the picture.
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

/// Sets the ends of what margins leave of a length; a tenth of it at least.
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

/// The margins that the texts around these frames need.
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
    if (frames.legend && frames.legend->is_below) {
        bottom += 2 * medium.label_pad + frames.legend->grid.height;
    } else if (frames.legend) {
        right = frames.legend->left - place.right + frames.legend->grid.width;
    }
    needed = wider(needed, {left, top, right, bottom});
    const double edge = medium.edge;
    return {needed.left + edge, needed.top + edge, needed.right + edge, needed.bottom + edge};
}

}  // namespace

Frames fitted_frames(const FigureSpec& spec, const Names& names, bool is_legend_below,
                     bool may_narrow, const Medium& medium) {
    const Margins usual = margins_of(usual_frames(spec, medium).place, medium);
    Margins margins = usual;
    // The margins depend on the tick labels, and these on the length of the axes.
    constexpr int rounds = 4;
    for (int round = 0; round < rounds; ++round) {
        const Frames frames =
            frames_in(place_within(margins, medium), is_legend_below, spec, medium);
        const Margins needed = needed_around(frames, spec, names, medium);
        margins = may_narrow ? needed : wider(needed, usual);
    }
    Frames frames = frames_in(place_within(margins, medium), is_legend_below, spec, medium);
    frames.page = {medium.edge, medium.edge, medium.width - medium.edge,
                   medium.height - medium.edge};
    frames.middle = between(names, medium);
    return frames;
}

}  // namespace pegen
