#include "figure/page.h"

#include <algorithm>
#include <cmath>

namespace pegen {
namespace {

bool touch(InkBox a, InkBox b, int gap) {
    return a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom && b.top < a.bottom;
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
    for (const PlacedText& text : texts) {
        const InkBox ink = placed_ink(text, page.medium);
        if (ink.left < page.bounds.left || ink.top < page.bounds.top ||
            ink.right > page.bounds.right || ink.bottom > page.bounds.bottom) {
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
    return {text.x + ink.left, text.y + ink.top, text.x + ink.right, text.y + ink.bottom};
}

}  // namespace pegen
