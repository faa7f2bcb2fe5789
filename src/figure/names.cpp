#include "figure/names.h"

#include <algorithm>

#include "figure/wrapping.h"

namespace pegen {
namespace {

TextBlock block(TextRole role, const std::string& text, double limit, const Medium& medium) {
    const bool is_title = role == TextRole::title;
    const TextStyle& style = is_title ? medium.title_style : medium.text_style;
    TextBlock all{role, {}, is_title ? medium.title_line : medium.line, 0};
    constexpr double spacing = 1.25;
    all.pitch = spacing * (all.line.ascent + all.line.descent);
    if (text.empty()) return all;
    all.lines = medium.is_window ? std::vector{shortened(text, static_cast<int>(limit))}
                                 : wrapped(text, limit, [&](std::string_view line) {
                                       return medium.advance(line, style);
                                   });
    return all;
}

/// The width that the label of an upright axis takes from the edge of the picture.
double width_at_edge(const TextBlock& label, const Medium& medium) {
    return medium.edge + (label.lines.empty() ? 0 : label.thickness() + medium.text_gap);
}

/// In a window both labels of upright axes are in one line.
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
    return {block(TextRole::title, spec.title, width, medium),
            block(TextRole::x_label, spec.x_label, width, medium),
            block(TextRole::y_label, spec.y_label, of_y, medium),
            block(TextRole::colorbar_label, spec.colorbar_label,
                  width - gap - std::min(of_y, length(spec.y_label)), medium)};
}

}  // namespace

double TextBlock::thickness() const {
    if (lines.empty()) return 0;
    return line.ascent + static_cast<double>(lines.size() - 1) * pitch + line.descent;
}

Names usual_names(const FigureSpec& spec, const Medium& medium) {
    if (medium.is_window) return window_names(spec, medium);
    return {block(TextRole::title, spec.title, medium.width, medium),
            block(TextRole::x_label, spec.x_label, medium.width, medium),
            block(TextRole::y_label, spec.y_label, medium.height, medium),
            block(TextRole::colorbar_label, spec.colorbar_label, medium.height, medium)};
}

Names fitted_names(const FigureSpec& spec, const Medium& medium) {
    Names names{};
    names.title = block(TextRole::title, spec.title, medium.width - 2 * medium.edge, medium);
    const double upright = between(names, medium).height();
    names.y_label = block(TextRole::y_label, spec.y_label, upright, medium);
    if (spec.colorbar) {
        names.colorbar_label =
            block(TextRole::colorbar_label, spec.colorbar_label, upright, medium);
    }
    names.x_label = block(TextRole::x_label, spec.x_label, between(names, medium).width(), medium);
    return names;
}

Box between(const Names& names, const Medium& medium) {
    const double title = names.title.lines.empty() ? 0 : names.title.thickness() + medium.text_gap;
    return {width_at_edge(names.y_label, medium), medium.edge + title,
            medium.width - width_at_edge(names.colorbar_label, medium),
            medium.height - medium.edge};
}

}  // namespace pegen
