#include "figure/names.h"

#include <algorithm>

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

}  // namespace pegen
