#include "figure/drafts.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "figure/margins.h"

namespace pegen {
namespace {

bool is_complete(const Draft& draft) { return draft.labels.left_out.empty(); }

/// How much of the picture the place of the axes has, across or down, whichever is less.
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

/// A draft with the legend beside the axes or, if that makes them narrow, the better one of this
/// and a draft with the legend below.
Draft fitted(const FigureSpec& spec, bool may_narrow, const Medium& medium) {
    const Names names = fitted_names(spec, medium);
    const auto draft = [&](bool is_legend_below) {
        return drafted(spec, names, fitted_frames(spec, names, is_legend_below, may_narrow, medium),
                       medium);
    };
    Draft beside = draft(false);
    constexpr double narrow = 0.55;
    const bool is_good = is_complete(beside) && share_of_axes(beside) >= narrow;
    if (spec.legend.empty() || is_good) return beside;
    Draft below = draft(true);
    return is_better(below, beside) ? below : beside;
}

/// The text of the spec that has this role; nullptr if it is none that can be taken away.
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

/// Takes a text away: one that does not fit, or the least important one. Returns none if all are
/// gone.
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

/// Takes texts away until the others fit into a picture that is too small for all, and returns the
/// draft that lacks the fewest.
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

}  // namespace

Draft best_draft(const FigureSpec& spec, const Medium& medium) {
    Draft best = drafted(spec, usual_names(spec, medium), usual_frames(spec, medium), medium);
    if (is_complete(best) || medium.is_window) return best;
    // Letters are made smaller until the axes have nearly half of the picture, across and down.
    constexpr double least_share = 0.45, least_share_of_smallest = 0.25;
    const auto lacks_fewer = [&](const Draft& draft) {
        return draft.labels.left_out.size() < best.labels.left_out.size() ||
               !has_visible_panels(best.frames);
    };
    Draft widened = fitted(spec, false, medium);
    if (is_complete(widened) && share_of_axes(widened) >= least_share) return widened;
    for (const double scale : {1.0, 0.9, 0.8, 0.7, 0.6}) {
        Draft draft = fitted(spec, true, with_text_scale(medium, scale));
        if (share_of_axes(draft) < least_share) continue;
        if (is_complete(draft)) return draft;
        if (lacks_fewer(draft)) best = std::move(draft);
    }
    Draft smallest = without_some(spec, with_text_scale(medium, 0.6), least_share_of_smallest);
    return lacks_fewer(smallest) ? std::move(smallest) : std::move(best);
}

bool has_visible_panels(const Frames& frames) {
    constexpr double least = 4;
    const Box& panel = frames.axes.front();
    return frames.axes.size() == 1 || (panel.width() >= least && panel.height() >= least);
}

}  // namespace pegen
