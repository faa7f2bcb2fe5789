#include "figure/page.h"

#include <algorithm>
#include <cmath>

namespace pegen {
namespace {

bool touch(InkBox a, InkBox b, int gap) {
    return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom && b.top < a.bottom;
}

/// True if slanted texts side by side, whose boxes may overlap, do not touch each other.
bool have_lines_of_their_own(const std::vector<PlacedText>& texts, const Medium& medium) {
    const double line = medium.line.ascent + medium.line.descent;
    for (std::size_t i = 1; i < texts.size(); ++i) {
        // The distance of two lines through their origins.
        const double dx = texts[i].x - texts[i - 1].x, dy = texts[i].y - texts[i - 1].y;
        if (half_turned * (dx + dy) < line) return false;
    }
    return true;
}

}  // namespace

void take(Page& page, const Box& box) {
    page.inks.push_back(
        {static_cast<int>(std::floor(box.left)), static_cast<int>(std::floor(box.top)),
         static_cast<int>(std::ceil(box.right)), static_cast<int>(std::ceil(box.bottom))});
}

bool place(Page& page, const std::vector<PlacedText>& texts) {
    const int gap = whole(page.medium.text_gap);
    std::vector<InkBox> inks = page.inks;
    const bool are_slanted = !texts.empty() && texts.front().direction == Direction::slanted;
    if (are_slanted && !have_lines_of_their_own(texts, page.medium)) return false;
    for (const PlacedText& text : texts) {
        const InkBox ink = placed_ink(text, page.medium);
        if (ink.left < page.bounds.left || ink.top < page.bounds.top ||
            ink.right > page.bounds.right || ink.bottom > page.bounds.bottom) {
            return false;
        }
        const std::size_t others = are_slanted ? page.inks.size() : inks.size();
        for (std::size_t i = 0; i < others; ++i) {
            if (touch(ink, inks[i], gap)) return false;
        }
        inks.push_back(ink);
    }
    page.inks = std::move(inks);
    page.texts.insert(page.texts.end(), texts.begin(), texts.end());
    return true;
}

int whole(double pixels) { return static_cast<int>(std::nearbyint(pixels)); }

PlacedText across(const Medium& medium, TextRole role, const std::string& text, double x,
                  double baseline) {
    return {role,
            text,
            medium.text_style,
            whole(x),
            medium.line_step * whole(baseline / medium.line_step),
            Direction::rightwards};
}

double centred(double centre, double length, double first, double last) {
    return std::max(first, std::min(centre - length / 2, last - length));
}

InkBox placed_ink(const PlacedText& text, const Medium& medium) {
    InkBox ink = medium.ink(text.text, text.style);
    if (text.direction == Direction::upwards) ink = turned(ink);
    if (text.direction == Direction::slanted) ink = slanted(ink);
    return {text.x + ink.left, text.y + ink.top, text.x + ink.right, text.y + ink.bottom};
}

}  // namespace pegen
